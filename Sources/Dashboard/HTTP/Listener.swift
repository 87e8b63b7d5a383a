import FlyingSocks
import Glibc

/// A socket that listens on an address.
struct Listener: Sendable {
  let descriptor: Int32

  /// Maximum number of connections that wait in the kernel; TCP makes further clients retry.
  private static let backlog: Int32 = 128

  /// Listens; socket(2), bind(2), listen(2).
  ///
  /// - Parameters:
  ///   - address: An IPv4 or IPv6 address.
  ///   - port: 0 for any free one.
  init(address: String, port: UInt16) throws(ListenError) {
    let endpoint = address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
    let family = address.contains(":") ? AF_INET6 : AF_INET
    let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    descriptor = socket(family, type, 0)
    guard descriptor >= 0 else { throw ListenError(subject: endpoint, number: errno) }
    var yes: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var result: Int32 = -1
    do {
      if family == AF_INET6 {
        result = try sockaddr_in6.inet6(ip6: address, port: port).withSockAddr { bind(descriptor, $0, $1) }
      } else {
        result = try sockaddr_in.inet(ip4: address, port: port).withSockAddr { bind(descriptor, $0, $1) }
      }
    } catch {
      errno = EINVAL
    }
    guard result == 0, listen(descriptor, Self.backlog) == 0 else {
      let number = errno
      close(descriptor)
      throw ListenError(subject: endpoint, number: number)
    }
  }

  /// The port it listens on; getsockname(2).
  var port: UInt16 {
    switch try? Socket(file: .init(rawValue: descriptor)).sockname() {
    case .ip4(_, let port), .ip6(_, let port): port
    case .unix, nil: 0
    }
  }

  /// Accepts one connection and returns it with the client's address; `nil` if none is waiting. accept(2)
  ///
  /// - Throws: If there are not enough descriptors or not enough memory; retry later.
  func accept(sendBuffer: Int32) throws(ListenError) -> (descriptor: Int32, address: ClientAddress)? {
    while true {
      var storage = sockaddr_storage()
      var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
      let client = withUnsafeMutablePointer(to: &storage) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.accept(descriptor, $0, &length) }
      }
      if client >= 0 {
        guard let address = ClientAddress(storage) else {
          close(client)
          continue
        }
        _ = fcntl(client, F_SETFD, FD_CLOEXEC)
        var (yes, size): (Int32, Int32) = (1, sendBuffer)
        setsockopt(client, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        setsockopt(client, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        return (client, address)
      }
      switch errno {
      case EAGAIN: return nil
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: throw ListenError(subject: "a connection", number: errno)
      // The client has gone already, or the network has a fault that affects only this connection (accept(2), NOTES).
      default: continue
      }
    }
  }
}

/// Why the server cannot listen or accept a connection.
package struct ListenError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The address, or what else failed.
  package var subject: String
  /// errno(3).
  package var number: Int32

  /// What failed, on what, and what to do.
  package var description: String {
    let reason = String(cString: strerror(number))
    return switch number {
    case EADDRINUSE: "\(subject) is in use by another program; stop that program, or change dashboard.port"
    case EACCES: "\(subject): no permission; set dashboard.port to 1024 or higher"
    case EADDRNOTAVAIL: "\(subject) is not an address of this machine; change dashboard.address"
    default: "\(subject): \(reason)"
    }
  }
}
