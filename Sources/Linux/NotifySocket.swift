import CLinux
import Glibc
import Weighing

/// The connection to a service manager such as systemd. sd_notify(3)
///
/// Each notification is one datagram of `NAME=value` lines, sent to the address in `$NOTIFY_SOCKET`. The manual page
/// documents this protocol as stable, so libsystemd is not needed.
package final class NotifySocket: Sendable {
  /// What the service manager can be told.
  package enum Notice: Sendable {
    /// The program has started or has finished reloading.
    case ready
    /// The program is reloading; `ready` follows.
    case reloading
    /// The program is stopping.
    case stopping
    /// The status for users, in one line.
    case status(String)
    /// The watchdog keep-alive; has to be sent more often than every `watchdog`.
    case alive
  }

  /// Time after which the service manager considers the program hung without `alive`; `nil` without a watchdog.
  package let watchdog: Interval?

  private let descriptor: Int32
  /// A path, or a zero byte and an abstract name; unix(7).
  private let address: [UInt8]

  /// Reads and removes the variables that the service manager has set, so that no child process inherits them. `nil`
  /// without a service manager.
  ///
  /// Call it before other threads read the environment.
  package static func inherited() -> NotifySocket? {
    func consume(_ name: String) -> String? {
      guard let value = getenv(name) else { return nil }
      defer { unsetenv(name) }
      return String(cString: value)
    }
    let (address, interval, process) = (consume("NOTIFY_SOCKET"), consume("WATCHDOG_USEC"), consume("WATCHDOG_PID"))
    // The watchdog may be meant for another process: sd_watchdog_enabled(3).
    let isMeant = process == nil || process == "\(getpid())"
    let microseconds = isMeant ? interval.flatMap { Int64($0) } ?? 0 : 0
    // Limited to three centuries, because nanoseconds overflow beyond that.
    let isSensible = microseconds > 0 && microseconds < .max / 1000
    return address.flatMap {
      NotifySocket(address: $0, watchdog: isSensible ? Interval(nanoseconds: microseconds * 1000) : nil)
    }
  }

  /// Makes a connection for an address in the form of `$NOTIFY_SOCKET`: an absolute path, or `@` and an abstract name;
  /// `nil` for any other.
  init?(address text: String, watchdog: Interval?) {
    var bytes = Array(text.utf8)
    guard bytes.count > 1, bytes.count < Self.capacity else { return nil }
    switch bytes[0] {
    case UInt8(ascii: "/"): bytes.append(0)
    case UInt8(ascii: "@"): bytes[0] = 0
    default: return nil
    }
    address = bytes
    self.watchdog = watchdog
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    if descriptor < 0 { DescriptorLimit.end("socket", errno) }
    var patience = timeval(tv_sec: 1, tv_usec: 0)
    _ = setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  /// Sends a notification; does nothing if the service manager has gone.
  ///
  /// `alive` and `status` never block: if the buffer is full they are dropped, since the next ones follow soon. The
  /// others may block for up to a second, since each is sent only once.
  package func send(_ notice: Notice) {
    let (text, waits) =
      switch notice {
      case .ready: ("READY=1", true)
      case .reloading: ("RELOADING=1\nMONOTONIC_USEC=\(Instant.now().nanoseconds / 1000)", true)
      case .stopping: ("STOPPING=1", true)
      // Without line breaks, so that the name of a device cannot inject another notification.
      case .status(let line): ("STATUS=" + line.replacingUnprintable { _ in " " }, false)
      case .alive: ("WATCHDOG=1", false)
      }
    let bytes = Array(text.utf8)
    withAddress { address, size in
      _ = sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL) | (waits ? 0 : Int32(MSG_DONTWAIT)), address, size)
    }
  }

  /// The space for a path and its terminating zero in `sockaddr_un`.
  private static let capacity = MemoryLayout.size(ofValue: sockaddr_un().sun_path)

  private func withAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Void) {
    var whole = sockaddr_un()
    whole.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &whole.sun_path) { $0.copyBytes(from: address) }
    // The length of an abstract address is given explicitly.
    let size = socklen_t(MemoryLayout<sa_family_t>.size + address.count)
    withUnsafePointer(to: whole) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
    }
  }
}
