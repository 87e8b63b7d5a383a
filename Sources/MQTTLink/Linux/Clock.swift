import Glibc
import Weighing

extension Instant {
  /// Now, on CLOCK_MONOTONIC.
  static func now() -> Instant {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  /// Milliseconds from now until this instant, rounded up, for `epoll_wait` and `poll`; 0 once it has passed.
  var millisecondsAway: Int32 {
    let away = (self - .now()).nanoseconds
    return away <= 0 ? 0 : Int32(clamping: (away + 999_999) / 1_000_000)
  }
}

/// The system's words for an error number. `strerror(3)`, safe on several threads since glibc 2.32.
func systemText(_ code: Int32) -> String { String(cString: strerror(code)) }
