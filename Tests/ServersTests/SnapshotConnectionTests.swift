import Messages
import NIOCore
import NIOEmbedded
import NIOWebSocket
import Synchronization
import Testing

@testable import Servers
@testable import Weighing

/// The frames of a client, byte by byte.
struct SnapshotConnectionTests {
  /// What the server does with what a client sends. An unknown command has a reply, and a `tare` has none. Masses are left out.
  enum Event: Hashable {
    case tare
    /// The type.
    case text(String)
    case pong([UInt8])
    /// The status code, if there is one.
    case close(UInt16?)
  }

  /// A connection in memory.
  private final class Connection {
    private let loop = EmbeddedEventLoop()
    private let channel: EmbeddedChannel
    private let tares = Counter()
    private var output = ByteBuffer()
    private(set) var masses = 0
    private(set) var events: [Event] = []

    private final class Counter: Sendable {
      let count = Mutex(0)
      let waiting = Mutex<[@Sendable (SnapshotError?) -> Void]>([])
    }

    /// - Parameter isSlow: Whether actions end only with `endActions`.
    init(isSlow: Bool = false) throws {
      channel = EmbeddedChannel(loop: loop)
      let source = SnapshotSource(
        scale: { ScaleSnapshot() },
        perform: { [tares] _, completion in
          tares.count.withLock { $0 += 1 }
          if isSlow { tares.waiting.withLock { $0.append(completion) } } else { completion(nil) }
        }, start: Instant(nanoseconds: 0), registration: ViewerRegistration {})
      let decoder = ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: SnapshotConnection.maximumBytes))
      let connection = SnapshotConnection(
        source, on: ServerLoop(loop), limits: Limits(), onSending: { _ in }, onEnd: {})
      try channel.pipeline.syncOperations.addHandlers([WebSocketFrameEncoder(), decoder, connection])
      channel.pipeline.fireChannelActive()
    }

    deinit { _ = try? channel.finish(acceptAlreadyClosed: true) }

    /// Sends bytes, and collects what follows from them.
    func send(_ bytes: [UInt8]) throws {
      let before = tares.count.withLock { $0 }
      channel.pipeline.fireChannelRead(ByteBuffer(bytes: bytes))
      channel.pipeline.fireChannelReadComplete()
      try collect(before)
    }

    /// Ends the oldest action.
    func endAction() throws {
      tares.waiting.withLock { $0.removeFirst() }(nil)
      try collect(tares.count.withLock { $0 })
    }

    /// Lets time pass.
    func advance(_ milliseconds: Int64) throws {
      loop.advanceTime(by: .milliseconds(milliseconds))
      try collect(tares.count.withLock { $0 })
    }

    private func collect(_ before: Int) throws {
      loop.advanceTime(by: .microseconds(1))
      events += Array(repeating: .tare, count: tares.count.withLock { $0 } - before)
      // A frame can come in parts.
      while var part = try channel.readOutbound(as: ByteBuffer.self) { output.writeBuffer(&part) }
      while let head = output.readInteger(as: UInt16.self) {
        var length = Int(head & 0x7f)
        if length == 126 { length = Int(output.readInteger(as: UInt16.self) ?? 0) }
        guard var payload = output.readSlice(length: length) else { break }
        switch head >> 8 & 0x0f {
        case 1:
          let type = try JSONValue(Array(payload.readableBytesView), maximumBytes: 1024)["type"]?.text
          if let type { events.append(.text(type)) } else { masses += 1 }
        case 8: events.append(.close(payload.readInteger()))
        case 10: events.append(.pong(Array(payload.readableBytesView)))
        default: Issue.record("an unexpected frame")
        }
      }
    }
  }

  /// A masked frame with a short length.
  private static func frame(_ first: UInt8, _ payload: [UInt8], mask: [UInt8] = [1, 2, 3, 4]) -> [UInt8] {
    var bytes: [UInt8] = [first]
    if payload.count < 126 {
      bytes.append(0x80 | UInt8(payload.count))
    } else {
      bytes += [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xff)]
    }
    bytes += mask
    for (index, byte) in payload.enumerated() { bytes.append(byte ^ mask[index % 4]) }
    return bytes
  }

  private static func text(_ text: String) -> [UInt8] { frame(0x81, Array(text.utf8)) }

  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    let events: [Event]
  }

  static let cases: [Case] = [
    Case(testDescription: "a text", bytes: text("tare"), events: [.tare]),
    Case(testDescription: "an empty text", bytes: text(""), events: [.text("error")]),
    Case(testDescription: "two texts", bytes: text("a") + text("b"), events: [.text("error"), .text("error")]),
    Case(
      testDescription: "126 bytes", bytes: text(String(repeating: "x", count: 126)),
      events: [.text("error")]),
    Case(
      testDescription: "the longest", bytes: text(String(repeating: "x", count: 512)),
      events: [.text("error")]),
    Case(testDescription: "too long", bytes: text(String(repeating: "x", count: 513)), events: [.close(1009)]),
    Case(testDescription: "a length of 64 bits", bytes: [0x81, 0xff, 0, 0, 0, 0, 0, 1, 0, 0], events: [.close(1009)]),
    Case(testDescription: "not masked", bytes: [0x81, 0x01, 0x61], events: [.close(1002)]),
    Case(testDescription: "a reserved bit", bytes: frame(0xc1, []), events: [.close(1002)]),
    Case(testDescription: "an unknown opcode", bytes: frame(0x83, []), events: [.close(1002)]),
    Case(testDescription: "binary", bytes: frame(0x82, [1]), events: [.close(1003)]),
    Case(testDescription: "not UTF-8", bytes: frame(0x81, [0xff]), events: [.close(1007)]),
    Case(
      testDescription: "in three parts, with a ping between",
      bytes: frame(0x01, Array("ta".utf8)) + frame(0x89, [7]) + frame(0x00, []) + frame(0x80, Array("re".utf8)),
      events: [.pong([7]), .tare]),
    Case(
      testDescription: "parts that are too long together",
      bytes: frame(0x01, [UInt8](repeating: 0x61, count: 400)) + frame(0x80, [UInt8](repeating: 0x61, count: 113)),
      events: [.close(1009)]),
    Case(testDescription: "a part without a beginning", bytes: frame(0x80, []), events: [.close(1002)]),
    Case(
      testDescription: "a text within a text", bytes: frame(0x01, []) + frame(0x81, []),
      events: [.close(1002)]),
    Case(testDescription: "a ping in parts", bytes: frame(0x09, []), events: [.close(1002)]),
    Case(testDescription: "a long ping", bytes: [0x89, 0xfe, 0, 126], events: [.close(1002)]),
    Case(testDescription: "a pong", bytes: frame(0x8a, []), events: []),
    Case(
      testDescription: "a close, and nothing after it", bytes: frame(0x88, [0x03, 0xe8]) + text("a"),
      events: [.close(1000)]),
    Case(testDescription: "a close without a code", bytes: frame(0x88, []), events: [.close(nil)]),
    Case(testDescription: "a close with half a code", bytes: frame(0x88, [3]), events: [.close(1002)]),
  ]

  /// The first mass comes at once, then at the rate of the client: 2 a second until it chooses another, which holds at once.
  @Test func sendsTheMassAtTheRateOfTheClient() throws {
    let connection = try Connection()
    try connection.send([])
    #expect(connection.masses == 1)
    try connection.advance(1000)
    #expect(connection.masses == 3)
    try connection.send(Self.text("rate 10k"))
    try connection.advance(1000)
    #expect(connection.masses == 13 && connection.events == [.text("rate")])
    // A client that keeps changing the rate gets the mass, too.
    for _ in 0..<20 {
      try connection.send(Self.text("rate 5k") + Self.text("rate 2k"))
      try connection.advance(50)
    }
    #expect(connection.masses > 14)
  }

  /// A command that waits for its action delays the replies to later ones, and nothing else.
  @Test func answersInOrderWhileAnActionIsUnderWay() throws {
    let connection = try Connection(isSlow: true)
    try connection.send(Self.text(#"{"tare":true}"#) + Self.text("rate 10k") + Self.text("dance"))
    try connection.advance(500)
    #expect(connection.events == [.tare] && connection.masses >= 5)
    try connection.endAction()
    #expect(connection.events == [.tare, .text("status"), .text("rate"), .text("error")])
  }

  /// All commands of a burst have a reply, however many there are.
  @Test func answersALargeBurst() throws {
    let connection = try Connection()
    try connection.send((0..<300).flatMap { Self.text($0 % 2 == 0 ? "status" : "rate 5k") })
    try connection.advance(10)
    #expect(connection.events == (0..<300).map { .text($0 % 2 == 0 ? "status" : "rate") })
  }

  /// However the bytes are divided, the result is the same.
  @Test(arguments: cases, [Int.max, 1, 3])
  func answers(_ it: Case, _ pieceBytes: Int) throws {
    let connection = try Connection()
    var rest = it.bytes[...]
    while !rest.isEmpty {
      try connection.send(Array(rest.prefix(pieceBytes)))
      rest = rest.dropFirst(pieceBytes)
    }
    #expect(Set(connection.events) == Set(it.events) && connection.events.count == it.events.count)
  }
}
