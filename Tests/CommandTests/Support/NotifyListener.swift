import Foundation
import Glibc
import Synchronization

/// The service manager's side of sd_notify(3): a socket and the received datagrams with their times.
///
/// A separate thread reads it, because on a busy machine a test runs too rarely to measure times.
final class NotifyListener: Sendable {
  typealias Notice = (text: String, at: ContinuousClock.Instant)

  /// What `$NOTIFY_SOCKET` has to be.
  let address: String
  private let descriptor: Int32
  private let heard = Heard()

  private final class Heard: Sendable {
    let notices = Mutex<[Notice]>([])
  }

  /// Listens at a path, or with `@` at an abstract address.
  init(_ address: String) throws {
    self.address = address
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var whole = sockaddr_un()
    whole.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(address.utf8)
    if address.hasPrefix("@") { bytes[0] = 0 }
    withUnsafeMutableBytes(of: &whole.sun_path) { $0.copyBytes(from: bytes) }
    let size = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
    let status = withUnsafePointer(to: whole) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
    }
    guard status == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    Thread.detachNewThread { [heard, descriptor] in
      var chunk = [UInt8](repeating: 0, count: 4096)
      // No notice is empty: nothing comes at the end only.
      while case let count = recv(descriptor, &chunk, chunk.count, 0), count > 0 {
        heard.notices.withLock { $0.append((String(decoding: chunk[..<count], as: UTF8.self), .now)) }
      }
      close(descriptor)
    }
  }

  deinit { shutdown(descriptor, Int32(SHUT_RD)) }

  /// All that was said so far.
  var notices: [Notice] { heard.notices.withLock { $0 } }

  /// The texts of all that was said so far, but for the signs of life.
  var texts: [String] { notices.map(\.text).filter { $0 != "WATCHDOG=1" } }

  /// When there was a sign of life.
  var beats: [ContinuousClock.Instant] { notices.filter { $0.text == "WATCHDOG=1" }.map(\.at) }
}
