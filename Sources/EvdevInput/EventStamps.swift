import Weighing

/// Converts the kernel's timestamps to instants on CLOCK_MONOTONIC.
///
/// A device that does not support EVIOCSCLOCKID uses CLOCK_REALTIME. Its timestamps are shifted by the offset between
/// both clocks, measured before each reading. A timestamp that is then implausible (before the previous one, or in the
/// future, which happens when the wall clock is set) is replaced by the time of the reading.
struct EventStamps {
  /// Whether the timestamps are on CLOCK_MONOTONIC already.
  let areMonotonic: Bool

  private var readingTime = Instant(nanoseconds: 0)
  private var offset = Interval.zero
  private var last: Instant

  /// Makes a converter; no event can be older than `start`.
  init(areMonotonic: Bool, after start: Instant) {
    self.areMonotonic = areMonotonic
    last = start
  }

  /// Measures the offset between both clocks; call it before each reading.
  mutating func beginReading(monotonic: Instant, realtime: Instant) {
    readingTime = monotonic
    offset = monotonic - realtime
  }

  /// Records that no further event can be older than `time`.
  mutating func advance(to time: Instant) { last = max(last, time) }

  /// The instant of a timestamp.
  mutating func instant(_ stamp: Instant) -> Instant {
    if areMonotonic { return stamp }
    let moved = stamp + offset
    last = moved < last || readingTime < moved ? max(readingTime, last) : moved
    return last
  }
}
