import Recordings
import Weighing

/// The load of a trial: its script and the time of rest.
struct BenchLoad: Sendable {
  enum Kind: String, CaseIterable, Sendable {
    /// Placed by hand within 60...300 ms.
    case step
    /// Placed slowly, within 1...3 s.
    case ramp
    /// Placed in two parts of 30...70 %, each within 60...300 ms, with 100...250 ms between them.
    case pausing
    /// Placed, and stirred one second later with up to 8 g at 1.5...4 Hz for 3 s.
    case stirring
    /// A cup of 50 g into which 1 g/s drips for 8 s.
    case drip
    /// Placed on a table that vibrates with up to 2 g at 13...23 Hz for 4 s.
    case vibration

    /// Loads that are placed by hand; settling is scored on these.
    static let hands: Set<Kind> = [.step, .ramp, .pausing]
    /// Loads for which false stable readings are counted.
    static let placements: Set<Kind> = [.step, .ramp, .pausing, .stirring]
  }

  let kind: Kind
  private(set) var script = LoadScript()
  /// The final load in grams, 10...350.
  private(set) var mass: Double
  /// The time from which the load remains at rest, since the start of the script.
  private(set) var rest = Interval.zero
  /// The times during which a hand moves the load.
  private(set) var movements: [ClosedRange<Interval>] = []
  /// The middle part of the drip, the stirring or the vibration.
  private(set) var disturbance: ClosedRange<Interval>?

  /// Duration of a trial after rest. TrackWeight needs 3 s plus its mean of ten samples to settle.
  static let watched = Interval.seconds(3.5)
  var end: Interval { rest + Self.watched }

  init(_ kind: Kind, seed: UInt64) {
    self.kind = kind
    var random = SplitMix64(seed: seed)
    func between(_ low: Double, _ high: Double) -> Double { low + (high - low) * random.unit() }
    func hand() -> Interval { .seconds(between(0.06, 0.3)) }
    mass = between(10, 350)
    // Not aligned to the samples of the pad.
    let start = Interval.seconds(between(0.1, 0.15))
    switch kind {
    case .step: place(mass, at: start, over: hand())
    case .ramp: place(mass, at: start, over: .seconds(between(1, 3)))
    case .pausing:
      let part = mass * between(0.3, 0.7)
      let thing = place(part, at: start, over: hand())
      let second = rest + .seconds(between(0.1, 0.25))
      let time = hand()
      script.add(Grams(mass - part), to: thing, at: second, over: time)
      rest = second + time
      movements = [start...rest]
    case .stirring:
      let cup = place(mass, at: start, over: .milliseconds(150))
      let stirring = rest + .seconds(1)
      script.stir(
        cup, at: stirring, for: .seconds(3), amplitude: Grams(between(4, 8)), frequency: between(1.5, 4))
      rest = stirring + .seconds(3)
      movements.append(stirring...rest)
      disturbance = stirring + .seconds(0.3)...stirring + .seconds(2.7)
    case .drip:
      mass = 58
      let cup = place(50, at: start, over: .milliseconds(150))
      script.drip(1, into: cup, at: .seconds(2), for: .seconds(8))
      rest = .seconds(10)
      disturbance = .seconds(4)...(.seconds(10))
    case .vibration:
      let cup = place(mass, at: start, over: .milliseconds(150))
      script.stir(cup, at: start, for: .seconds(4), amplitude: Grams(2), frequency: between(13, 23))
      rest = start + .seconds(4)
      disturbance = start + .seconds(1)...start + .seconds(3)
    }
  }

  @discardableResult
  private mutating func place(_ mass: Double, at start: Interval, over hand: Interval) -> LoadScript.Thing {
    rest = start + hand
    movements = [start...rest]
    return script.place(Grams(mass), at: start, over: hand, speed: 0)
  }
}
