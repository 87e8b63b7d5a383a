import Linux
import Messages
import Weighing

@testable import MQTTLink

/// The link of one run of a scale: what `LinkLoop` does with the machines of the product, with the packets and the time
/// of the world.
///
/// ```
///             BrokerRotation                       Outgoing, SendQueues, KeepAlive
/// connecting ─────────────────► SimulatedConnection ──────────────────────────────► SimulatedBroker
///      ▲  refused │                     │
///      └──────────┴────── lost ─────────┘
/// ```
final class SimulatedLink {
  private unowned let world: World
  private let settings: LinkSettings
  private let servers: [Server]
  private let mailbox: Mailbox
  private let onEvent: (LinkEvent) -> Void
  private let onDecision: (UInt64, ReasonCode) -> Void
  private var rotation: BrokerRotation
  private var quality = SubscriptionQuality.atLeastOnce
  private var keepAlive: KeepAlive
  private var outgoing: Outgoing<SimulatedConnection>?
  private(set) var connection: SimulatedConnection?
  private var since: Instant
  /// The messages with a token that wait, in order.
  private var tokens: [(message: Message, token: UInt64)] = []
  private var isStopped = false
  private var isStepping = false
  /// Whether there is more to do after the current step.
  private var isWoken = false
  /// When the next step is due.
  private var wake: Instant?

  /// - Parameters:
  ///   - servers: The addresses of the broker.
  ///   - onDecision: Called when the broker accepts or rejects a message with a token, maybe after the end of the run.
  init(
    _ settings: LinkSettings, _ servers: [Server], filters: [String], in world: World,
    onEvent: @escaping (LinkEvent) -> Void, onDecision: @escaping (UInt64, ReasonCode) -> Void
  ) {
    (self.settings, self.servers, self.world) = (settings, servers, world)
    (self.onEvent, self.onDecision) = (onEvent, onDecision)
    mailbox = Mailbox(SendQueues(assuredCapacity: settings.assuredCapacity, firstTopic: settings.will?.topic))
    mailbox.state.withLock { $0.filters = filters }
    rotation = BrokerRotation(settings)
    since = world.now
    keepAlive = KeepAlive(interval: settings.keepAlive, deadline: settings.pingDeadline, at: world.now)
  }

  // MARK: As of `MQTTLink`, but without waking

  func publish(_ message: Message) { mailbox.state.withLock { $0.queues.append(message, at: world.now) } }

  func publish(_ message: Message, token: UInt64) -> Admission {
    let admission = mailbox.state.withLock { $0.queues.append(message, token: token, at: world.now) }
    if admission == .accepted { tokens.append((message, token)) }
    return admission
  }

  func unsubscribe(_ filter: String) {
    mailbox.state.withLock { state in
      guard let index = state.filters.firstIndex(of: filter) else { return }
      state.filters.remove(at: index)
      state.removedFilters.append(filter)
      state.filtersChanged = true
    }
  }

  /// Whether there is a connection, and it has not ended unnoticed.
  var isConnected: Bool { connection != nil && connection?.fault == nil }
  var isDrained: Bool { mailbox.state.withLock { $0.queues.isDrained } }
  var backlog: Int { mailbox.state.withLock { $0.queues.assuredCount } }

  func start() { connect(after: world.milliseconds(10...1000)) }

  /// The program is gone.
  func stop() {
    isStopped = true
    connection?.close()
    (connection, outgoing) = (nil, nil)
  }

  /// The token of a message that is being sent; those with one are sent in order.
  func takeToken(of message: Message) -> UInt64? {
    guard let first = tokens.first, first.message == message else { return nil }
    return tokens.removeFirst().token
  }

  // MARK: Connecting

  private func connect(after wait: Interval) {
    world.after(wait) { [weak self] in self?.attempt() }
  }

  private func attempt() {
    guard !isStopped, let server = servers.first(where: { $0.address == rotation.broker }) else { return }
    let version = rotation.version
    var error = server.refusal(of: version)
    if world.occurs(.refusal), error == nil {
      error = Server.refusals(of: version, by: server.address, settings).randomElement(using: &world.random)
    }
    let isSlow = error == .noAnswer(settings.answerDeadline)
    world.after(isSlow ? settings.answerDeadline : world.milliseconds(1...200)) { [weak self] in
      guard let self, !isStopped else { return }
      if let error { refused(error, by: server) } else { connected(to: server, version) }
    }
  }

  private func refused(_ error: LinkError, by server: Server) {
    world.reached("refused: \(error.name)")
    let wait = rotation.failed(because: error, using: &world.random)
    if rotation.repeats(error, of: server.address) { world.reached("refused as before") }
    onEvent(.refused(broker: server.address, reason: error))
    connect(after: wait)
  }

