import Configuration
import Glibc
import Languages
import Linux
import Messages
import Weighing

/// Requests to the dashboard of an appliance: HTTP/1.1 without TLS, with one connection for each request.
package struct DashboardClient: Sendable {
  /// The answer to a request.
  package struct Response: Hashable, Sendable {
    /// The status code.
    package var status: Int
    /// The body.
    package var body: [UInt8]

    /// The body as JSON; `nil` if it is not.
    package var json: JSONValue? { try? JSONValue(body, maximumBytes: DashboardClient.maximumBytes) }

    /// Why the dashboard has refused the request.
    package var complaint: Sentence { Sentence(json, "detail") ?? Sentence(.remoteStatus, ["status": status]) }
  }

  /// A name or an address, without brackets.
  package let host: String
  private let port: Int
  /// What actions from elsewhere need.
  package var token: String?

  /// The largest answer that is read.
  private static let maximumBytes = 1 << 20

  /// Makes a client from a URL: `http://HOST:PORT`, with the default port of HTTP; `nil` for everything else.
  ///
  package init?(url: String, token: String?) {
    guard url.hasPrefix("http://") else { return nil }
    var rest = url.dropFirst("http://".count)
    if rest.last == "/" { rest.removeLast() }
    guard !rest.contains(where: { "/?#@".contains($0) || $0.isWhitespace }) else { return nil }
    var port: Int? = 80
    // The colons of an IPv6 address are in brackets.
    if let colon = rest.lastIndex(of: ":"), !rest[colon...].contains("]") {
      port = UInt16(rest[rest.index(after: colon)...]).map(Int.init)
      rest = rest[..<colon]
    }
    if rest.first == "[", rest.last == "]" { rest = rest.dropFirst().dropLast() }
    guard let port, port > 0, !rest.isEmpty else { return nil }
    (host, self.port, self.token) = (String(rest), port, token)
  }

  /// Makes a client for an appliance on this machine; `nil` if its dashboard is disabled or its port is not fixed.
  package init?(_ dashboard: Configuration.Dashboard, token: String? = nil) {
    guard dashboard.isEnabled, dashboard.port > 0 else { return nil }
    (port, self.token) = (dashboard.port, token)
    host =
      switch dashboard.address {
      case "0.0.0.0": "127.0.0.1"
      case "::": "::1"
      default: dashboard.address  // any text
      }
  }

  /// Whether a host is this machine, whichever machine this is; `0.0.0.0` and `::` also connect to it.
  package static func isLoopback(_ host: String) -> Bool {
    var (four, six) = (in_addr(), in6_addr())
    let text = host.prefix { $0 != "%" }
    let address = String(text.hasPrefix("::ffff:") && text.contains(".") ? text.dropFirst(7) : text)
    if inet_aton(address, &four) == 1 { return [0, 127].contains(UInt32(bigEndian: four.s_addr) >> 24) }
    if inet_pton(AF_INET6, address, &six) == 1 {
      return withUnsafeBytes(of: &six) { $0.dropLast().allSatisfy { $0 == 0 } && $0[15] <= 1 }
    }
    // So are the names below localhost (RFC 6761, 6.3).
    return host.lowercased().split(separator: ".").last == "localhost"
  }

  private var authority: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  /// The URL of the dashboard.
  package var url: String { "http://\(authority)" }

  /// Sends a request.
  ///
  /// - Parameter method: By default POST if it has a body, else GET.
  /// - Throws: `DashboardClientError` if there is no complete answer in time.
  package func send(
    _ path: String, _ body: [UInt8]? = nil, method: String? = nil, within patience: Interval = .seconds(10)
  ) throws(DashboardClientError) -> Response {
    let name = url + path
    let method = method ?? (body == nil ? "GET" : "POST")
    var head = "\(method) \(path) HTTP/1.1\r\nHost: \(authority)\r\nConnection: close\r\n"
    if let token { head += "Authorization: Bearer \(token)\r\n" }
    if let body { head += "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n" }
    let socket = try connected(name, patience)
    defer { close(socket) }
    let request = Array((head + "\r\n").utf8) + (body ?? [])
    guard Glibc.send(socket, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
      throw DashboardClientError(name: name, reason: .verbatim(systemText(errno)))
    }
    let deadline = Instant.now() + patience
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < Self.maximumBytes, deadline.millisecondsAway > 0 {
      let count = recv(socket, &chunk, chunk.count, 0)
      if count <= 0 { break }
      bytes += chunk[..<count]
    }
    guard bytes.starts(with: "HTTP/1.1 ".utf8), let end = bytes.firstRange(of: "\r\n\r\n".utf8),
      let status = Int(String(decoding: bytes.dropFirst("HTTP/1.1 ".utf8.count).prefix(3), as: UTF8.self))
    else { throw DashboardClientError(name: name, reason: Sentence(.remoteSilent)) }
    return Response(status: status, body: Array(bytes[end.upperBound...]))
  }

  /// Connects to the first address that answers. `getaddrinfo(3)`
  private func connected(_ name: String, _ patience: Interval) throws(DashboardClientError) -> Int32 {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, "\(port)", &hints, &list) == 0 else {
      throw DashboardClientError(name: name, reason: Sentence(.remoteUnknownHost))
    }
    defer { freeaddrinfo(list) }
    var reason = Sentence(.remoteUnknownHost)
    var next = list
    while let entry = next?.pointee {
      next = entry.ai_next
      let socket = Glibc.socket(entry.ai_family, entry.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), 0)
      guard socket >= 0 else {
        reason = .verbatim(systemText(errno))
        continue
      }
      var limit = timeval(tv_sec: max(Int(patience.seconds), 1), tv_usec: 0)
      // SO_SNDTIMEO also applies to connect (socket(7)).
      for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
        setsockopt(socket, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
      }
      if connect(socket, entry.ai_addr, entry.ai_addrlen) == 0 { return socket }
      reason = .verbatim(systemText(errno))
      close(socket)
    }
    throw DashboardClientError(name: name, reason: reason)
  }
}

/// Why a dashboard does not answer.
package struct DashboardClientError: SentenceError, Hashable {
  /// The URL.
  package let name: String
  /// What is wrong.
  package let reason: Sentence

  package var sentence: Sentence { reason.about(name) }
}
