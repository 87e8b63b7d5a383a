import EventLoop
import Glibc

/// A TCP socket that listens for clients.
final class SICSListener {
  /// An accepted connection, closed in its deinit.
  final class Connection {
    private let socket: Descriptor
    var descriptor: Int32 { socket.number }

    init(_ socket: consuming Descriptor) { self.socket = socket }
  }

  private let socket: Descriptor
  var descriptor: Int32 { socket.number }

  private static let backlog: Int32 = 64

  /// Listens; socket(2), bind(2), listen(2).
  ///
  /// - Parameters:
  ///   - address: An IPv4 or IPv6 address.
  ///   - port: 0 for any free one.
  init(address: String, port: UInt16) throws(SICSError) {
    let isSix = address.contains(":")
    let endpoint = isSix ? "[\(address)]:\(port)" : "\(address):\(port)"
    let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    guard let socket = Descriptor(Glibc.socket(isSix ? AF_INET6 : AF_INET, type, 0)) else {
      throw SICSError(subject: endpoint, number: errno)
    }
    var yes: Int32 = 1
    setsockopt(socket.number, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    let result: Int32
    if isSix {
      var name = sockaddr_in6()
      name.sin6_family = sa_family_t(AF_INET6)
      name.sin6_port = port.bigEndian
      inet_pton(AF_INET6, address, &name.sin6_addr)
      result = Self.bind(socket.number, &name)
    } else {
      var name = sockaddr_in()
      name.sin_family = sa_family_t(AF_INET)
      name.sin_port = port.bigEndian
      inet_pton(AF_INET, address, &name.sin_addr)
      result = Self.bind(socket.number, &name)
    }
    guard result == 0, listen(socket.number, Self.backlog) == 0 else {
      throw SICSError(subject: endpoint, number: errno)
    }
    self.socket = socket
  }

  /// The port; getsockname(2).
  var port: UInt16 {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { storage in
      let result = storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(descriptor, $0, &length)
      }
      // The port is at the same place for both families.
      return result == 0
        ? storage.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { UInt16(bigEndian: $0.pointee.sin_port) } : 0
    }
  }

  /// Accepts one connection; `nil` if none waits, or none can be accepted. accept(2)
  func accept() -> Connection? {
    guard let client = Descriptor(Glibc.accept(descriptor, nil, nil)) else { return nil }
    _ = fcntl(client.number, F_SETFD, FD_CLOEXEC)
    _ = fcntl(client.number, F_SETFL, fcntl(client.number, F_GETFL) | O_NONBLOCK)
    // A client that was switched off is noticed after two minutes (tcp(7)).
    for (level, option, value) in [
      (Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1)), (SOL_SOCKET, SO_KEEPALIVE, 1),
      (Int32(IPPROTO_TCP), TCP_KEEPIDLE, 60), (Int32(IPPROTO_TCP), TCP_KEEPINTVL, 20),
      (Int32(IPPROTO_TCP), TCP_KEEPCNT, 3), (SOL_SOCKET, SO_SNDBUF, 4096), (SOL_SOCKET, SO_RCVBUF, 4096),
    ] {
      var value = value
      setsockopt(client.number, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
    return Connection(client)
  }

  private static func bind<Name>(_ descriptor: Int32, _ name: inout Name) -> Int32 {
    withUnsafePointer(to: &name) { name in
      name.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<Name>.size))
      }
    }
  }
}

/// Why MT-SICS is not available.
struct SICSError: Error, Hashable, CustomStringConvertible {
  /// The endpoint or the path.
  var subject: String
  /// errno(3).
  var number: Int32

  /// What failed, on what, and what to do.
  var description: String {
    switch number {
    case EADDRINUSE: "\(subject) is in use by another program; stop that program, or change sics.listen"
    case EADDRNOTAVAIL: "\(subject) is not an address of this machine; change sics.listen"
    case EEXIST:
      "\(printable(subject, limit: 4096)) exists and is not a link of this user to a pseudo-terminal; remove it, or change "
        + "sics.pty"
    case EROFS:
      "\(printable(subject, limit: 4096)): \(systemText(number)); the service may create the link in its runtime folder "
        + "only: set sics.pty to a name without a folder"
    default: "\(printable(subject, limit: 4096)): \(systemText(number))"
    }
  }
}
