import Glibc
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
  /// Returns a port on which no server listens, and each port only once, to all processes that run tests: an appliance that waits for
  /// its broker to return must not find that of another test there.
  ///
  /// The port stays bound to a socket that does not listen. That refuses it to the next `bind`, except for a server with
  /// SO_REUSEADDR, which all set. Linux assigns ports from 32768 to outgoing connections, and the scripts take theirs from 20000.
  static func any() -> UInt16 {
    while true {
      let port = UInt16.random(in: 10_000..<20_000)
      let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      if with(port, { bind(socket, $0, $1) }) == 0 {
        var isReused: CInt = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<CInt>.size))
        return port
      }
      close(socket)
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
