import Foundation
import Glibc
import Testing

/// A client that sends what it likes over TCP, and is as slow as it likes.
final class RawClient: Sendable {
  private let socket: Int32

  init(_ port: UInt16) throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(result == 0, "connect: \(String(cString: strerror(errno)))")
  }

  deinit { close(socket) }

  /// Lets the connection be reset instead of closed when the client is released.
  func reset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  /// Sends a text; `false` when the other side has closed.
  @discardableResult
  func send(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }

  /// Reads until the other side closes the connection, or until `enough` returns true.
  ///
  /// Waits on a separate thread, because the server uses those of Swift's concurrency.
  func read(
    within limit: Duration = .seconds(60), until enough: @escaping @Sendable (String) -> Bool = { _ in false }
  ) async -> (text: String, isClosed: Bool) {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: self.wait(limit, enough)) }
    }
  }

  private func wait(_ limit: Duration, _ enough: (String) -> Bool) -> (text: String, isClosed: Bool) {
    let deadline = ContinuousClock.now + limit
    var bytes: [UInt8] = []
    while true {
      let text = String(decoding: bytes, as: UTF8.self)
      let left = ContinuousClock.now.duration(to: deadline)
      if enough(text) || left <= .zero { return (text, false) }
      var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      let milliseconds = left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000 + 1
      guard poll(&entry, 1, Int32(milliseconds)) > 0 else { continue }
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      let count = recv(socket, &buffer, buffer.count, 0)
      if count <= 0 { return (text, true) }
      bytes += buffer[..<count]
    }
  }

  /// The answer to a request, as text with its head.
  static func ask(_ port: UInt16, _ text: String) async throws -> String {
    let client = try RawClient(port)
    client.send(text)
    return await client.read().text
  }

  /// A request with a head of lines, after which the connection closes.
  static func request(
    _ port: UInt16, _ line: String, _ headers: [String] = [], host: String? = nil, body: String = ""
  ) async throws -> String {
    let lines = ["\(line) HTTP/1.1", "Host: \(host ?? "127.0.0.1:\(port)")", "Connection: close"] + headers
    let length = body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"]
    return try await ask(port, (lines + length).joined(separator: "\r\n") + "\r\n\r\n" + body)
  }
}

extension String {
  /// The status of an answer.
  var status: Int { Int(split(separator: " ").dropFirst().first ?? "") ?? 0 }
}
