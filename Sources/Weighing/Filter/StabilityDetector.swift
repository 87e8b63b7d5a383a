/// Decides when a load is stable: motion below a limit for a time, as usual for scales.
///
/// A load becomes stable when the window of the filter has lasted for the time, its slope does not move the load past the
/// limit, and the caller has found no movement hidden in the window (`LoadFilter.isRestless`). On a noisy pad the end of a
/// movement is not known to the millisecond, so the time is longer by a third of the ratio of the deviation to the limit,
/// a tenth at most. After an oscillation, the load has to rest for twice the time.
///
/// A load at rest stays so until it is beyond doubt that it moved: until its level, less what that is uncertain by, is
/// further than the limit from that of a window which ended within the time. So a reading that stands is not shaken by a
/// change too small to matter, and noise is no motion.
struct StabilityDetector: Sendable {
  /// A load as the filter sees it, in grams.
  struct Level: Sendable {
    /// The load.
    var mass: Double
    /// One standard uncertainty of it from noise.
    var deviation: Double
    /// How fast it moves, in grams a second.
    var slope: Double
    /// One standard uncertainty of that.
    var slopeDeviation: Double
    /// Since when the filter's window stands.
    var since: Instant
  }

  private let limit: Double
  private let time: Interval
  /// The windows that ended within the last `time`.
  private var closed: [Closed] = []
  private var open: Level?
  private var swing = Swing()
  /// The level of the stable load when the filter restarted its window.
  private var anchor: Double?
  /// Since when the load rests, once it has done so for the time.
  private var restsSince: Instant?

  /// The longest that anybody waits, in multiples of the time.
  static let maximumPatience = 3

  /// Sixteen times the time.
  private static let maximumQuarters: Int64 = 64

  private struct Closed {
    var mass: Double
    var end: Instant
  }

  /// More windows than this in one `time` are motion anyway; older ones are let go.
  private static let maximumClosed = 32

  /// Makes a detector for a limit of motion and the time it has to be kept.
  init(limit: Grams, time: Interval) {
    self.limit = limit.value
    self.time = time
    closed.reserveCapacity(Self.maximumClosed)
  }

  /// Restarts after a load was put down, lifted or lost.
  mutating func restart() {
    closed.removeAll(keepingCapacity: true)
    open = nil
    swing = Swing()
    anchor = nil
    restsSince = nil
  }

  /// Takes what the filter knows at a moment.
  mutating func observe(_ level: Level, at instant: Instant) {
    if let open, open.since != level.since {
      anchor = restsSince == nil ? nil : steadied(open, at: instant)
      if closed.count == Self.maximumClosed { closed.removeFirst() }
      closed.append(Closed(mass: open.mass, end: level.since))
    }
    open = level
    swing.follow(level.mass, deviation: level.deviation, limit: limit, at: instant)
    while let first = closed.first, first.end + time <= instant { closed.removeFirst() }
    if hasMoved(level) || isDrifting(level, at: instant) {
      restsSince = nil
      anchor = nil
    }
  }

  /// The mass to show: that of the filter, but while a load at rest has a young window, as much of what it was taken for
  /// before as the new one is uncertain. So noise that splits a window does not make a reading at rest jump.
  func mass(at instant: Instant) -> Double? {
    open.map { steadied($0, at: instant) }
  }

  private func steadied(_ level: Level, at instant: Instant) -> Double {
    guard let anchor else { return level.mass }
    let youth = 1 - (instant - level.since).seconds / time.seconds
    return level.mass + (anchor - level.mass) * min(2 * level.deviation / limit, 1) * max(youth, 0)
  }

  /// Whether a load that is not at rest yet may be found to be now.
  func isDue(at instant: Instant) -> Bool {
    restsSince == nil && open.map { due($0) <= instant } ?? false
  }

  /// The time in which nothing must have moved for the load to be at rest now; `nil` when it is already, or cannot be.
  func restToBeShown(at instant: Instant) -> Interval? {
    guard isDue(at: instant), let open, 2 * open.deviation <= limit, !hasMoved(open), !isDrifting(open, at: instant)
    else { return nil }
    return wanted(of: open)
  }

  /// Takes it that nothing moved in that time.
  mutating func rest() {
    restsSince = open?.since
  }

  /// Whether the load has rested for `patience` times the time.
  func isStable(at instant: Instant, patience: Int) -> Bool {
    guard let restsSince else { return false }
    return restsSince + time * patience <= instant
  }

  /// When the load may have rested for the time, if nothing moves until then.
  ///
  /// A load whose window has stood for the time and which is still too uncertain, or seems to drift, is looked at every
  /// quarter of the time, for as long as `patience` allows: a silent pad becomes certain without a frame.
  func nextDeadline(after instant: Instant) -> Instant? {
    guard let open else { return nil }
    if let restsSince {
      let patient = restsSince + time * Self.maximumPatience
      return patient > instant ? patient : nil
    }
    let due = due(open)
    if due > instant { return due }
    let quarter = max(time.nanoseconds / 4, 1)
    let quarters = (instant - due).nanoseconds / quarter + 1
    return quarters > Self.maximumQuarters ? nil : due + Interval(nanoseconds: quarter * quarters)
  }

  /// For how long a window has to stand.
  private func wanted(of level: Level) -> Interval {
    swing.isRecent(at: level.since) ? time * 2 : time
  }

  /// When it has, as far as can be known.
  private func due(_ level: Level) -> Instant {
    let blur = min(level.deviation / limit, Self.maximumBlur) / 3
    return level.since + wanted(of: level) + .seconds(time.seconds * blur)
  }

  private static let maximumBlur = 0.3

  /// Whether the load was elsewhere within the time.
  private func hasMoved(_ level: Level) -> Bool {
    closed.contains { ($0.mass - level.mass).magnitude - 2 * level.deviation > limit }
  }

  /// Whether the slope, less what that is uncertain by, carries the load past the limit; that of a young window says
  /// nothing yet.
  private func isDrifting(_ level: Level, at instant: Instant) -> Bool {
    level.since + time <= instant && (level.slope.magnitude - level.slopeDeviation) * time.seconds > limit
  }
}
