import Glibc
import Linux
import Logging
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import Servers
@testable import Weighing

/// The server with real connections, and the deadlines of a connection by its own clock.
@Suite struct SICSServerTests {
  private static let identity = SICSIdentity(id: "bench", capacity: Grams(385), division: .gram)

  /// A server on a free port; stopped in its deinit.
  private final class Running {
    let server: SICSServer
    let port: UInt16
    private let loop = ServerLoop()

    init(perform: @escaping SICSServer.Performer = { _, _, completion in completion(nil) }) throws {
      let listening = Signal()
      final class Box: Sendable {
        let port = Mutex(UInt16(0))
      }
      let box = Box()
      server = SICSServer(
        SICSServer.Settings(endpoint: ("127.0.0.1", 0), terminal: nil, identity: identity), on: loop,
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        onListen: { _, number in
          box.port.withLock { $0 = number }
          listening.raise()
        }, perform: perform)
      server.start()
      try #require(listening.wait(milliseconds: 20_000))
      self.port = box.port.withLock { $0 }
    }

    deinit {
      server.stop()
      loop.stop()
    }
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

  private let loop = EmbeddedEventLoop()

  /// A client, and those it belongs to.
  private func makeClient() -> (client: SICSClient, clients: SICSClients) {
    let clients = SICSClients(
      SICSServer.Settings(endpoint: nil, terminal: nil, identity: Self.identity), on: ServerLoop(loop),
      readings: SICSReadings(),
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, perform: { _, _, completion in completion(nil) })
    let client = SICSClient(number: 1, isTerminal: false, identity: Self.identity, of: clients, at: Self.at(0))
    return (client, clients)
  }

  private static func at(_ seconds: Double) -> Instant { Instant(nanoseconds: 0) + .seconds(seconds) }

  private static func send(_ text: String, to client: SICSClient, at seconds: Double) {
    client.receive(text.utf8, at: at(seconds))
    client.feed(at: at(seconds))
  }

  @Test func aClientWithoutACommandExpires() {
    let (client, clients) = makeClient()
    #expect(client.nextDeadline == Self.at(60))
    // Empty lines and garbage are no command.
    Self.send("\r\n\r\nnothing\r\n", to: client, at: 59)
    var lines = 10
    _ = client.session.advance(nil, at: Self.at(59), mayAct: true, lines: &lines)
    #expect(!client.isExpired(at: Self.at(59.9)))
    #expect(client.isExpired(at: Self.at(60)))
    Self.send("I4\r\n", to: client, at: 59.9)
    _ = client.session.advance(nil, at: Self.at(59.9), mayAct: true, lines: &lines)
    #expect(!client.isExpired(at: Self.at(3600)))
    withExtendedLifetime(clients) {}
  }

  /// Further bytes of a line do not extend its time.
  @Test func halfALineExpires() {
    let (client, clients) = makeClient()
    for second in stride(from: 1.0, through: 9, by: 2) { Self.send("S", to: client, at: second) }
    #expect(client.nextDeadline == Self.at(11))
    #expect(!client.isExpired(at: Self.at(10.9)))
    #expect(client.isExpired(at: Self.at(11)))
    withExtendedLifetime(clients) {}
  }

  /// Holds what is to be sent, as a connection whose other side reads nothing.
  private final class Hold: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    var held: [EventLoopPromise<Void>?] = []

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) { held.append(promise) }
  }

  /// A client that reads nothing keeps a bounded amount of answers and lines, and expires.
  @Test func aClientThatReadsNothingIsBoundedAndExpires() throws {
    let (client, clients) = makeClient()
    let hold = Hold()
    let channel = EmbeddedChannel(handler: hold, loop: loop)
    client.begin(on: channel)
    let flood = String(repeating: "I0\r\n", count: 40)
    var lines = Int.max
    var rounds = 0
    while client.session.output.isEmpty || client.session.canReceive {
      Self.send(flood, to: client, at: 1)
      _ = client.session.advance(nil, at: Self.at(1), mayAct: true, lines: &lines)
      client.send(at: Self.at(1))
      #expect(client.session.output.count < 2048)
      #expect(client.session.reader.lines.count <= 16 + SICSLineReader.pieceBytes / 2)
      rounds += 1
      try #require(rounds < 10_000)
    }
    #expect(!client.isExpired(at: Self.at(10.9)))
    #expect(client.isExpired(at: Self.at(11)))
    // As soon as it was read, what follows gets its own time.
    for promise in hold.held { promise?.succeed() }
    client.send(at: Self.at(10))
    #expect(!client.isExpired(at: Self.at(11)))
    withExtendedLifetime(clients) {}
    _ = try channel.finish(acceptAlreadyClosed: true)
  }
}
