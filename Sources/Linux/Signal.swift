import CLinux
import Glibc
import Weighing

/// An event that one thread raises and another waits for; implemented with an eventfd.
package final class Signal: Sendable {
  /// Readable while raised.
  package let descriptor: Int32

  /// Makes a signal in the lowered state.
  package init() {
    descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    if descriptor < 0 { DescriptorLimit.end("eventfd", errno) }
  }

  deinit { close(descriptor) }

  /// Raises the signal; never blocks. `write(2)`
  package func raise() {
    var one: UInt64 = 1
    _ = write(descriptor, &one, 8)
  }

  /// Lowers the signal. `read(2)`
  package func lower() {
    var count: UInt64 = 0
    _ = read(descriptor, &count, 8)
  }

  /// Waits up to a number of milliseconds until the signal is raised, and returns whether it is. `poll(2)`
  package func wait(milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, milliseconds) > 0
  }

  /// The same for a time, `nil` for no limit; a time below 0 counts as 0.
  package func wait(within limit: Interval?) -> Bool {
    wait(milliseconds: limit.map { Int32(clamping: max($0.nanoseconds, 0) / 1_000_000) } ?? -1)
  }
}
