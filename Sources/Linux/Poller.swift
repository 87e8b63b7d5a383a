import CLinux
import Glibc
import Weighing

/// A set of descriptors that one thread waits for; `epoll(7)`.
package struct Poller: ~Copyable {
  /// The events that a descriptor is ready for or watched for.
  package struct Readiness: OptionSet {
    package let rawValue: UInt32

    /// Makes a set from epoll's own bits.
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Readable.
    package static let readable = Readiness(rawValue: EPOLLIN.rawValue)
    /// Writable.
    package static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
    /// The other side has finished sending or closed the connection, or there is an error.
    package static let ended = Readiness(rawValue: EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue)
    /// For watching only: edge-triggered, so that a `Signal` need not be lowered.
    package static let once = Readiness(rawValue: EPOLLET.rawValue)
  }

  private let descriptor: Int32

  /// Makes an empty set.
  package init() {
    descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    if descriptor < 0 { DescriptorLimit.end("epoll_create1", errno) }
  }

  deinit { close(descriptor) }

  /// Readable while any descriptor is ready, so that sets can be nested.
  package var fileDescriptor: Int32 { descriptor }

  /// Watches a descriptor for `readiness`, replacing what it was watched for before.
  package func watch(_ target: Int32, for readiness: Readiness) {
    var event = epoll_event()
    event.events = readiness.union(Readiness(rawValue: EPOLLRDHUP.rawValue)).rawValue
    event.data.fd = target
    if epoll_ctl(descriptor, EPOLL_CTL_MOD, target, &event) != 0, errno == ENOENT {
      _ = epoll_ctl(descriptor, EPOLL_CTL_ADD, target, &event)
    }
  }

  /// Stops watching a descriptor. A closed descriptor is removed automatically.
  package func forget(_ target: Int32) { _ = epoll_ctl(descriptor, EPOLL_CTL_DEL, target, nil) }

  /// Waits up to a number of milliseconds (-1 for no limit) and returns what is ready; nothing on timeout.
  ///
  /// At most eight descriptors are returned at a time; the rest follow with the next calls.
  package func wait(milliseconds: Int32) -> [(descriptor: Int32, readiness: Readiness)] {
    withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 8) { events in
      let count = epoll_wait(descriptor, events.baseAddress, 8, milliseconds)
      return events.prefix(Int(max(0, count))).map { ($0.data.fd, Readiness(rawValue: $0.events)) }
    }
  }

  /// Waits until a deadline (`nil` for no limit) and reports what is ready; nothing on timeout. `epoll_pwait2(2)`
  ///
  /// At most eight descriptors are reported at a time; the rest follow with the next calls. A separate timer would cost
  /// a system call whenever the deadline changes.
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
    // Linux before 5.11 and valgrind support only whole milliseconds.
    guard count < 0, errno == ENOSYS else { return count }
    return epoll_wait(descriptor, events.baseAddress, room, deadline.millisecondsAway)
  }
}
