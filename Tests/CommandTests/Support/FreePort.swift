import Glibc
import Synchronization
import Testing

/// A TCP port on 127.0.0.1 that is in use for the lifetime of the value.
final class TakenPort: Sendable {
  let port: UInt16
  private let socket: Int32

  /// Listens on any free port.
  init() throws {
    // Not inherited by the programs that the tests start.
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    let socket = socket
    try #require(FreePort.with(0) { bind(socket, $0, $1) } == 0 && listen(socket, 1) == 0)
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &size) }
    }
    port = UInt16(bigEndian: address.sin_port)
  }

  deinit { close(socket) }
}

/// TCP ports on 127.0.0.1.
enum FreePort {
  private static let issued = Mutex<Set<UInt16>>([])

  /// Returns a port on which no server listens, and each port only once: an appliance that waits for its broker to
  /// return must not find that of another test there.
  ///
  /// Linux assigns ports from 32768 to outgoing connections and to servers that ask for any port, unless configured
  /// otherwise. None of these takes a port below while the server of the test is not listening.
  static func any() -> UInt16 {
    while true {
      let port = UInt16.random(in: 10_000..<32_768)
      if issued.withLock({ $0.insert(port).inserted }), !isTaken(port) { return port }
    }
  }

  /// Whether a server listens on the port.
  static func isTaken(_ port: UInt16) -> Bool {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(socket) }
    return with(port) { connect(socket, $0, $1) } == 0
  }

  fileprivate static func with(_ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
  }
}
