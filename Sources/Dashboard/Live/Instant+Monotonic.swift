import Glibc
import Weighing

extension Instant {
  /// Now, on the clock of the readings; clock_gettime(2) with CLOCK_MONOTONIC.
  static func monotonic() -> Instant {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}
