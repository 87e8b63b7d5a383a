import FlyingFox
import FlyingSocks
import Foundation

/// One connection: reads a request, has it answered, and begins anew, until either side has had enough.
struct Exchange: Sendable {
  let socket: AsyncSocket
  let place: UInt64
  let places: Places
  let limits: Limits
  let handler: any HTTPHandler

  /// Serves until the connection ends.
  func run() async {
    var buffer: [UInt8] = []
    while !Task.isCancelled {
      places.set(place, .asking)
      do throws(RequestFault) {
        let (head, body) = try await read(&buffer)
        places.set(place, .answering)
        let request = HTTPRequest(
          method: HTTPMethod(head.method), version: .http11, path: head.path, query: [], headers: head.headers,
          body: Data(body))
        let response = (try? await handler.handleRequest(request)) ?? HTTPResponse(statusCode: .internalServerError)
        guard await send(response, to: head), head.keepsAlive else { return }
      } catch {
        if let status = error.status { _ = await send(HTTPResponse(statusCode: status), to: nil) }
        return
      }
    }
  }

  /// Reads one request; what is behind it stays in the buffer.
  private func read(_ buffer: inout [UInt8]) async throws(RequestFault) -> (RequestHead, body: ArraySlice<UInt8>) {
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
    while buffer.count < bodyStart + head.bodyLength { try await fill(&buffer) }
    let body = Array(buffer[bodyStart..<(bodyStart + head.bodyLength)])
    buffer.removeSubrange(..<(bodyStart + head.bodyLength))
    return (head, body[...])
  }

  private func fill(_ buffer: inout [UInt8]) async throws(RequestFault) {
    do {
      buffer += try await socket.read(atMost: 4096)
    } catch {
      throw .gone
    }
  }

  /// Where CR LF CR LF begins.
  private static func emptyLine(in buffer: [UInt8], from start: Int) -> Int? {
    guard buffer.count >= start + 4 else { return nil }
    return (start...(buffer.count - 4)).first {
      buffer[$0] == 0x0d && buffer[$0 + 1] == 0x0a && buffer[$0 + 2] == 0x0d && buffer[$0 + 3] == 0x0a
    }
  }

  /// Sends an answer piece by piece, each in its time; `false` where the connection is of no use any more.
  private func send(_ response: HTTPResponse, to head: RequestHead?) async -> Bool {
    guard case .httpBody(let body) = response.payload else { return false }
    var text = "HTTP/1.1 \(response.statusCode.code) \(response.statusCode.phrase)\r\n"
    for (header, value) in response.headers { text += "\(header.rawValue): \(value)\r\n" }
    text += body.count.map { "Content-Length: \($0)\r\n" } ?? "Transfer-Encoding: chunked\r\n"
    text += head?.keepsAlive == true ? "\r\n" : "Connection: close\r\n\r\n"
    do {
      try await write(Data(text.utf8))
      if head?.method == "HEAD" { return true }
      for try await piece in body { try await write(piece) }
      return true
    } catch {
      return false
    }
  }

  private func write(_ data: Data) async throws {
    places.set(place, .sending)
    try await socket.write(data)
    places.set(place, .answering)
  }
}
