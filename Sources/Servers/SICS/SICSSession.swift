import Weighing

/// The conversation with one client; a value without input and output.
///
/// ```
///   idle ── S, SC ──► waiting for rest ── rest, or the deadline ──► idle
///    │ ├─── TC, ZC ──► waiting for rest ── rest, or the deadline ──┐
///    │ └─── T, Z, TA with a mass, TAC, @ ──► waiting for the scale ◄┘ ── finish ──► idle
///    └ SIR, SR: lines on their own, until S, SI, SIR, SR or @
/// ```
/// Lines are answered in their order; `@` overtakes those before it.
struct SICSSession: Sendable {
  /// An action that the scale has to decide on.
  struct Order: Hashable, Sendable {
    var action: Action
    var parameters: ActionArguments
    /// Identifies the order in `finish`.
    var number: UInt64
  }

  private enum Wait: Sendable {
    case none
    /// Until the load is at rest. At the deadline a query for a stable net is answered with `S I`.
    case rest(isStableOnly: Bool, deadline: Instant)
    /// Until the load is at rest, and then for the scale.
    case restToAct(SICSCommand, deadline: Instant)
    case scale(SICSCommand, number: UInt64)

    /// When to stop waiting for rest; `nil` if it does not wait for that.
    var deadline: Instant? {
      switch self {
      case .rest(_, let deadline), .restToAct(_, let deadline): deadline
      case .none, .scale: nil
      }
    }
  }

  /// The identity of the scale.
  var identity: SICSIdentity
  private(set) var reader = SICSLineReader()
  /// Whether the client has sent a command that is known.
  private(set) var isProven = false
  /// The bytes to send.
  private(set) var output: [UInt8] = []
  private var wait = Wait.none
  private var stream = SICSStream.none
  private var lastNumber: UInt64 = 0

  /// How long `S` waits for rest: less than the 5 s that clients wait for an answer.
  private static let restTime = Interval.seconds(4)
  /// A stream pauses while more bytes than this wait.
  private static let streamBacklog = 256
  /// No line is answered while more bytes than this wait.
  private static let answerBacklog = 1024

  /// Makes a session with a client that has sent nothing.
  init(_ identity: SICSIdentity) { self.identity = identity }

  /// Whether further bytes are accepted: a client that does not read its answers has to wait.
  var canReceive: Bool { reader.hasRoom && output.count < Self.answerBacklog }

  /// Whether the session depends on new readings.
  var needsReadings: Bool { wait.deadline != nil || stream.needsReadings }

  /// Whether an action has to wait for its turn.
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
    if let deadline = wait.deadline { return isActionDelayed ? nil : deadline }
    return output.count <= Self.streamBacklog ? stream.nextDeadline : nil
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
    isActionDelayed = false
    advanceStream(reading, at: now)
    if let deadline = wait.deadline, reading?.endsWait == true || now >= deadline {
      switch wait {
      case .rest(let isStableOnly, _):
        wait = .none
        send(SICSAnswer.weight(reading, isStableOnly: isStableOnly))
      case .restToAct(let command, _):
        guard mayAct else {
          isActionDelayed = true
          return nil
        }
        if let order = act(command, reading) { return order }
      case .none, .scale: break
      }
    }
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
    case .tare(immediately: true): return act(command, reading)
    case .tare(immediately: false): return order(.tare, for: command)
    case .tareWithin(let time), .zeroWithin(let time):
      if reading?.endsWait == true || time == 0 { return act(command, reading) }
      wait = .restToAct(command, deadline: now + .milliseconds(time))
    case .presetTare(let grams):
      // Rounded to the division, as a balance does.
      let division = reading?.tare.division
      let mass = division.map { DisplayedMass(steps: $0.steps(nearest: Grams(grams)), division: $0).mass }
      return order(.tare, .tare(.mass(mass ?? Grams(grams))), for: command)
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
      stream = .onChange(leastGrams: grams, last: nil, awaitsRest: true)
      advanceStream(reading, at: now)
    case .tareValue:
      send(reading.map { "TA A \(SICSAnswer.mass($0.tare))" } ?? "TA I")
    case .displayText: send("D A")
    case .displayWeight: send("DW A")
    case .keyMode(let isUsual): send(isUsual ? "K A" : "K I")
    case .unit(let isSet): send(isSet ? "M21 A" : "M21 A 0 0")
    }
    return nil
  }

  /// Tares or zeroes now. A load in motion is tared by its current value; the scale does not zero in motion.
  private mutating func act(_ command: SICSCommand, _ reading: Reading?) -> Order? {
    wait = .none
    let isMoving = reading.map { !$0.endsWait } ?? false
    if case .zeroWithin = command {
      guard isMoving else { return order(.zero, for: command) }
      send("ZC I")
      return nil
    }
    guard isMoving, let gross = reading?.gross, gross.steps > 0 else { return order(.tare, for: command) }
    return order(.tare, .tare(.mass(gross.mass)), for: command)
  }

  private mutating func order(
    _ action: Action, _ parameters: ActionArguments = .none, for command: SICSCommand
  ) -> Order {
    lastNumber += 1
    wait = .scale(command, number: lastNumber)
    return Order(action: action, parameters: parameters, number: lastNumber)
  }

  private mutating func waitForRest(_ reading: Reading?, isStableOnly: Bool, until deadline: Instant) {
    stream = .none
    if reading?.endsWait == true {
      send(SICSAnswer.weight(reading))
    } else {
      wait = .rest(isStableOnly: isStableOnly, deadline: deadline)
    }
  }

  private mutating func advanceStream(_ reading: Reading?, at now: Instant) {
    guard output.count <= Self.streamBacklog else { return }
    if let line = stream.line(reading, at: now) { send(line) }
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
