import FlyingFox
import FlyingSocks
import Foundation
import Glibc

/// Answers requests.
protocol ExchangeHandler: Sendable {
  func answer(to request: HTTPRequest) async -> ExchangeAnswer
}

/// The answer to a request.
enum ExchangeAnswer: Sendable {
  case response(HTTPResponse)
  /// The response, after which the connection is a WebSocket.
  case webSocket(HTTPResponse, SnapshotSession)
}

/// One connection: reads a request, sends the response, and reads the next request until either side closes.
struct Exchange: Sendable {
  /// The length of a streamed body. HTTP/1.1 sends it in chunks; HTTP/1.0 ends it by closing the connection.
  static let unknownLength = -1

  let socket: AsyncSocket
  let address: ClientAddress
  let identifier: UInt64
  let connections: ConnectionTable
  let limits: Limits
  let handler: any ExchangeHandler

  /// Serves until the connection ends.
  func run() async {
    var buffer: [UInt8] = []
    while !Task.isCancelled {
      connections.set(identifier, .receiving)
      do throws(RequestError) {
        let (head, body) = try await read(&buffer)
        connections.set(identifier, .responding)
        let request = HTTPRequest(
          method: HTTPMethod(head.method), version: .http11, path: head.path,
          query: head.query.isEmpty ? [] : [HTTPRequest.QueryItem(name: QueryString.name, value: head.query)],
          headers: HTTPHeaders(head.headers),
          body: HTTPBodySequence(data: Data(body)),
          remoteAddress: address.text.contains(":") ? .ip6(address.text, port: 0) : .ip4(address.text, port: 0))
        switch await handler.answer(to: request) {
        case .response(let response): guard await send(response, to: head) else { return }
        case .webSocket(let response, let session): return await serve(session, after: response, buffer)
        }
      } catch {
        guard let status = error.status else { return }
        let body = DashboardRouter.problem(error.rawValue, error.detail(limits))
        _ = await send(DashboardRouter.json(body, status), to: nil)
        await discardRest()
        return
      }
    }
  }

  /// Reads one request; bytes after it stay in the buffer.
  private func read(_ buffer: inout [UInt8]) async throws(RequestError) -> (RequestHead, body: ArraySlice<UInt8>) {
    var end: Int?
    var searched = 0
    while end == nil {
      end = Self.emptyLine(in: buffer, from: max(searched - 3, 0))
      searched = buffer.count
      guard (end ?? buffer.count) <= limits.headBytes else { throw .headTooLarge }
      if end == nil { try await fill(&buffer) }
    }
    let headEnd = end ?? 0
    let head = try RequestHead(buffer[..<headEnd], limits: limits)
    let bodyStart = headEnd + 4
    if head.expectsContinue, buffer.count < bodyStart + head.bodyLength {
      do {
        try await write(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8))
      } catch {
        throw .gone
      }
      connections.set(identifier, .receiving)
    }
    while buffer.count < bodyStart + head.bodyLength { try await fill(&buffer) }
    let body = Array(buffer[bodyStart..<(bodyStart + head.bodyLength)])
    buffer.removeSubrange(..<(bodyStart + head.bodyLength))
    return (head, body[...])
  }

  private func fill(_ buffer: inout [UInt8]) async throws(RequestError) {
    do {
      buffer += try await socket.read(atMost: 4096)
    } catch {
      throw .gone
    }
  }

  /// The position of CR LF CR LF.
  private static func emptyLine(in buffer: [UInt8], from start: Int) -> Int? {
    guard buffer.count >= start + 4 else { return nil }
    return (start...(buffer.count - 4)).first {
      buffer[$0] == 0x0d && buffer[$0 + 1] == 0x0a && buffer[$0 + 2] == 0x0d && buffer[$0 + 3] == 0x0a
    }
  }

  /// Reads a limited amount of what the client still sends after an error: closing with unread bytes would reset the
  /// connection, and the client might never see the response (RFC 9112, 9.6).
  private func discardRest() async {
    connections.set(identifier, .receiving)
    _ = shutdown(socket.socket.file.rawValue, Int32(SHUT_WR))
    var left = 1 << 20
    while left > 0, let bytes = try? await socket.read(atMost: 4096), !bytes.isEmpty { left -= bytes.count }
  }

  /// Serves a WebSocket until it ends.
  private func serve(_ session: SnapshotSession, after response: HTTPResponse, _ received: [UInt8]) async {
    do {
      try await write(Data((Self.head(of: response) + "\r\n").utf8))
    } catch {
      return
    }
    await WebSocketConnection(socket: socket, session: session, limits: limits) { [connections, identifier] isSending in
      connections.set(identifier, isSending ? .sending : .responding)
    }.run(received)
    // A client that has gone silent may keep its side open until the timeout, but not its place.
    session.end()
    await discardRest()
  }

  /// The status line and the headers of a response.
  private static func head(of response: HTTPResponse) -> String {
    var text = "HTTP/1.1 \(response.statusCode.code) \(response.statusCode.phrase)\r\n"
    for (header, value) in response.headers { text += "\(header.rawValue): \(value)\r\n" }
    return text
  }

  /// Sends a response piece by piece, each with a timeout; `false` if the connection ends with it.
  private func send(_ response: HTTPResponse, to head: RequestHead?) async -> Bool {
    guard case .httpBody(let body) = response.payload else { return false }
    let isStream = body.count == Self.unknownLength
    let isChunked = isStream && head?.hasChunks == true
    let keepsAlive = head?.keepsAlive == true && (!isStream || isChunked)
    var text = Self.head(of: response)
    if isChunked {
      text += "Transfer-Encoding: chunked\r\n"
    } else if !isStream, response.statusCode != .notModified {
      // The length in a 304 would be that of the 200. RFC 9110, 8.6
      text += "Content-Length: \(body.count ?? 0)\r\n"
    }
    text += keepsAlive ? "\r\n" : "Connection: close\r\n\r\n"
    do {
      try await write(Data(text.utf8))
      if head?.method == "HEAD" { return keepsAlive }
      // If a body fails while it is streamed, the connection ends without the last chunk, which tells the client that
      // it is incomplete.
      for try await piece in body where !piece.isEmpty { try await write(isChunked ? Self.chunk(piece) : piece) }
      if isChunked { try await write(Data("0\r\n\r\n".utf8)) }
      return keepsAlive
    } catch {
      return false
    }
  }

  /// A piece of a body as a chunk (RFC 9112, 7.1).
  private static func chunk(_ piece: Data) -> Data {
    Data("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Data("\r\n".utf8)
  }

  private func write(_ data: Data) async throws {
    connections.set(identifier, .sending)
    try await socket.write(data)
    connections.set(identifier, .responding)
  }
}
