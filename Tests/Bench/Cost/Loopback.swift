import Glibc

/// TCP ports on 127.0.0.1.
enum Loopback {
  /// Returns a port that is not in use.
  static func freePort() -> UInt16 {
    with(port: 0) { descriptor, address, length in
      guard bind(descriptor, address, length) == 0 else { return 0 }
      var taken = sockaddr_in()
      return withUnsafeMutablePointer(to: &taken) { taken in
        taken.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          var length = socklen_t(MemoryLayout<sockaddr_in>.size)
          return getsockname(descriptor, address, &length)
        }
      } == 0 ? UInt16(bigEndian: taken.sin_port) : 0
    }
  }

  /// Whether a server listens on the port.
  static func isListening(_ port: UInt16) -> Bool { with(port: port) { connect($0, $1, $2) == 0 } }

  private static func with<Result>(
    port: UInt16, _ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
    return withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
