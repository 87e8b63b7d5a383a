import Linux
import NIOCore
import Weighing

/// A client and its session, with the deadlines of its connection. On the loop.
final class SICSClient {
  /// Identifies the client; never used again.
  let number: UInt64
  /// Whether it is the one at the pseudo-terminal, which has no end.
  let isTerminal: Bool
  /// The conversation.
  var session: SICSSession
  /// When the client last sent something.
  private(set) var lastInput: Instant
  /// Orders the clients by their last answers.
  var lastTurn: UInt64 = 0
  private let connected: Instant
  private unowned let clients: SICSClients
  private var channel: (any Channel)?
  /// What has arrived and the session has no room for.
  private var input: [UInt8] = []
  /// Whether the client sends nothing more; it may still wait for answers.
  private var hasEnded = false
  private var isReading = false
  private var isWriting = false
  /// When output that the client does not read is given up.
  private var outputDeadline: Instant?

  /// A client that has sent no command is disconnected after this time.
  private static let firstCommandTime = Interval.seconds(60)
  private static let outputTime = Interval.seconds(10)
  /// What the client has to take in that time.
  private static let pieceBytes = 256
  /// Maximum number of bytes that wait for the session. Only a client that ends its side can exceed it.
  private static let inputCapacity = 1 << 16

  init(
    number: UInt64, isTerminal: Bool, identity: SICSIdentity, of clients: SICSClients, at now: Instant = .now()
  ) {
    (self.number, self.isTerminal, self.clients) = (number, isTerminal, clients)
    session = SICSSession(identity)
    (lastInput, connected) = (now, now)
  }

  // MARK: Connection

  /// The connection is open.
  func begin(on channel: any Channel) {
    self.channel = channel
    (isReading, isWriting) = (false, false)
    clients.add(self)
  }

  /// The connection has ended.
  func end(on channel: any Channel) {
    // The terminal may have another one by now.
    guard self.channel === channel else { return }
    self.channel = nil
    clients.remove(self)
  }

  /// Takes what the client sends.
  func receive(_ bytes: some Sequence<UInt8>, at now: Instant = .now()) {
    isReading = false
    lastInput = now
    if input.count < Self.inputCapacity { input += bytes }
    clients.countInput()
  }

  /// The client sends nothing more.
  func endInput() {
    hasEnded = true
    clients.requestRound()
  }

  /// Closes the connection.
  func close() {
    let closing = channel
    channel = nil
    closing?.close(promise: nil)
  }

  // MARK: Rounds

  /// Gives the session what it has room for.
  func feed(at now: Instant) {
    while !input.isEmpty, session.canReceive {
      session.receive(input.prefix(SICSLineReader.pieceBytes), at: now)
      input.removeFirst(min(SICSLineReader.pieceBytes, input.count))
    }
  }

  /// Asks for more input if the session has room for it.
  func read() {
    guard !isReading, !hasEnded, input.isEmpty, session.canReceive, let channel else { return }
    isReading = true
    channel.read()
  }

  /// Sends what waits, unless something is being sent.
  func send(at now: Instant) {
    guard !isWriting, !session.output.isEmpty, let channel else { return }
    isWriting = true
    outputDeadline = now + Self.outputTime
    var rest = ByteBuffer(bytes: session.output)
    while let piece = rest.readSlice(length: min(Self.pieceBytes, rest.readableBytes)), piece.readableBytes > 0 {
      let isLast = rest.readableBytes == 0
      channel.write(piece).assumeIsolated().whenSuccess { [self] in
        // What was given up is not sent any more.
        guard self.channel === channel else { return }
        session.removeOutput(piece.readableBytes)
        outputDeadline = isLast ? nil : .now() + Self.outputTime
        isWriting = !isLast
        if isLast { clients.requestRound() }
      }
    }
    channel.flush()
  }

  /// Whether a line can be answered in the next round.
  var hasLines: Bool { session.canAdvance || (session.canReceive && !input.isEmpty) }

  /// Whether the client sends nothing more and has all its answers.
  var isFinished: Bool { hasEnded && input.isEmpty && !session.isBusy && session.output.isEmpty }

  /// When the client needs attention.
  var nextDeadline: Instant? {
    [firstCommandDeadline, session.nextDeadline, session.reader.deadline, outputDeadline].compactMap(\.self).min()
  }

  private var firstCommandDeadline: Instant? {
    isTerminal || session.isProven ? nil : connected + Self.firstCommandTime
  }

  /// Whether a deadline has passed. At the pseudo-terminal what is late is discarded instead.
  func isExpired(at now: Instant) -> Bool {
    let isLineLate = session.reader.deadline.map { $0 <= now } == true
    let isOutputLate = outputDeadline.map { $0 <= now } == true
    guard isTerminal else { return isLineLate || isOutputLate || firstCommandDeadline.map { $0 <= now } == true }
    if isLineLate { session.discardPartialLine() }
    if isOutputLate {
      session.discardOutput()
      (input, outputDeadline) = ([], nil)
      close()
      clients.reopenTerminal(for: self)
    }
    return false
  }
}
