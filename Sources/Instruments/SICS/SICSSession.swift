import Weighing

/// The conversation with one client; a value without input and output.
///
/// ```
///   idle ── S, SC ──► waiting for rest ── rest, or the deadline ──► idle
///    │ └─── T, Z, TAC, @ ──► waiting for the scale ── finish ─────► idle
///    └ SIR, SR: lines on their own, until S, SI, SIR, SR or @
/// ```
/// Lines are answered in their order; `@` overtakes those before it.
struct SICSSession: Sendable {
  /// An action that the scale has to decide on.
  struct Order: Hashable, Sendable {
    var action: Action
    /// Identifies the order in `finish`.
    var number: UInt64
  }

  private enum Wait: Sendable {
    case none
    /// Until the load is at rest. At the deadline a query for a stable net is answered with `S I`.
    case rest(isStableOnly: Bool, deadline: Instant)
    case scale(SICSCommand, number: UInt64)
  }

  private enum Stream: Sendable {
    case none
    case repeated(next: Instant)
    /// The last net at rest, `nil` until there is one, and whether the next net at rest is due.
    case onChange(grams: Double?, last: DisplayedMass?, awaitsRest: Bool)
  }

  /// The identity of the scale.
  var identity: SICSIdentity
  private(set) var reader = SICSLineReader()
  /// Whether the client has sent a command that is known.
  private(set) var isProven = false
  /// The bytes to send.
  private(set) var output: [UInt8] = []
  private var wait = Wait.none
  private var stream = Stream.none
  private var lastNumber: UInt64 = 0

  /// How long `S` waits for rest: less than the 5 s that clients wait for an answer.
  private static let restTime = Interval.seconds(4)
  /// The time between two lines of `SIR`.
  private static let repetition = Interval.milliseconds(100)
  /// A stream pauses while more bytes than this wait.
  private static let streamBacklog = 256
  /// No line is answered while more bytes than this wait.
  private static let answerBacklog = 1024

  /// Makes a session with a client that has sent nothing.
  init(_ identity: SICSIdentity) { self.identity = identity }

  /// Whether further bytes are accepted: a client that does not read its answers has to wait.
  var canReceive: Bool { reader.hasRoom && output.count < Self.answerBacklog }

  /// Whether the session depends on new readings.
  var needsReadings: Bool {
    if case .rest = wait { return true }
    if case .onChange = stream { return true }
    return false
  }

  /// Whether the next line is an action, which has to wait for its turn.
  private(set) var isActionDelayed = false

  /// Whether `advance` can answer a line now.
  var canAdvance: Bool {
    guard !reader.lines.isEmpty, output.count < Self.answerBacklog, !isActionDelayed, case .none = wait else {
      return false
    }
    return true
  }

  /// Whether a line is not answered yet.
  var isBusy: Bool {
    if case .none = wait { return !reader.lines.isEmpty }
    return true
  }

  /// When `advance` has to be called next.
  var nextDeadline: Instant? {
    if case .rest(_, let deadline) = wait { return deadline }
    if case .repeated(let next) = stream, output.count <= Self.streamBacklog { return next }
    return nil
  }

  /// Receives bytes, at most `SICSLineReader.pieceBytes`.
  mutating func receive(_ bytes: some Sequence<UInt8>, at now: Instant) {
    reader.append(bytes, at: now)
    if reader.lines.first == .text("@") { wait = .none }
  }

  /// Discards a line that has begun.
  mutating func discardPartialLine() { reader.discardPartialLine() }

  /// Removes bytes that were sent.
  mutating func removeOutput(_ count: Int) { output.removeFirst(min(count, output.count)) }

  /// Discards everything that waits to be sent and ends the streams: no client has the pseudo-terminal open.
  mutating func discardOutput() {
    output = []
    stream = .none
  }

  /// Answers what can be answered now.
  ///
  /// - Parameters:
  ///   - mayAct: Whether the scale accepts an action now.
  ///   - lines: The most lines to answer; reduced by those that were.
  /// - Returns: An action for the scale, if there is one.
  mutating func advance(_ reading: Reading?, at now: Instant, mayAct: Bool, lines: inout Int) -> Order? {
    if case .rest(let isStableOnly, let deadline) = wait {
      if reading?.endsWait == true || now >= deadline {
        wait = .none
        send(SICSAnswer.weight(reading, isStableOnly: isStableOnly))
      }
    }
    advanceStream(reading, at: now)
    isActionDelayed = false
    while lines > 0, output.count < Self.answerBacklog, case .none = wait, let line = reader.lines.first {
      switch line {
      case .damaged: send(SICSAnswer.transmissionError)
      case .text(let text):
        do throws(SICSCommand.Problem) {
          let command = try SICSCommand(text)
          isProven = true
          if command.isAction, !mayAct {
            isActionDelayed = true
            return nil
          }
          if let order = perform(command, reading, at: now) {
            lines -= 1
            _ = reader.removeFirst()
            return order
          }
        } catch {
          switch error {
          case .unknown: send(SICSAnswer.syntaxError)
          case .unexpectedParameter: send(SICSAnswer.logicalError)
          case .badParameter(let name): send("\(name) L")
          }
        }
      }
      lines -= 1
      _ = reader.removeFirst()
    }
    return nil
  }

