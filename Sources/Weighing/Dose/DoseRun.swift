/// A dose from the moment its output is on until its result is known.
///
/// ```
///              the target, or a fault            at rest, or 10 s later
///   ┌─────────┐ ────────────────► ┌──────────┐ ─────────────────────► dosed
///   │ running │                   │ settling │                          ▲
///   └─────────┘                   └──────────┘                          │
///        └────────── a fault after which the result is unknown ─────────┘
/// ```
///
/// The output is on while it is running, and off in every other state.
struct DoseRun: Sendable {
  let dose: Dose
  let label: String
  let maximumFlow: Double
  let started: Instant
  /// The number of tare and zero changes at the start.
  let tareEpoch: Int
  /// Why the output is off; `nil` while it is on.
  private(set) var reason: FinishedDose.Reason?

  /// The load when it last grew, and when.
  private var grown: (mass: Double, time: Instant)
  /// Since when the flow has been too fast.
  private var fastSince: Instant?
  /// When the pad has been silent for too long; `nil` if silence is a load at rest.
  private var silentFrom: Instant?

  /// The longest dose, and the longest time without a flow, also after the start. Chosen: a grinder that is empty, or a hose next to the
  /// vessel, must not run on; longer doses need a larger flow.
  private static let longest = Interval.seconds(60)
  private static let longestPause = Interval.seconds(5)
  /// The seconds and sample periods in which flow and load are measured, and how long a flow is too fast until it counts. Chosen: a
  /// splash is shorter; a line goes through four samples.
  private static let (recent, recentPeriods) = (0.5, 5.0)
  private static let sustained = Interval.milliseconds(300)
  /// The longest silence of a pad that delivers each sample, and in sample periods: a converter that resets itself takes 0.4 s.
  private static let longestSilence = Interval.milliseconds(600)
  private static let silentPeriods = 6
  /// A load whose mean grows by less than this, in grams, or than six standard deviations, does not flow; nor does one whose slope
  /// over three times as long does not show it.
  private static let growth = 0.1

  /// Begins a dose.
  init(_ dose: Dose, label: String, maximumFlow: Double, tareEpoch: Int, at now: Instant) {
    (self.dose, self.label, self.maximumFlow, self.tareEpoch) = (dose, label, maximumFlow, tareEpoch)
    (started, grown) = (now, (-.infinity, now))
  }

  /// When it ends if nothing happens before; `nil` when it has ended.
  var deadline: Instant? {
    guard reason == nil else { return nil }
    var earliest = EarliestInstant()
    earliest.include(started + Self.longest)
    earliest.include(grown.time + Self.longestPause)
    earliest.include(fastSince.map { $0 + Self.sustained })
    earliest.include(silentFrom)
    return earliest.instant
  }

  /// Ends it.
  mutating func end(_ reason: FinishedDose.Reason) { self.reason = reason }

  /// Observes the load and the time; returns why the output has to be switched off.
  ///
  /// - Parameters:
  ///   - stop: The watched load; `nil` while a press hides it.
  ///   - lastSample: When the last sample arrived, if the pad delivers each.
  mutating func observe(_ stop: StopAhead?, lastSample: Instant?, period: Interval, at now: Instant)
    -> FinishedDose.Reason?
  {
    silentFrom = lastSample.map { max($0, started) + max(Self.longestSilence, period * Self.silentPeriods) }
    if let silentFrom, silentFrom <= now { return .padSuspect }
    if let predictor = stop?.predictor, let newest = predictor.newest {
      let time = max(Self.recent, Self.recentPeriods * period.seconds)
      if let mean = predictor.mean(over: time) {
        if grown.mass == -.infinity { grown.mass = mean.mass }
        // What has grown until a flow ended is not counted later, when noise is added to it.
        let isFlowing = predictor.slope(over: 3 * time).map { $0.slope > 3 * $0.deviation } ?? false
        if isFlowing, mean.mass > grown.mass + max(Self.growth, 6 * mean.deviation) {
          grown = (mean.mass, newest.time)
        }
      }
      let isFast = predictor.slope(over: time).map { $0.slope - 2 * $0.deviation > maximumFlow } ?? false
      fastSince = isFast ? fastSince ?? newest.time : nil
    }
    if stop?.isLifted == true { return .lifted }
    if let fastSince, fastSince + Self.sustained <= now { return .tooFast }
    if started + Self.longest <= now { return .timeout }
    return grown.time + Self.longestPause <= now ? .noFlow : nil
  }
}

extension FinishedDose.Reason {
  /// Whether the load can still come to rest, so that the result is known later.
  var leavesLoad: Bool {
    switch self {
    case .reached, .stopped, .noFlow, .tooFast, .timeout, .disconnected, .refused: true
    case .padLost, .padSuspect, .overload, .lifted, .targetChanged, .configuration, .shutdown: false
    }
  }
}
