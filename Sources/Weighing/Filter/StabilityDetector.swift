/// Decides when a load is at rest: its motion is under a limit for a time, as usual for scales, and it does not move
/// steadily.
///
/// A load comes to rest when the window of the filter is as old as the time, its slope does not carry the load past the
/// limit, and the caller has found no hidden movement in the window (`LoadFilter.isRestless`). The time is at least six
/// sample periods. Noise hides the exact end of a movement, so that the time is longer by a third of the ratio of
/// deviation to limit, by at most a tenth. A load that has swung has to rest for twice the configured time, unless six
/// sample periods are longer than the time itself, and for a whole period of a swing that is narrow and has few samples.
///
/// A load at rest remains so until it has certainly moved: until its level, less its uncertainty, differs by more than
/// the limit from that of a window which ended within the time, or until it moves steadily (`SteadyMovement`). A change
/// that is too small to matter, or noise, does not disturb a stable reading.
struct StabilityDetector: Sendable {
  /// A load as the filter sees it, in grams.
  struct Level: Sendable {
    /// The load.
    var mass: Double
    /// One standard uncertainty of it from noise.
    var deviation: Double
    /// The same when the pad was quietest.
    var quietDeviation: Double
    /// The slope in grams per second.
    var slope: Double
    /// One standard uncertainty of the slope.
    var slopeDeviation: Double
    /// The rate in grams per second of a movement that goes on through several windows; `nil` without one.
    var rateAcrossWindows: Double?
    /// When the window of the filter began.
    var since: Instant
    /// The time between two samples of the pad.
    var period = Interval.zero
    /// One count in grams, on a pad whose samples all arrive or are slow; 0 on others.
    var step = 0.0
  }

  private let configuredLimit: Double
  /// The limit in force in grams: the configured one, at least one count of the pad.
  private(set) var limit: Double
  private let configuredTime: Interval
  /// The time in force: the configured one, at least six sample periods.
  private(set) var time: Interval
  /// The windows that ended within the last `time`.
  private var closed: [Closed] = []
  private var open: Level?
  private var swing = Swing()
  private var movement = SteadyMovement()
  /// The mass of the load at rest when the filter last began a new window.
  private var anchor: Double?
  private var rest: Rest?

  /// The longest time for which a caller waits, as a multiple of the time.
  static let maximumPatience = 3

  /// For how long an uncertain load is evaluated without a frame, in quarters of the time.
  private static let maximumQuarters: Int64 = 64

  /// The least time in sample periods: fewer samples show a movement too rarely.
  private static let fewestPeriods = 6
  /// The sample periods in one period of a swing from which on its turning points do not look like rest.
  private static let mostPeriods = 20

  /// A load that has been at rest for the time.
  private struct Rest {
    var since: Instant
    /// The time in force when the load came to rest.
    var time: Interval
  }

  private struct Closed {
    var mass: Double
    var end: Instant
  }

  /// The most windows that are kept; older ones are removed, so that motion is compared with these only.
  private static let maximumClosed = 32

  /// Makes a detector for a limit of motion and a time.
  init(limit: Grams, time: Interval) {
    configuredLimit = limit.value
    self.limit = limit.value
    configuredTime = time
    self.time = time
    closed.reserveCapacity(Self.maximumClosed)
  }

  /// Starts with a new load: something was put down, lifted or lost.
  mutating func restart() {
    closed.removeAll(keepingCapacity: true)
    open = nil
    swing = Swing()
    movement.stop()
    anchor = nil
    rest = nil
  }

  /// Evaluates the result of the filter at a moment.
  mutating func observe(_ level: Level, at instant: Instant) {
    time = max(configuredTime, level.period * Self.fewestPeriods)
    limit = max(configuredLimit, level.step)
    if let open, open.since != level.since {
      anchor = rest == nil ? nil : steadied(open, at: instant)
      if closed.count == Self.maximumClosed { closed.removeFirst() }
      closed.append(Closed(mass: open.mass, end: level.since))
    }
    open = level
    swing.follow(level.mass, deviation: level.quietDeviation, limit: limit, at: instant)
    while let first = closed.first, first.end + time <= instant { closed.removeFirst() }
    if swing.isRecent(at: instant) {
      movement.stop()
    } else {
      movement.follow(level, limit: limit, time: time, at: instant)
    }
    if hasMoved(level) || isDrifting(level, at: instant) {
      rest = nil
      anchor = nil
    }
  }

