import CLinux
import Glibc
import Weighing

/// The descriptors that one thread waits for; `epoll(7)`.
package struct Poller: ~Copyable {
  /// What a descriptor is ready for, or waited for.
  package struct Readiness: OptionSet {
    package let rawValue: UInt32

    /// Makes a set from epoll's own bits.
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Something can be read.
    package static let readable = Readiness(rawValue: EPOLLIN.rawValue)
    /// Something can be written.
    package static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
    /// The other side has finished sending, or all is over.
    package static let ended = Readiness(rawValue: EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue)
    /// To be waited for only: each raising is told once, so that a `Signal` need not be lowered.
    package static let once = Readiness(rawValue: EPOLLET.rawValue)
  }

  private let descriptor: Int32

  /// Makes one that waits for nothing yet.
  package init() {
    descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    if descriptor < 0 { DescriptorLimit.end("epoll_create1", errno) }
  }

  deinit { close(descriptor) }

  /// Readable while anything is ready, so that one set can be waited for in another.
  package var fileDescriptor: Int32 { descriptor }

  /// Waits for `readiness` of a descriptor from now on, instead of what was waited for before.
  package func watch(_ target: Int32, for readiness: Readiness) {
    var event = epoll_event()
    event.events = readiness.union(Readiness(rawValue: EPOLLRDHUP.rawValue)).rawValue
    event.data.fd = target
    if epoll_ctl(descriptor, EPOLL_CTL_MOD, target, &event) != 0, errno == ENOENT {
      _ = epoll_ctl(descriptor, EPOLL_CTL_ADD, target, &event)
    }
  }

  /// Waits no longer for a descriptor. A closed one has left by itself.
  package func forget(_ target: Int32) {
    _ = epoll_ctl(descriptor, EPOLL_CTL_DEL, target, nil)
  }

  /// Waits up to a number of milliseconds (-1 for ever) and returns what is ready; nothing when time is up.
  ///
  /// Of more than eight that are ready, the others come with the next calls.
  package func wait(milliseconds: Int32) -> [(descriptor: Int32, readiness: Readiness)] {
    withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 8) { events in
      let count = epoll_wait(descriptor, events.baseAddress, 8, milliseconds)
      return events.prefix(Int(max(0, count))).map { ($0.data.fd, Readiness(rawValue: $0.events)) }
    }
  }

  /// Waits until a deadline (`nil` for ever) and tells what is ready; nothing when time is up. `epoll_pwait2(2)`
  ///
  /// Of more than eight that are ready, the others come with the next calls. A timer of its own would cost a system call
  /// whenever the deadline moves.
  package func wait(until deadline: Instant?, _ body: (_ descriptor: Int32, _ readiness: Readiness) -> Void) {
    withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 8) { events in
      let count = pause(events, until: deadline)
      for event in events.prefix(Int(max(0, count))) { body(event.data.fd, Readiness(rawValue: event.events)) }
    }
  }

  private func pause(_ events: UnsafeMutableBufferPointer<epoll_event>, until deadline: Instant?) -> Int32 {
    let room = Int32(events.count)
    guard let deadline else { return epoll_wait(descriptor, events.baseAddress, room, -1) }
    let left = max((deadline - .now()).nanoseconds, 0)
    var time = timespec(tv_sec: Int(left / 1_000_000_000), tv_nsec: Int(left % 1_000_000_000))
    let count = epoll_pwait2(descriptor, events.baseAddress, room, &time, nil)
    // Linux before 5.11, and valgrind, know whole milliseconds only.
    guard count < 0, errno == ENOSYS else { return count }
    return epoll_wait(descriptor, events.baseAddress, room, deadline.millisecondsAway)
  }
}
