/// What a contender asks of the source.
enum PlantCommand: Sendable {
  case stop
  /// Switch the source on for some seconds.
  case pulse(Double)
}

/// One sample during a dose.
struct DoseSample: Sendable {
  /// Seconds since the start of the series.
  var time: Double
  /// The load in grams above the empty plate, with noise.
  var gross: Double
  /// The load less the mean of the rest before the dose, which is the tare of the peers.
  var net: Double
}

/// A way to stop a source in time; it lives as long as a series, so that it can learn.
protocol Doser {
  /// The vessel rests: tares.
  mutating func tare(at time: Double)
  /// Sets the target of the next dose.
  mutating func aim(at target: Double, at time: Double)
  /// The source was switched on.
  mutating func begin(at time: Double)
  /// Advances to a moment before the next sample; returns a command and its time.
  mutating func advance(to time: Double) -> (command: PlantCommand, time: Double)?
  /// Processes a sample: of the rest before a dose, of the dose, and of the rest after it.
  mutating func process(_ sample: DoseSample) -> PlantCommand?
  /// Whether it has stopped the source for good.
  var isDone: Bool { get }
  /// The dose is over: the vessel will be taken off. Without a stop, it was given up.
  mutating func end(at time: Double)
}

extension Doser {
  mutating func tare(at time: Double) {}
  mutating func advance(to time: Double) -> (command: PlantCommand, time: Double)? { nil }
  mutating func end(at time: Double) {}
}

/// The slope of the least-squares line through samples; 0 for fewer than two.
func slope(_ samples: ArraySlice<(time: Double, mass: Double)>) -> Double {
  let count = Double(samples.count)
  let middle = samples.reduce((time: 0.0, mass: 0.0)) { ($0.time + $1.time / count, $0.mass + $1.mass / count) }
  let sums = samples.reduce((product: 0.0, square: 0.0)) { sums, sample in
    let time = sample.time - middle.time
    return (sums.product + time * (sample.mass - middle.mass), sums.square + time * time)
  }
  return sums.square > 0 ? sums.product / sums.square : 0
}

/// All contenders, in the order of the tables.
enum DoserName: String, CaseIterable, Sendable {
  case grampad
  case openScale = "openscale"
  case gaggiMate = "gaggimate"
  case smartGrind = "smart_grind"
  /// No prediction.
  case noPrediction = "none"
  /// An oracle. Not a peer: a real scale knows none of what it knows.
  case bound

  static let peers: [DoserName] = [.openScale, .gaggiMate, .smartGrind, .noPrediction]

  /// Makes the contender for a series.
  func doser(_ condition: DoseCondition) throws -> any Doser {
    switch self {
    case .grampad: try GrampadDoser(condition, stopsAhead: true)
    case .openScale: OpenScaleDoser(noise: condition.noise)
    case .gaggiMate: GaggiMateDoser()
    case .smartGrind: SmartGrindDoser(noise: condition.noise)
    case .noPrediction: try GrampadDoser(condition, stopsAhead: false)
    case .bound: OracleDoser(condition)
    }
  }

  /// Where the rule was published, and what it was given.
  var source: String {
    switch self {
    case .grampad: "Sources/Weighing/Dose, its default: 300 ms of dead time until it has learned"
    case .openScale:
      "github.com/decentespresso/openscale at b2be435, include/grinder_adaptive_safety.h and grinder_protocol.h: stops a"
        + " margin before the target, on the unfiltered sample; the margin is 2 g, then the mean of the last three that"
        + " would have been right. Tolerances widened to the noise; the refusal of flows above 6 g/s left out of the stop"
    case .gaggiMate:
      "github.com/jniebuhr/gaggimate at 775e78f, src/display/core/predictive.h and process/GrindProcess.h: a line through"
        + " the last 4 s, extrapolated by a delay of 1 s that is corrected by each dose; ten values a second, each the mean"
        + " of its samples, as from a Bluetooth scale"
    case .smartGrind:
      "github.com/jaapp/smart-grind-by-weight at a2fd525, src/controllers/weight_grind_strategy.cpp and"
        + " src/config/grind_control.h: stops ahead by flow times the latency of the start, then up to ten pulses of 75 to"
        + " 300 ms. Settled load and first flow by the noise instead of 0.01 g and 0.5 g/s; its limit of 30 s left out"
    case .noPrediction: "Grampad's own displayed net, which stops at the target"
    case .bound:
      "knows the true mass but for the error of a line through all samples of the pour, the mean flow to come, and the mean"
        + " dead time and drip, not those of the dose"
    }
  }
}