  /// Sends the answer to an order; returns another order if the command needs one.
  ///
  /// - Parameter result: `nil` if the scale did not decide.
  mutating func finish(_ number: UInt64, _ result: ActionResult?) -> Order? {
    guard case .scale(let command, number) = wait else { return nil }
    wait = .none
    switch SICSOutcome(command, result, identity) {
    case .answer(let line):
      send(line)
      return nil
    case .clearTare: return order(.clearTare, for: command)
    }
  }

  // MARK: Commands

  private mutating func perform(_ command: SICSCommand, _ reading: Reading?, at now: Instant) -> Order? {
    switch command {
    case .reset:
      stream = .none
      return order(.clearTare, for: command)
    case .zero: return order(.zero, for: command)
    case .tare: return order(.tare, for: command)
    case .clearTare: return order(.clearTare, for: command)
    case .commands: SICSAnswer.commands.forEach { send($0) }
    case .levels: send(SICSAnswer.levels)
    case .balance: send(identity.balanceAnswer)
    case .version: send(identity.versionAnswer)
    case .serialNumber: send(identity.serialAnswer)
    case .stable: waitForRest(reading, isStableOnly: true, until: now + Self.restTime)
    case .stableWithin(let time):
      waitForRest(reading, isStableOnly: false, until: now + .milliseconds(time))
    case .immediate:
      stream = .none
      send(SICSAnswer.weight(reading))
    case .repeated:
      stream = .repeated(next: now)
      advanceStream(reading, at: now)
    case .onChange(let grams):
      stream = .onChange(grams: grams, last: nil, awaitsRest: true)
      advanceStream(reading, at: now)
    case .tareValue:
      send(reading.map { "TA A \(SICSAnswer.mass($0.tare))" } ?? "TA I")
    case .displayText: send("D A")
    case .displayWeight: send("DW A")
    case .unit(let isSet): send(isSet ? "M21 A" : "M21 A 0 0")
    }
    return nil
  }

  private mutating func order(_ action: Action, for command: SICSCommand) -> Order {
    lastNumber += 1
    wait = .scale(command, number: lastNumber)
    return Order(action: action, number: lastNumber)
  }

  private mutating func waitForRest(_ reading: Reading?, isStableOnly: Bool, until deadline: Instant) {
    stream = .none
    if reading?.endsWait == true {
      send(SICSAnswer.weight(reading))
    } else {
      wait = .rest(isStableOnly: isStableOnly, deadline: deadline)
    }
  }

  // MARK: Streams

  private mutating func advanceStream(_ reading: Reading?, at now: Instant) {
    guard output.count <= Self.streamBacklog else { return }
    switch stream {
    case .none: break
    case .repeated(let next):
      guard now >= next else { return }
      send(SICSAnswer.weight(reading))
      stream = .repeated(next: max(next + Self.repetition, now))
    case .onChange(let grams, let last, let awaitsRest):
      guard let reading, let net = reading.net else { return }
      if awaitsRest, reading.isAtRest, !reading.isUnderloaded {
        send(SICSAnswer.weight(reading))
        stream = .onChange(grams: grams, last: net, awaitsRest: false)
      } else if !awaitsRest, let last, (net.mass - last.mass).magnitude.value >= Self.change(grams, last) {
        send(SICSAnswer.weight(reading))
        stream = .onChange(grams: grams, last: last, awaitsRest: !reading.isAtRest)
        if reading.isAtRest { stream = .onChange(grams: grams, last: net, awaitsRest: false) }
      }
    }
  }

  /// The least change that `SR` sends: an eighth of the last net, at least 30 divisions (reference, `SR`).
  private static func change(_ grams: Double?, _ last: DisplayedMass) -> Double {
    grams ?? max(last.mass.magnitude.value / 8, 30 * last.division.step.value)
  }

  private mutating func send(_ line: String) {
    output.append(contentsOf: line.utf8)
    output.append(contentsOf: [UInt8(ascii: "\r"), UInt8(ascii: "\n")])
  }
}

extension Reading {
  /// Whether a query for a stable net is answered now. A scale without a pad has nothing to wait for.
  fileprivate var endsWait: Bool { isAtRest || isOverloaded || isUnderloaded || state == .offline }
}
