import Linux
import MQTTLink
import Messages
import Weighing

/// A scale without a pad: connection, journal, outbox and answers to `command/resend`.
///
/// ```
///            wait is over            writable             CONNACK 0
/// waiting ----------------> opening ----------> greeting -----------> connected ---DISCONNECT---> ended
///    ^                         |                   |                     |
///    +------------ failed, closed, no answer in time --------------------+
/// ```
/// The code of the appliance selects the next broker, the version of the protocol and the delay. As an appliance it publishes `availability` and `health`, retained, then the outbox, and its will says `offline`.
/// Differences: it keeps one window of 20 messages for everything, publishes `health` less often, and does not
/// publish readings, events and `weighing/last`.
final class LightDevice {
  private enum Phase {
    case waiting(until: Instant)
    case opening(by: Instant)
    case greeting(by: Instant)
    case connected(since: Instant)
    case ended
  }

  let id: String
  private let context: LightContext
  private(set) var journal: LightJournal
  private var phase: Phase
  private var connection: LightConnection?
  private var rotation: BrokerRotation
  private var rate = SendRate()
  private var resend = LightResend()
  /// Messages other than weighings that were not sent yet.
  private var reports: [Message] = []
  private var window = SendWindow()
  /// Records up to this one were made before the connection.
  private var historicalThrough = 0
  private var health: HealthSchedule
  /// When to continue sending, if only the rate prevents it.
  private var nextWork: Instant?
  private var lastHeard: Instant
  private var isPinging = false
  private var isEnding = false

  /// As in `LinkSettings`.
  private static let answerDeadline = Interval.seconds(5)
  /// 7 s in an appliance, which would be 1,400 pings a second with 10,000 devices.
  private static let keepAlive = Interval.seconds(60)

  init(_ number: Int, _ context: LightContext, connectingAt start: Instant) {
    id = "\(context.settings.name)-\(number)"
    self.context = context
    journal = LightJournal(device: number, context.origin)
    (phase, lastHeard) = (.waiting(until: start), start)
    rotation = context.settings.rotation(of: number)
    health = HealthSchedule(shortest: context.settings.healthInterval)
  }

  var hasEnded: Bool { if case .ended = phase { true } else { false } }

  // MARK: - Connection

  /// Made for each use: 10,000 of them would take 30 MB.
  private var messages: LightMessages { LightMessages(id, context) }

  private func open(at now: Instant) {
    do throws(LightConnection.End) {
      let connection = try context.connect(to: rotation.broker, rotation.version)
      context.watch(connection.descriptor, for: [.readable, .writable], of: self)
      self.connection = connection
      phase = .opening(by: now + Self.answerDeadline)
    } catch {
      close(error, at: now)
    }
  }

  /// The connection has ended, or there was none.
  private func close(_ reason: LightConnection.End, at now: Instant) {
    var since: Instant?
    if case .connected(let instant) = phase {
      context.summary.connected -= 1
      since = instant
    }
    if let descriptor = connection?.descriptor { context.forget(descriptor) }
    connection = nil
    resend.disconnect()
    (reports, nextWork, isPinging) = ([], nil, false)
    guard !isEnding else {
      phase = .ended
      return
    }
    let error = reason.error(isConnected: since != nil, rotation.version)
    // Repeated with 3.1.1 at once, which fails as well if it is not about the version.
    let isAboutVersion = since == nil && rotation.version == .v5 && error.mayBeAboutVersion
    if !isAboutVersion { context.outage.report(error, of: rotation.broker, at: now) }
    phase = .waiting(until: now + rotation.wait(after: error, since: since, at: now, using: &context.generator))
  }

  /// Handles the readiness of the socket.
  func advance(_ readiness: Poller.Readiness, at moment: Moment) {
    let now = moment.now
    do throws(LightConnection.End) {
      if case .opening = phase { try greet(at: now) }
      if !readiness.isDisjoint(with: [.readable, .ended]) { try read(at: moment) }
      if case .connected = phase { sendNext(at: moment) }
      try flush()
    } catch {
      close(error, at: now)
    }
  }

  private func greet(at now: Instant) throws(LightConnection.End) {
    if let code = connection?.error { throw .system(code) }
    connection?.output.connect(
      clientID: "grampad-\(messages.topics.identity)", keepAlive: UInt16(Self.keepAlive.seconds),
      will: messages.availability(false),
      credentials: context.settings.credentials)
    phase = .greeting(by: now + Self.answerDeadline)
  }

  private func read(at moment: Moment) throws(LightConnection.End) {
    lastHeard = moment.now
    isPinging = false
    var packets: [Packet] = []
    try connection?.read(into: &packets, with: context.buffer)
    for packet in packets { try handle(packet, at: moment) }
  }

  private func flush() throws(LightConnection.End) {
    guard connection != nil else { return }
    try connection?.flush()
    if let connection {
      let isFull = !connection.output.bytes.isEmpty
      context.watch(connection.descriptor, for: isFull ? [.readable, .writable] : .readable, of: self)
    }
  }

  private func handle(_ packet: Packet, at moment: Moment) throws(LightConnection.End) {
    switch packet {
    case .connack(let code, let receiveMaximum):
      guard code == 0 else { throw .refused(ReasonCode(rawValue: code)) }
      begin(receiveMaximum, at: moment.now)
    case .publish(let message, let identifier):
      if let identifier { connection?.output.acknowledge(identifier) }
      receive(message, at: moment.wall)
    case .puback(let identifier, let code): acknowledge(identifier, isAccepted: code < 0x80)
    case .suback, .pong: break
    case .disconnect: throw .closed
    }
  }