  /// The mass to display: that of the filter. While a load at rest has a young window, it is mixed with the previous
  /// mass according to the uncertainty of the new one, so that noise which splits a window does not make a stable
  /// reading jump.
  @inline(__always)
  func mass(at instant: Instant) -> Double? { open.map { steadied($0, at: instant) } }

  @inline(__always)
  private func steadied(_ level: Level, at instant: Instant) -> Double {
    guard let anchor else { return level.mass }
    let youth = 1 - (instant - level.since).seconds / time.seconds
    return level.mass + (anchor - level.mass) * min(2 * level.deviation / limit, 1) * max(youth, 0)
  }

  /// Whether a load that is not at rest yet may be at rest now.
  @inline(__always)
  func isDue(at instant: Instant) -> Bool { rest == nil && open.map { due($0) <= instant } ?? false }

  /// The time without movement that is needed for the load to be at rest now; `nil` if it is already, or cannot be.
  @inline(__always)
  func restToBeShown(at instant: Instant) -> Interval? {
    guard isDue(at: instant), let open, 2 * open.deviation <= limit, !hasMoved(open), !isDrifting(open, at: instant)
    else { return nil }
    return wanted(of: open)
  }

  /// Marks the load as at rest: nothing has moved during the time that `restToBeShown` returned.
  mutating func markAtRest() { rest = open.map { Rest(since: $0.since, time: time) } }

  /// Whether the load has rested for `patience` times the time.
  func isStable(at instant: Instant, patience: Int) -> Bool {
    guard let rest else { return false }
    return rest.since + rest.time * patience <= instant
  }

  /// When the load can be at rest if nothing moves until then.
  ///
  /// A load whose window is as old as the time, but which is too uncertain or appears to drift, is evaluated every
  /// quarter of the time, up to `maximumQuarters`: a silent pad becomes certain without a frame.
  @inline(__always)
  func nextDeadline(after instant: Instant) -> Instant? {
    guard let open else { return nil }
    if let rest {
      let patient = rest.since + rest.time * Self.maximumPatience
      return patient > instant ? patient : nil
    }
    let due = due(open)
    if due > instant { return due }
    let quarter = max(time.nanoseconds / 4, 1)
    let quarters = (instant - due).nanoseconds / quarter + 1
    return quarters > Self.maximumQuarters ? nil : due + Interval(nanoseconds: quarter * quarters)
  }

  /// How old a window has to be.
  private func wanted(of level: Level) -> Interval {
    guard swing.isRecent(at: level.since) else { return time }
    // With many samples in a period, its turning points do not look like rest.
    let period = swing.period < level.period * Self.mostPeriods ? swing.period : .zero
    return max(time > configuredTime ? time : configuredTime * 2, period)
  }

  /// When the window is old enough, given the noise.
  private func due(_ level: Level) -> Instant {
    let blur = min(level.deviation / limit, Self.maximumBlur) / 3
    return level.since + wanted(of: level) + .seconds(time.seconds * blur)
  }

  private static let maximumBlur = 0.3  // The largest ratio of deviation to limit that makes the time longer.

  /// Whether the load was elsewhere within the time.
  private func hasMoved(_ level: Level) -> Bool {
    closed.contains { ($0.mass - level.mass).magnitude - 2 * level.deviation > limit }
  }

  /// Whether the load moves steadily, or the slope, less its uncertainty, carries it past the limit; the slope of a
  /// young window is not evaluated.
  private func isDrifting(_ level: Level, at instant: Instant) -> Bool {
    movement.isPresent
      || (level.since + time <= instant && (level.slope.magnitude - level.slopeDeviation) * time.seconds > limit)
  }
}

extension StabilityDetector: Invariants {
  var invariants: KeyValuePairs<String, Bool> {
    [
      "a load at rest has a window": rest == nil || open != nil,
      "only a load at rest has an anchor": anchor == nil || rest != nil,
      "the windows before are few": closed.count <= Self.maximumClosed,
      "the time and the limit are at least the configured ones": time >= configuredTime && limit >= configuredLimit,
    ]
  }
}
