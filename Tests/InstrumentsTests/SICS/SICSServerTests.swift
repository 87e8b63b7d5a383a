import EventLoop
import Glibc
import Logging
import Synchronization
import Testing

@testable import Instruments
@testable import Weighing

/// The server with real connections, and the deadlines of a connection by its own clock.
@Suite struct SICSServerTests {
  private static let identity = SICSIdentity(id: "bench", capacity: Grams(385), division: .gram)

  /// A server on a free port; stopped in its deinit.
  private final class Running {
    let server: SICSServer
    let port: UInt16

    init(perform: @escaping SICSServer.Performer = { _, _, completion in completion(nil) }) throws {
      let listening = Signal()
      final class Box: Sendable {
        let port = Mutex(UInt16(0))
      }
      let box = Box()
      server = SICSServer(
        SICSServer.Settings(endpoint: ("127.0.0.1", 0), terminal: nil, identity: identity),
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        onListen: { _, number in
          box.port.withLock { $0 = number }
          listening.raise()
        }, perform: perform)
      server.start()
      try #require(listening.wait(milliseconds: 20_000))
      self.port = box.port.withLock { $0 }
    }

    deinit { server.stop() }
  }

  /// Of more clients than there may be, those that have sent no command give way first, the oldest before the others.
  @Test func dropsTheOldestSilentClients() throws {
    let running = try Running()
    let proven = try #require(LineSocket(port: running.port))
    proven.send("I4\r\n")
    #expect(proven.line() == "I4 A \"bench\"")
    var silent: [LineSocket] = []
    for _ in 0..<200 { silent.append(try #require(LineSocket(port: running.port))) }
    // The newest one is served, so all are accepted.
    let newest = try #require(silent.last)
    newest.send("I4\r\n")
    #expect(newest.line() == "I4 A \"bench\"")
    proven.send("I4\r\n")
    #expect(proven.line() == "I4 A \"bench\"")
    // The first ones are closed; those after them are still served.
    #expect(silent.first?.receive() == [])
    let served = silent.map { client in
      client.send("I4\r\n")
      return client.line() == "I4 A \"bench\""
    }
    let count = served.count { $0 }
    #expect((3...127).contains(count))
    #expect(served == Array(repeating: false, count: 200 - count) + Array(repeating: true, count: count))
  }

  /// A program that sends its commands and closes its side, as netcat does, gets every answer however slowly it reads.
  @Test func answersAClientThatHasEnded() throws {
    let running = try Running()
    let client = try #require(LineSocket(port: running.port))
    #expect(client.send(String(repeating: "I0\r\n", count: 100)))
    client.endSending()
    var lines = 0
    while let line = client.line() {
      #expect(line.hasPrefix("I0 "))
      lines += 1
    }
    #expect(lines == 100 * SICSCommand.list.count)
  }

  /// A client that leaves before its answer does not disturb others, nor the answer to its action.
  @Test func survivesAClientThatLeaves() throws {
    let performed = Signal()
    final class Box: Sendable {
      let completions = Mutex<[@Sendable (ActionResult?) -> Void]>([])
    }
    let box = Box()
    let running = try Running { action, _, completion in
      #expect(action == .zero)
      box.completions.withLock { $0.append(completion) }
      performed.raise()
    }
    var leaving = LineSocket(port: running.port)
    leaving?.send("Z\r\nI0\r\nI0\r\n")
    #expect(performed.wait(milliseconds: 20_000))
    leaving = nil
    let other = try #require(LineSocket(port: running.port))
    other.send("I4\r\n")
    #expect(other.line() == "I4 A \"bench\"")
    for completion in box.completions.withLock({ $0 }) { completion(nil) }
    other.send("I4\r\n")
    #expect(other.line() == "I4 A \"bench\"")
  }

  @Test func stopClosesTheConnections() throws {
    let running = try Running()
    let client = try #require(LineSocket(port: running.port))
    client.send("I4\r\n")
    #expect(client.line() == "I4 A \"bench\"")
    running.server.stop()
    #expect(client.receive() == [])
    #expect(LineSocket(port: running.port) == nil)
  }

  // MARK: Deadlines

  /// A client and the other end of its connection.
  private static func pair() throws -> (client: SICSClient, other: SICSListener.Connection) {
    var ends: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &ends) == 0)
    guard let near = Descriptor(ends[0]), let far = Descriptor(ends[1]) else { fatalError("no descriptors") }
    let client = SICSClient(
      SICSListener.Connection(near), number: 1, identity: identity, isTerminal: false, at: at(0))
    return (client, SICSListener.Connection(far))
  }

  private static func at(_ seconds: Double) -> Instant { Instant(nanoseconds: 0) + .seconds(seconds) }

  private static func send(_ text: String, to other: SICSListener.Connection) {
    let bytes = Array(text.utf8)
    #expect(write(other.descriptor, bytes, bytes.count) == bytes.count)
  }

  @Test func aClientWithoutACommandExpires() throws {
    let (client, other) = try Self.pair()
    #expect(client.nextDeadline == Self.at(60))
    // Empty lines and garbage are no command.
    Self.send("\r\n\r\nnothing\r\n", to: other)
    #expect(client.receive(at: Self.at(59)))
    var lines = 10
    _ = client.session.advance(nil, at: Self.at(59), mayAct: true, lines: &lines)
    #expect(!client.isExpired(at: Self.at(59.9)))
    #expect(client.isExpired(at: Self.at(60)))
    Self.send("I4\r\n", to: other)
    #expect(client.receive(at: Self.at(59.9)))
    _ = client.session.advance(nil, at: Self.at(59.9), mayAct: true, lines: &lines)
    #expect(!client.isExpired(at: Self.at(3600)))
  }

  /// Further bytes of a line do not extend its time.
  @Test func halfALineExpires() throws {
    let (client, other) = try Self.pair()
    for second in stride(from: 1.0, through: 9, by: 2) {
      Self.send("S", to: other)
      #expect(client.receive(at: Self.at(second)))
    }
    #expect(client.nextDeadline == Self.at(11))
    #expect(!client.isExpired(at: Self.at(10.9)))
    #expect(client.isExpired(at: Self.at(11)))
  }

  /// A client that reads nothing keeps a bounded amount of answers and lines, and expires.
  @Test func aClientThatReadsNothingIsBoundedAndExpires() throws {
    let (client, other) = try Self.pair()
    let flood = Array(String(repeating: "I0\r\n", count: 4096).utf8)
    _ = write(other.descriptor, flood, flood.count)
    var lines = Int.max
    var rounds = 0
    while client.session.output.isEmpty || client.session.canReceive {
      #expect(client.receive(at: Self.at(1)))
      _ = client.session.advance(nil, at: Self.at(1), mayAct: true, lines: &lines)
      #expect(client.send(at: Self.at(1)))
      #expect(client.session.output.count < 2048)
      #expect(client.session.reader.lines.count <= 16 + SICSLineReader.pieceBytes / 2)
      _ = write(other.descriptor, flood, flood.count)
      rounds += 1
      try #require(rounds < 10_000)
    }
    #expect(!client.isExpired(at: Self.at(10.9)))
    #expect(client.isExpired(at: Self.at(11)))
    // As soon as something is read, it gets more time.
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    #expect(read(other.descriptor, &bytes, bytes.count) > 0)
    #expect(client.send(at: Self.at(10)))
    #expect(!client.isExpired(at: Self.at(11)))
  }
}