  /// The session is never present: with a clean start, MQTT does not allow it.
  private func connected(to server: Server, _ version: ProtocolVersion) {
    world.reached("connected with \(version)")
    rotation.connected()
    let window = version == .v5 ? min(settings.window, server.receiveMaximum) : settings.window
    let connection = SimulatedConnection(self, to: server, version, window: window, in: world, onDecision: onDecision)
    mailbox.state.withLock { state in
      state.queues.open()
      state.filtersChanged = !state.filters.isEmpty
    }
    (self.connection, since) = (connection, world.now)
    keepAlive = KeepAlive(interval: settings.keepAlive, deadline: settings.pingDeadline, at: world.now)
    outgoing = Outgoing(connection, window: window, quality, mailbox, World.quiet)
    onEvent(.connected(broker: server.address, sessionPresent: false, version: version))
    step()
    disturb(connection)
  }

  // MARK: Serving

  /// Sends and receives what is due. What an event leads to is done after it.
  func step() {
    isWoken = true
    guard !isStepping else { return }
    isStepping = true
    while isWoken, let connection {
      isWoken = false
      advance(connection)
    }
    isStepping = false
    schedule()
  }

  private func advance(_ connection: SimulatedConnection) {
    let now = world.now
    do throws(LinkError) {
      try outgoing?.subscribe(at: now)
      try outgoing?.flush(at: now)
      processArrivals(of: connection)
      guard self.connection === connection else { return }
      if connection.hasRead { keepAlive.recordRead(at: now) }
      if connection.hasWritten { keepAlive.recordWrite(at: now) }
      (connection.hasRead, connection.hasWritten) = (false, false)
      if try keepAlive.isPingDue(at: now) { connection.ping() }
      try outgoing?.checkAcknowledgements(within: settings.acknowledgementDeadline, at: now)
    } catch {
      fail(connection, because: error)
    }
  }

  /// Reports what has arrived; it may make room for more to send.
  private func processArrivals(of connection: SimulatedConnection) {
    let arrivals = connection.arrivals
    connection.arrivals = []
    if !arrivals.isEmpty { isWoken = true }
    for arrival in arrivals where self.connection === connection {
      if let event = outgoing?.process(arrival, at: world.now) { onEvent(event) }
    }
  }

  private func schedule() {
    guard connection != nil else { return }
    let acknowledgement = outgoing?.acknowledgementDue(within: settings.acknowledgementDeadline)
    let due = [acknowledgement, outgoing?.urgentRepeat, outgoing?.subscriptionDue].compactMap(\.self).reduce(
      keepAlive.due, min)
    let next = max(due, world.now + .milliseconds(1))
    if let wake, wake <= next { return }
    wake = next
    world.after(next - world.now) { [weak self] in
      guard let self, wake == next else { return }
      wake = nil
      step()
    }
  }

  // MARK: End of a connection

  /// The broker falls silent or the connection ends at some time, if they do.
  private func disturb(_ connection: SimulatedConnection) {
    world.after(world.milliseconds(500...3000)) { [weak self] in
      guard let self, self.connection === connection else { return }
      if world.occurs(.silentBroker) { connection.fallSilent() }
      guard world.occurs(.lostConnection) else { return disturb(connection) }
      if world.occurs(.lostRetained) { world.restartBroker() } else { lose(connection) }
    }
  }

  /// The broker or the network ends a connection; the scale notices it at once, later, or when it sends something.
  func lose(_ connection: SimulatedConnection) {
    guard self.connection === connection, connection.fault == nil else { return }
    let ends = Server.ends(of: connection.version, settings)
    guard let error = ends.randomElement(using: &world.random) else { return }
    connection.cut(because: error)
    if world.chance(2) { return fail(connection, because: error) }
    world.after(world.milliseconds(1...1000)) { [weak self] in self?.fail(connection, because: error) }
  }

  private func fail(_ connection: SimulatedConnection, because error: LinkError) {
    processArrivals(of: connection)
    guard self.connection === connection else { return }
    let lasted = world.now - since
    let reason = rotation.diagnosis(of: connection.fault ?? error, afterLasting: lasted)
    world.reached("lost: \(reason.name)")
    quality = SubscriptionQuality(
      after: connection.version, isSubscribing: outgoing?.awaitsSubscriptions ?? false)
    mailbox.state.withLock { $0.queues.close() }
    connection.close()
    (self.connection, outgoing, tokens) = (nil, nil, [])
    onEvent(.disconnected(broker: connection.server.address, reason: reason))
    guard !isStopped else { return }
    connect(
      after: rotation.lost(
        because: reason, afterLasting: lasted >= settings.lastingConnection, using: &world.random))
  }
}
