import CLinux
import Glibc
import Weighing

/// Wakes a thread at a time on the monotonic clock; `timerfd_create(2)`.
package final class DeadlineTimer {
  /// Readable once the deadline has passed.
  package let descriptor: Int32
  private var armed: Instant?

  /// Makes a timer that is not set.
  package init() {
    descriptor = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
    if descriptor < 0 { DescriptorLimit.end("timerfd_create", errno) }
  }

  deinit { close(descriptor) }

  /// Sets the timer to a deadline, or disarms it with `nil`; costs nothing if the deadline has not changed.
  package func set(_ deadline: Instant?) {
    guard deadline != armed else { return }
    armed = deadline
    var time = itimerspec()
    if let deadline {
      // All zeros would disarm it.
      let nanoseconds = max(deadline.nanoseconds, 1)
      time.it_value.tv_sec = Int(nanoseconds / 1_000_000_000)
      time.it_value.tv_nsec = Int(nanoseconds % 1_000_000_000)
    }
    _ = timerfd_settime(descriptor, Int32(TFD_TIMER_ABSTIME), &time, nil)
  }

  /// Clears the expiration after the deadline has passed.
  package func acknowledge() {
    var count: UInt64 = 0
    if read(descriptor, &count, 8) == 8 { armed = nil }
  }
}