  private func begin(_ receiveMaximum: Int, at now: Instant) {
    phase = .connected(since: now)
    context.summary.connected += 1
    context.summary.connections += 1
    if context.summary.connected == context.settings.count { context.outage.end() }
    rotation.connected()
    window.connect(receiveMaximum: receiveMaximum)
    journal.connect()
    historicalThrough = journal.sequence
    rate = SendRate()
    connection?.output.subscribe(messages.topics.command(Command.resendName), identifier: window.takeIdentifier())
    reports = [messages.availability(true)]
    health.connect()
  }

  /// Does what is due.
  func work(at moment: Moment) {
    let now = moment.now
    do throws(LightConnection.End) {
      switch phase {
      case .waiting(let due):
        if isEnding { phase = .ended } else if due <= now { open(at: now) }
      case .opening(let deadline), .greeting(let deadline):
        if deadline <= now || isEnding { throw .silent }
      case .connected:
        try checkAnswers(at: now)
        if nextWork.map({ $0 <= now }) ?? false || health.isDue(journal.sequence, at: now) { sendNext(at: moment) }
        try flush()
      case .ended: break
      }
    } catch {
      close(error, at: now)
    }
  }

  private func checkAnswers(at now: Instant) throws(LightConnection.End) {
    if window.isOverdue(at: now) { throw .silent }
    guard lastHeard + Self.keepAlive <= now else { return }
    if !isPinging {
      connection?.output.ping()
      isPinging = true
    } else if lastHeard + Self.keepAlive + Self.answerDeadline <= now {
      throw .silent
    }
  }

  // MARK: - Records

  /// Makes a weighing.
  func weigh(at moment: Moment) {
    journal.append(at: moment.wall)
    context.summary.recorded += 1
    guard case .connected = phase else { return }
    sendNext(at: moment)
    do throws(LightConnection.End) { try flush() } catch { close(error, at: moment.now) }
  }

  private func receive(_ message: IncomingMessage, at wall: Instant) {
    guard let command = Command(message, topics: messages.topics),
      case .success(.resend(let range, let source)) = command.order
    else { return }
    context.summary.requests += 1
    guard !resend.append(command, range, source) else { return }
    let result = ResendResult(
      range: range, source: source, rejection: .busy, limit: .commandsWaiting(maximum: LightResend.capacity),
      time: wall)
    reports.append(messages.answer(result, to: command.caller))
  }

  private func acknowledge(_ identifier: UInt16, isAccepted: Bool) {
    switch window.remove(identifier) {
    case nil, .report?: break
    case .weighing(let sequence)?:
      if isAccepted { countDelivery(of: sequence) }
    case .resent(let sequence)?:
      resend.acknowledge(isAccepted: isAccepted)
      if isAccepted {
        context.summary.resent += 1
        countDelivery(of: sequence)
      }
    }
  }

  private func countDelivery(of sequence: Int) { if journal.acknowledge(sequence) { context.summary.delivered += 1 } }

  // MARK: - Sending

  /// Passes on as much as window and rate permit: reports, the outbox, then what a client has asked for.
  private func sendNext(at moment: Moment) {
    let now = moment.now
    if resend.isBusy, let (result, caller) = resend.takeAnswer(last: journal.sequence, at: moment.wall) {
      reports.append(messages.answer(result, to: caller))
    }
    if health.isDue(journal.sequence, at: now) { appendHealth(at: moment) }
    while window.room > 0, !reports.isEmpty { send(reports.removeFirst(), .report, at: now) }
    nextWork = nil
    if isEnding { return disconnect(at: now) }
    if journal.hasUnsent {
      send(journal.takeUnsent(room(at: now, keeping: 0)), SendWindow.Content.weighing, at: now)
    } else if resend.isBusy {
      send(
        resend.take(room(at: now, keeping: LightResend.reserve), last: journal.sequence), SendWindow.Content.resent,
        at: now)
      // Nothing to send, so that nothing will be acknowledged.
      if window.isEmpty, let (result, caller) = resend.takeAnswer(last: journal.sequence, at: moment.wall) {
        send(messages.answer(result, to: caller), .report, at: now)
      }
    }
  }

  private func room(at now: Instant, keeping reserve: Int) -> Int {
    let available = rate.available(at: now, keeping: reserve)
    if available == 0 { nextWork = rate.nextBatch(keeping: reserve) }
    return min(window.room, available)
  }

  private func send(_ sequences: [Int], _ content: (Int) -> SendWindow.Content, at now: Instant) {
    guard !sequences.isEmpty else { return }
    var messages = messages
    for sequence in sequences {
      let content = content(sequence)
      let isHistorical = content.isResent || sequence <= historicalThrough
      send(messages.weighing(journal.record(sequence), historical: isHistorical), content, at: now)
      rate.countMessage(at: now)
    }
  }

  private func send(_ message: Message, _ content: SendWindow.Content, at now: Instant) {
    connection?.output.publish(message, identifier: window.append(content, at: now))
  }

  private func appendHealth(at moment: Moment) {
    health.publish(journal.sequence, at: moment.now)
    reports.append(messages.health(journal, rotation.broker, rotation.version, at: moment))
  }

  // MARK: - End

  /// Publishes the newest health and `offline`, and disconnects.
  func end(at moment: Moment) {
    isEnding = true
    guard case .connected = phase else { return }
    if !health.isCurrent(journal.sequence) { appendHealth(at: moment) }
    reports.append(messages.availability(false))
    sendNext(at: moment)
    do throws(LightConnection.End) { try flush() } catch { close(error, at: moment.now) }
  }

  private func disconnect(at now: Instant) {
    guard reports.isEmpty, window.isEmpty else { return }
    connection?.output.disconnect()
    _ = try? connection?.flush()
    close(.closed, at: now)
  }
}
