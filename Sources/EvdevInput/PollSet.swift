import CLinux
import Glibc

/// The descriptors that a pad input waits on, behind one that can be waited on itself. See epoll(7).
struct PollSet: ~Copyable {
  /// What may be ready.
  enum Source: UInt64, CaseIterable {
    /// The very first call, which looks for a pad.
    case start
    /// Something appeared in a directory.
    case appearance
    /// The device has events, or is gone.
    case device
  }

  /// What is ready.
  struct Ready {
    var start = false
    var appearance = false
    var device = false
    /// The device's descriptor has an error or a hang-up: it was unplugged.
    var isHungUp = false
  }

  private let descriptor: Descriptor

  /// Makes an empty set.
  ///
  /// - Throws: `EvdevError.system`, when no descriptor is left.
  init() throws(EvdevError) {
    guard let descriptor = Descriptor(epoll_create1(Int32(EPOLL_CLOEXEC))) else {
      throw .system(path: "epoll", doing: "waiting for devices", code: errno)
    }
    self.descriptor = descriptor
  }

  /// The descriptor, to wait on only.
  var fileDescriptor: Int32 { descriptor.number }

  /// Starts to wait on a descriptor.
  func add(_ number: Int32, _ source: Source) throws(EvdevError) {
    var event = epoll_event()
    event.events = EPOLLIN.rawValue
    event.data.u64 = source.rawValue
    guard epoll_ctl(descriptor.number, EPOLL_CTL_ADD, number, &event) == 0 else {
      // A file that cannot be waited on is no device (EPERM, see epoll_ctl(2)).
      throw .system(path: "epoll", doing: "waiting on descriptor \(number)", code: errno)
    }
  }

  /// Ceases to wait on a descriptor.
  func remove(_ number: Int32) {
    var unused = epoll_event()
    epoll_ctl(descriptor.number, EPOLL_CTL_DEL, number, &unused)
  }

  /// What is ready now; does not wait.
  func ready() -> Ready {
    var ready = Ready()
    withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: Source.allCases.count) { events in
      let count = epoll_wait(descriptor.number, events.baseAddress, Int32(events.count), 0)
      for event in events.prefix(Int(max(count, 0))) {
        switch Source(rawValue: event.data.u64) {
        case .start: ready.start = true
        case .appearance: ready.appearance = true
        case .device:
          ready.device = true
          ready.isHungUp = event.events & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0
        case nil: break
        }
      }
    }
    return ready
  }
}
