import CLinux
import Glibc
import Weighing

extension Instant {
  /// The current time on CLOCK_MONOTONIC.
  package static func now() -> Instant { now(CLOCK_MONOTONIC) }

  /// The current offset of the time of day (UTC since 1970) from the monotonic clock.
  package static func wallOffset() -> Interval { wallClock() - now() }

  /// The time on CLOCK_REALTIME, as nanoseconds since 1970.
  package static func wallClock() -> Instant { now(CLOCK_REALTIME) }

  private static func now(_ clock: clockid_t) -> Instant {
    var time = timespec()
    clock_gettime(clock, &time)
    return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  /// Milliseconds from now until this instant, rounded up, for `epoll_wait` and `poll`; 0 once it has passed.
  package var millisecondsAway: Int32 {
    let away = (self - .now()).nanoseconds
    return away <= 0 ? 0 : Int32(clamping: (away + 999_999) / 1_000_000)
  }
}
