import Configuration
import EventLoop
import Glibc
import Weighing

/// Requests a page from the dashboard of an appliance on this machine.
struct DashboardQuery {
  private let address: String
  private let port: Int

  /// Makes a query from the configuration; `nil` if the dashboard is disabled or its port is not fixed.
  init?(_ dashboard: Configuration.Dashboard) {
    guard dashboard.isEnabled, dashboard.port > 0 else { return nil }
    port = dashboard.port
    address =
      switch dashboard.address {
      case "0.0.0.0": "127.0.0.1"
      case "::": "::1"
      default: dashboard.address  // any text
      }
  }

  /// The body of the response.
  ///
  /// - Throws: `.program` if there is no response within two seconds.
  func get(_ path: String) throws(BackupError) -> [UInt8] {
    let host = address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
    let name = "http://\(host)\(path)"
    let socket = try connected(name)
    defer { close(socket) }
    let request = "GET \(path) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n"
    guard send(socket, request, request.utf8.count, Int32(MSG_NOSIGNAL)) == request.utf8.count else {
      throw .program(name, systemText(errno))
    }
    let deadline = Instant.now() + .seconds(2)
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < 1 << 20, deadline.millisecondsAway > 0 {
      let count = recv(socket, &chunk, chunk.count, 0)
      if count <= 0 { break }
      bytes += chunk[..<count]
    }
    guard bytes.starts(with: "HTTP/1.1 ".utf8), let head = bytes.firstRange(of: "\r\n\r\n".utf8) else {
      throw .program(name, "no response")
    }
    return Array(bytes[head.upperBound...])
  }

  private func connected(_ name: String) throws(BackupError) -> Int32 {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(address, "\(port)", &hints, &list) == 0, let entry = list?.pointee else {
      throw .program(name, "invalid address")
    }
    defer { freeaddrinfo(list) }
    let socket = Glibc.socket(entry.ai_family, entry.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { throw .program(name, systemText(errno)) }
    var patience = timeval(tv_sec: 2, tv_usec: 0)
    // SO_SNDTIMEO also applies to connect (socket(7)).
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(socket, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
    }
    guard connect(socket, entry.ai_addr, entry.ai_addrlen) == 0 else {
      let code = errno
      close(socket)
      throw .program(name, systemText(code))
    }
    return socket
  }
}
