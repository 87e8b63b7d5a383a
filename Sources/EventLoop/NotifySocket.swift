import CLinux
import Glibc
import Weighing

/// Where a service manager such as systemd hears from the program that it has started. sd_notify(3)
///
/// Each notice is one datagram of lines `NAME=value` to the address in `$NOTIFY_SOCKET`. The manual page describes this
/// protocol and promises that it stays; with libsystemd the program would depend on a library for these few lines.
package final class NotifySocket: Sendable {
  /// What a service manager may be told.
  package enum Notice: Sendable {
    /// The program has started, or has adopted another configuration.
    case ready
    /// It adopts another configuration and says `ready` afterwards.
    case reloading
    /// It ends.
    case stopping
    /// How it is doing, for people: one line.
    case status(String)
    /// It still works: to be said more often than every `watchdog`.
    case alive
  }

  /// How long the service manager waits for `alive` before it takes the program for hung; `nil` when it does not watch.
  package let watchdog: Interval?

  private let descriptor: Int32
  /// A path, or a zero and the name of an abstract address; unix(7).
  private let address: [UInt8]

  /// Takes over what the service manager has left in the environment, and removes it from there: no child of this
  /// program is to speak for it. `nil` when nobody listens.
  ///
  /// To be called before other threads look into the environment.
  package static func inherited() -> NotifySocket? {
    func take(_ name: String) -> String? {
      guard let value = getenv(name) else { return nil }
      defer { unsetenv(name) }
      return String(cString: value)
    }
    let (address, interval, process) = (take("NOTIFY_SOCKET"), take("WATCHDOG_USEC"), take("WATCHDOG_PID"))
    // Somebody else may be the one that is watched: sd_watchdog_enabled(3).
    let isMeant = process == nil || process == "\(getpid())"
    let microseconds = isMeant ? interval.flatMap { Int64($0) } ?? 0 : 0
    // No watchdog is as slow as three centuries, beyond which nanoseconds do not fit.
    let isSensible = microseconds > 0 && microseconds < .max / 1000
    return address.flatMap {
      NotifySocket(address: $0, watchdog: isSensible ? Interval(nanoseconds: microseconds * 1000) : nil)
    }
  }

  /// Makes one for an address as `$NOTIFY_SOCKET` has it: an absolute path, or `@` and an abstract name; else `nil`.
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

  /// Tells the service manager; does nothing when that is gone.
  ///
  /// `alive` and `status` never wait: where there is no room for them, the next ones come soon enough. The others may
  /// wait for up to a second, since each comes but once.
  package func send(_ notice: Notice) {
    let (text, waits) =
      switch notice {
      case .ready: ("READY=1", true)
      case .reloading: ("RELOADING=1\nMONOTONIC_USEC=\(Instant.now().nanoseconds / 1000)", true)
      case .stopping: ("STOPPING=1", true)
      case .status(let line): ("STATUS=" + Self.oneLine(line), false)
      case .alive: ("WATCHDOG=1", false)
      }
    let bytes = Array(text.utf8)
    withAddress { address, size in
      _ = sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL) | (waits ? 0 : Int32(MSG_DONTWAIT)), address, size)
    }
  }

  /// A text without line breaks: what a device calls itself must not become a notice of its own.
  private static func oneLine(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 }))
  }

  /// The room for a path and its zero in `sockaddr_un`.
  private static let capacity = MemoryLayout.size(ofValue: sockaddr_un().sun_path)

  private func withAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Void) {
    var whole = sockaddr_un()
    whole.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &whole.sun_path) { $0.copyBytes(from: address) }
    // The name of an abstract address is as long as it is said to be.
    let size = socklen_t(MemoryLayout<sa_family_t>.size + address.count)
    withUnsafePointer(to: whole) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
    }
  }
}
