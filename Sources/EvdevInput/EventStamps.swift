import Weighing

/// Turns the kernel's time stamps into instants of CLOCK_MONOTONIC.
///
/// A device that refuses EVIOCSCLOCKID stamps with CLOCK_REALTIME. Its stamps are moved by the offset between both
/// clocks, measured at each reading. A stamp that cannot be true after that (before the one that came before, or in the
/// future, as it happens when the wall clock is set) is replaced by the time of the reading.
struct EventStamps {
  /// Whether the stamps are those of CLOCK_MONOTONIC already.
  let areMonotonic: Bool

  private var readingTime = Instant(nanoseconds: 0)
  private var offset = Interval.zero
  private var last: Instant

  /// Makes a converter; no event can be older than `start`.
  init(areMonotonic: Bool, after start: Instant) {
    self.areMonotonic = areMonotonic
    last = start
  }

  /// Notes how both clocks stand; called before each reading.
  mutating func beginReading(monotonic: Instant, realtime: Instant) {
    readingTime = monotonic
    offset = monotonic - realtime
  }

  /// Notes that no event from now on can be older than `time`.
  mutating func advance(to time: Instant) { last = max(last, time) }

  /// The instant of a stamp.
  mutating func instant(_ stamp: Instant) -> Instant {
    if areMonotonic { return stamp }
    let moved = stamp + offset
    last = moved < last || readingTime < moved ? max(readingTime, last) : moved
    return last
  }
}
