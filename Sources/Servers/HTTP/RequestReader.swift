/// Reads the requests of a connection from its bytes, within limits.
struct RequestReader {
  private let limits: Limits
  private var buffer: [UInt8] = []
  /// Number of bytes in which there is no end of the headers.
  private var searched = 0
  /// The head of a request whose body has not arrived yet.
  private var head: RequestHead?
  private var awaitsContinue = false

  init(limits: Limits) { self.limits = limits }

  /// Whether further bytes are accepted. A client that sends faster than it is answered has to wait.
  var hasRoom: Bool { buffer.count < limits.headBytes + limits.settingsBytes }

  /// Adds bytes.
  mutating func append(_ bytes: some Sequence<UInt8>) { buffer += bytes }

  /// Removes and returns the first request; `nil` while it is not complete.
  mutating func next() throws(RequestError) -> (head: RequestHead, body: [UInt8])? {
    if head == nil { try readHead() }
    guard let head, buffer.count >= head.bodyLength else { return nil }
    let body = Array(buffer.prefix(head.bodyLength))
    buffer.removeFirst(head.bodyLength)
    (self.head, searched, awaitsContinue) = (nil, 0, false)
    return (head, body)
  }

  /// Whether the client waits for 100 Continue; once for a request.
  mutating func takeContinue() -> Bool {
    defer { awaitsContinue = false }
    return awaitsContinue
  }

  /// Removes and returns what follows the last request.
  mutating func takeRest() -> [UInt8] {
    defer { buffer = [] }
    return buffer
  }

  /// Reads the head if it has arrived.
  private mutating func readHead() throws(RequestError) {
    let end = emptyLine(from: max(searched - 3, 0))
    searched = buffer.count
    guard (end ?? buffer.count) <= limits.headBytes else { throw .headTooLarge }
    guard let end else { return }
    let new = try RequestHead(buffer[..<end], limits: limits)
    buffer.removeFirst(end + 4)
    (head, awaitsContinue) = (new, new.expectsContinue && buffer.count < new.bodyLength)
  }

  /// The position of CR LF CR LF.
  private func emptyLine(from start: Int) -> Int? {
    guard buffer.count >= start + 4 else { return nil }
    return (start...(buffer.count - 4)).first {
      buffer[$0] == 0x0d && buffer[$0 + 1] == 0x0a && buffer[$0 + 2] == 0x0d && buffer[$0 + 3] == 0x0a
    }
  }
}
