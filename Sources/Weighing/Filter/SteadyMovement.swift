/// Detects a load that moves steadily: a pour, a drip, a sensor that creeps.
///
/// ```
///            rate over a third of the limit a second, and certain
///   absent ────────────────────────────────────────────────────────► present
///     ▲                                                                 │
///     └──── certainly less than that, or a jump: another load ──────────┘
/// ```
///
/// The limit of motion alone allows a gram in 300 ms, 3.3 g/s, which is the flow of an espresso machine. The rate is
/// the slope of the filter's window once this is as old as the stability time. A faster or uneven flow begins one window
/// after the other, too short for a slope: then the last blocks of samples show the rate
/// (`ObservationHistory.steadySlope`). A young window says nothing about the end of a movement, so the state remains.
struct SteadyMovement: Sendable {
  /// Whether the load moves steadily.
  private(set) var isPresent = false

  private var window: (since: Instant, mass: Double)?

  /// The rate that counts as rest, in limits of motion a second. Source: the specification of the scale.
  private static let share = 1.0 / 3
  /// The number of standard deviations at which a rate is certain: it is tested with every frame.
  private static let certainty = 4.0
  /// The sample periods after which a window shows that a movement has ended.
  private static let fewestPeriods = 9
  /// A difference between two windows, in limits of motion, that is another load and no flow.
  private static let jump = 2.0

  /// Forgets the movement: there is another load.
  mutating func stop() {
    isPresent = false
    window = nil
  }

  /// Evaluates the result of the filter at a moment.
  mutating func follow(
    _ level: StabilityDetector.Level, limit: Double, time: Interval, at instant: Instant
  ) {
    if let window, window.since != level.since, (level.mass - window.mass).magnitude > Self.jump * limit {
      isPresent = false
    }
    window = (level.since, level.mass)
    let rates = (least: Self.share * limit, most: limit / time.seconds)
    guard level.since + time <= instant else {
      if let rate = level.rateAcrossWindows?.magnitude, rates.least < rate, rate <= rates.most { isPresent = true }
      return
    }
    let rate = level.slope.magnitude
    // The slope of a noisy pad says too little for a long time.
    let isPrecise = level.slopeDeviation < rates.least
    if isPresent {
      let mayHaveEnded = instant >= level.since + level.period * Self.fewestPeriods
      isPresent = isPrecise && (rate + level.slopeDeviation > rates.least || !mayHaveEnded)
    } else {
      // A faster movement is motion as such and leaves no doubt when it ends.
      isPresent =
        isPrecise && rate > rates.least && rate > Self.certainty * level.slopeDeviation && rate <= rates.most
    }
  }
}
