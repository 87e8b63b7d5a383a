import EventLoop
import Glibc
import Weighing

/// A connection and its session, with the deadlines of the connection.
final class SICSClient {
  /// Identifies the client; never used again, unlike the descriptor.
  let number: UInt64
  /// Whether it is the pseudo-terminal, which has no end.
  let isTerminal: Bool
  /// The conversation.
  var session: SICSSession
  /// When the client last sent something.
  private(set) var lastInput: Instant
  /// Whether the client sends nothing more; it may still wait for answers.
  private(set) var hasEnded = false
  private let connection: Connection
  private let connected: Instant
  private var watched: Poller.Readiness?
  /// Orders the clients by their last answers.
  var lastTurn: UInt64 = 0
  /// When output that the client does not read is given up.
  private var outputDeadline: Instant?

  private enum Connection {
    case socket(SICSListener.Connection)
    case terminal(PseudoTerminal)
  }

  /// A client that has sent no command is disconnected after this time.
  private static let firstCommandTime = Interval.seconds(60)
  private static let outputTime = Interval.seconds(10)

  /// Makes a client of a connection.
  init(
    _ socket: SICSListener.Connection, number: UInt64, identity: SICSIdentity, isTerminal: Bool, at now: Instant
  ) {
    connection = .socket(socket)
    self.number = number
    self.isTerminal = isTerminal
    session = SICSSession(identity)
    (lastInput, connected) = (now, now)
  }

  /// Makes the client at a pseudo-terminal.
  init(_ terminal: PseudoTerminal, number: UInt64, identity: SICSIdentity, at now: Instant) {
    connection = .terminal(terminal)
    self.number = number
    isTerminal = true
    session = SICSSession(identity)
    (lastInput, connected) = (now, now)
  }

  /// The descriptor to wait for.
  var descriptor: Int32 {
    switch connection {
    case .socket(let socket): socket.descriptor
    case .terminal(let terminal): terminal.descriptor
    }
  }

  private var interest: Poller.Readiness {
    // The end of what the client sends would wake the thread all the time, so only its edge does.
    if hasEnded { return session.output.isEmpty ? [] : [.writable, .once] }
    var interest: Poller.Readiness = []
    if session.canReceive { interest.insert(.readable) }
    if !session.output.isEmpty { interest.insert(.writable) }
    return interest
  }

  /// What to wait for, if it has changed since the last call.
  func changedInterest() -> Poller.Readiness? {
    let new = interest
    guard new != watched else { return nil }
    watched = new
    return new
  }

  /// Whether a line can be answered in the next round.
  var hasLines: Bool { session.canAdvance }

  /// Whether the client sends nothing more and has all its answers.
  var isFinished: Bool { hasEnded && !session.isBusy && session.output.isEmpty }

  /// When the client needs attention.
  var nextDeadline: Instant? {
    var earliest = firstCommandDeadline
    for deadline in [session.nextDeadline, session.reader.deadline, outputDeadline] {
      if let deadline { earliest = min(earliest ?? deadline, deadline) }
    }
    return earliest
  }

  private var firstCommandDeadline: Instant? {
    isTerminal || session.isProven ? nil : connected + Self.firstCommandTime
  }

  /// Reads what is there, up to a limit; `false` if the connection has ended. read(2)
  func receive(at now: Instant) -> Bool {
    guard session.canReceive else { return true }
    var buffer = [UInt8](repeating: 0, count: SICSLineReader.pieceBytes)
    let count = read(descriptor, &buffer, buffer.count)
    if count > 0 {
      session.receive(buffer.prefix(count), at: now)
      lastInput = now
      return true
    }
    if count == 0 {
      hasEnded = !isTerminal
      return true
    }
    return errno == EAGAIN || errno == EINTR || isTerminal
  }

  /// Sends what the client takes; `false` if the connection has ended. send(2), write(2)
  func send(at now: Instant) -> Bool {
    guard !session.output.isEmpty else {
      outputDeadline = nil
      return true
    }
    let output = session.output
    let count =
      isTerminal
      ? write(descriptor, output, output.count)
      : Glibc.send(descriptor, output, output.count, Int32(MSG_NOSIGNAL))
    if count > 0 {
      session.removeOutput(count)
      outputDeadline = session.output.isEmpty ? nil : now + Self.outputTime
      return true
    }
    outputDeadline = outputDeadline ?? now + Self.outputTime
    return errno == EAGAIN || errno == EINTR || isTerminal
  }

  /// Whether a deadline has passed. The pseudo-terminal discards what is late instead.
  func isExpired(at now: Instant) -> Bool {
    let isLineLate = session.reader.deadline.map { $0 <= now } == true
    let isOutputLate = outputDeadline.map { $0 <= now } == true
    guard isTerminal else {
      return isLineLate || isOutputLate || firstCommandDeadline.map { $0 <= now } == true
    }
    if isLineLate { session.discardPartialLine() }
    if isOutputLate {
      session.discardOutput()
      outputDeadline = nil
      _ = tcflush(descriptor, TCIOFLUSH)
    }
    return false
  }
}
