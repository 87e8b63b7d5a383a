/// Decides when a load is at rest: motion under a limit for a time, as the weighing trade has it.
///
/// A load comes to rest when the filter's window has stood for the time: nothing has happened in it, and its slope would not
/// carry the load past the limit. A load at rest stays so until it is beyond doubt that it moved: until its level, less what
/// that is uncertain by, is further than the limit from that of a window which ended within the time. So a reading that
/// stands is not shaken by a change too small to matter, and noise is no motion.
struct StabilityDetector: Sendable {
  /// A load as the filter sees it, in grams.
  struct Level: Sendable {
    /// The load.
    var mass: Double
    /// One standard uncertainty of it from noise.
    var deviation: Double
    /// How fast it moves, in grams a second.
    var slope: Double
    /// Since when the filter's window stands.
    var since: Instant
  }

  private let limit: Double
  private let time: Interval
  /// The windows that ended within the last `time`.
  private var closed: [Closed] = []
  private var open: Level?
  /// Since when the load rests, once it has done so for the time.
  private var restsSince: Instant?

  /// The longest that anybody waits, in multiples of the time.
  static let mostPatience = 3

  /// Sixteen times the time.
  private static let mostQuarters: Int64 = 64

  private struct Closed {
    var mass: Double
    var end: Instant
  }

  /// More windows than this in one `time` are motion anyway; older ones are let go.
  private static let mostClosed = 32

  /// Makes a detector for a limit of motion and the time it has to be kept.
  init(limit: Grams, time: Interval) {
    self.limit = limit.value
    self.time = time
    closed.reserveCapacity(Self.mostClosed)
  }

  /// Begins anew: something was put down, lifted or lost.
  mutating func restart() {
    closed.removeAll(keepingCapacity: true)
    open = nil
    restsSince = nil
  }

  /// Takes what the filter knows at a moment.
  mutating func observe(_ level: Level, at instant: Instant) {
    if let open, open.since != level.since {
      if closed.count == Self.mostClosed { closed.removeFirst() }
      closed.append(Closed(mass: open.mass, end: level.since))
    }
    open = level
    while let first = closed.first, first.end + time < instant { closed.removeFirst() }
    if hasMoved(level) || isDrifting(level, at: instant) || 2 * level.deviation > limit && restsSince == nil {
      restsSince = nil
    } else if restsSince == nil, level.since + time <= instant {
      restsSince = level.since
    }
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
      let patient = restsSince + time * Self.mostPatience
      return patient > instant ? patient : nil
    }
    let due = open.since + time
    if due > instant { return due }
    let quarter = max(time.nanoseconds / 4, 1)
    let quarters = (instant - due).nanoseconds / quarter + 1
    return quarters > Self.mostQuarters ? nil : due + Interval(nanoseconds: quarter * quarters)
  }

  /// Whether the load was elsewhere within the time.
  private func hasMoved(_ level: Level) -> Bool {
    closed.contains { ($0.mass - level.mass).magnitude - 2 * level.deviation > limit }
  }

  /// Whether the slope carries the load past the limit; that of a young window says nothing yet.
  private func isDrifting(_ level: Level, at instant: Instant) -> Bool {
    level.since + time <= instant && level.slope.magnitude * time.seconds > limit
  }
}
