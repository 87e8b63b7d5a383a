import Glibc

/// TCP ports on 127.0.0.1.
public enum FreePort {
  /// Returns a port on which no server listens, and each port only once, to all processes that run tests: an appliance that waits for
  /// its broker to return must not find that of another test there.
  ///
  /// The port stays bound to a socket that does not listen. That refuses it to the next `bind`, except for a server with
  /// SO_REUSEADDR, which all set. Linux assigns ports from 32768 to outgoing connections, and the scripts take theirs from 20000.
  public static func any() -> UInt16 {
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

  /// Listens on a port of its own. Programs that are started meanwhile do not inherit the socket.
  public static func listen() -> (socket: Int32, port: UInt16) {
    let port = any()
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var isReused: CInt = 1
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<CInt>.size))
    precondition(with(port) { bind(socket, $0, $1) } == 0 && Glibc.listen(socket, 8) == 0, "errno \(errno)")
    return (socket, port)
  }

  /// Whether a server listens on the port.
  public static func isTaken(_ port: UInt16) -> Bool {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(socket) }
    return with(port) { connect(socket, $0, $1) } == 0
  }

  private static func with(_ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
  }
}
