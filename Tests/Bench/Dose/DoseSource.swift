import Recordings

/// What a source gives if it stays on: the cumulative mass by the time that it has been on.
struct DoseSource: Sendable {
  /// The cumulative mass in grams, and the same without what cannot be foreseen, at each step.
  private(set) var masses: [Double] = [0]
  private(set) var trend: [Double] = [0]
  /// What falls after the flow has ended, as a time of the flow, in this dose and in the mean.
  private(set) var drip: Double
  let meanDrip: Double
  /// A clump that falls after the end, in grams, in this dose and in the mean.
  private(set) var clump = 0.0
  private(set) var meanClump = 0.0
  /// After how long the source is exhausted before the target; `nil` for every other source.
  private(set) var exhausted: Double?

  static let step = 0.01
  /// The mean time of the flow that falls after the end. Chosen: 0.2 g at 2 g/s, as a spout or a chute retains.
  private static let drip = 0.1
  /// The spread of drip and flow from dose to dose, one standard deviation as a share.
  private static let dripSpread = 0.2
  private static let spread = 0.05
  /// The fluctuation of a grinder, as a share of its flow, and how long it lasts in seconds.
  private static let fluctuation = 0.25
  private static let correlation = 0.3
  /// The period of the pulses in seconds.
  private static let pulse = 0.6
  /// Clumps: the share of the flow that falls in them, the mass of one as a time of the flow, and how often one follows.
  private static let clumps = (share: 0.3, mass: 0.15, after: 0.3)

  /// Makes the source of a dose.
  init(_ condition: DoseCondition, number: Int, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let deviations = [random.gaussian(), random.gaussian()].map { condition.hasSpread ? min(max($0, -3), 3) : 0 }
    let speed = 1 + Self.spread * deviations[0]
    meanDrip = condition.hasSpread ? Self.drip : 0
    drip = meanDrip * (1 + Self.dripSpread * deviations[1])
    if let recording = condition.recording {
      // The bound knows it as it is: it is no different from dose to dose but for its speed.
      masses = recording.masses(step: Self.step * speed)
      trend = masses
    } else {
      simulate(condition, flow: condition.flow * speed, number: number, &random)
    }
  }

  private mutating func simulate(_ condition: DoseCondition, flow: Double, number: Int, _ random: inout SplitMix64) {
    let nominal = condition.target / condition.flow
    let phase = random.unit()
    // The share of the target at which the flow begins to fade, and what the hopper holds: too little for the third dose.
    let fading = number == 2 ? 0.4 : 0.6 + 0.3 * random.unit()
    let total = number == 2 ? 0.6 : fading + 0.5
    var noise = random.gaussian()
    for index in 0..<Int((2.5 * nominal + 5) / Self.step) {
      let time = Double(index) * Self.step
      let decay = Self.step / Self.correlation
      noise += (2 * decay).squareRoot() * random.gaussian() - decay * noise
      var (mean, real) = (flow, 1.0)
      switch condition.kind {
      case .valve, .recording: break
      case .pump: mean *= 0.3 + 0.6 * time / nominal
      case .grinder: real += Self.fluctuation * noise
      case .pulsing: real += cosine(time / Self.pulse + phase)
      case .clumps:
        real += Self.fluctuation * noise - Self.clumps.share
        let rate = Self.clumps.share / Self.clumps.mass
        if random.unit() < rate * Self.step { real += Self.clumps.mass / Self.step }
      case .empty:
        mean *= min(max((total - masses[index] / condition.target) / (total - fading), 0), 1)
        real += Self.fluctuation / 2 * noise
      }
      masses.append(masses[index] + mean * max(real, 0) * Self.step)
      trend.append(trend[index] + mean * Self.step)
    }
    if condition.kind == .clumps {
      meanClump = Self.clumps.after * Self.clumps.mass * flow
      clump = random.unit() < Self.clumps.after ? Self.clumps.mass * flow : 0
    }
    if condition.kind == .empty, number == 2, let last = masses.last {
      exhausted = Double(masses.partitioningIndex { $0 >= last - 0.02 }) * Self.step
    }
  }

  /// How long it lasts in seconds.
  var length: Double { Double(masses.count - 1) * Self.step }

  func mass(after time: Double) -> Double { Self.value(in: masses, after: time) }
  func trend(after time: Double) -> Double { Self.value(in: trend, after: time) }
  /// The foreseeable flow in grams per second, over half a second: recorded scales report tenths of a gram.
  func flow(after time: Double) -> Double {
    let (from, to) = (max(time - 0.25, 0), min(time + 0.25, length))
    return to > from ? (trend(after: to) - trend(after: from)) / (to - from) : 0
  }

  private static func value(in table: [Double], after time: Double) -> Double {
    let position = max(time, 0) / step
    guard position < Double(table.count - 1) else { return table[table.count - 1] }
    let index = Int(position)
    return table[index] + (position - Double(index)) * (table[index + 1] - table[index])
  }
}
