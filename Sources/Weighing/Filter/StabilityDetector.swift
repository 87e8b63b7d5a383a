/// Decides when a load is at rest: motion under a limit for a time, as the weighing trade has it.
///
/// Motion is how far the load was from where it is now at any moment of the last `time`: in the windows that the filter
/// has closed since, and along the slope of the one that is open. A level that has only just been found is not held against
/// the load further than it is certain, so a change too small to matter does not shake a reading that stands.
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
  /// The windows that ended of late, one after the other.
  private var closed: [Closed] = []
  /// When the first of them began, or the open one where there are none: nothing is known of the load before.
  private var known = Instant(nanoseconds: 0)
  private var open: Level?

  /// The longest that anybody waits, in multiples of the time.
  static let mostPatience = 3

  private struct Closed {
    var mass: Double
    var end: Instant
  }

  /// Moves faster than this many windows in one `time` are motion anyway; older ones are let go.
  private static let mostClosed = 32

  /// Makes a detector for a limit of motion and the time it has to be kept.
  init(limit: Grams, time: Interval) {
    self.limit = limit.value
    self.time = time
    closed.reserveCapacity(Self.mostClosed)
  }

  /// Begins anew: something was put down, lifted or lost.
  mutating func restart(at instant: Instant) {
    closed.removeAll(keepingCapacity: true)
    known = instant
    open = nil
  }

  /// Takes what the filter knows at a moment.
  mutating func observe(_ level: Level, at instant: Instant) {
    if let open, open.since != level.since {
      if closed.count == Self.mostClosed { forgetFirst() }
      closed.append(Closed(mass: open.mass, end: max(level.since, closed.last?.end ?? known)))
    }
    open = level
    while let first = closed.first, first.end + time * Self.mostPatience < instant { forgetFirst() }
  }

  private mutating func forgetFirst() {
    known = closed.removeFirst().end
  }

  /// Whether the load has rested for `patience` times the time.
  func isStable(at instant: Instant, patience: Int) -> Bool {
    guard let open, restsFrom(open) + time * patience <= instant else { return false }
    guard 2 * open.deviation <= limit else { return false }
    let age = instant - open.since
    return age < time || open.slope.magnitude * time.seconds <= limit
  }

  /// When the load will have rested for the time, if nothing moves until then.
  func nextDeadline(after instant: Instant) -> Instant? {
    guard let open else { return nil }
    let from = restsFrom(open)
    if from + time > instant { return from + time }
    let patient = from + time * Self.mostPatience
    return patient > instant ? patient : nil
  }

  /// The end of the last closed window in which the load was elsewhere.
  private func restsFrom(_ level: Level) -> Instant {
    for window in closed.reversed() where (window.mass - level.mass).magnitude - 2 * level.deviation > limit {
      return window.end
    }
    return known
  }
}
