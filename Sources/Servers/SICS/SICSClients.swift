import Glibc
import Linux
import Logging
import NIOCore
import NIOPosix
import Weighing

/// The clients of the server, and the rounds in which they are answered. On the loop.
final class SICSClients {
  private let settings: SICSServer.Settings
  private let loop: ServerLoop
  private let readings: SICSReadings
  private let logger: Logger
  private let perform: SICSServer.Performer
  private let maximum: Int
  private var identity: SICSIdentity
  private var clients: [UInt64: SICSClient] = [:]
  private var lastClient: UInt64 = 0
  private var lastTurn: UInt64 = 0
  private var budget = SICSBudget()
  private var terminal: PseudoTerminal?
  private var terminalRetry: Scheduled<Void>?
  private var reportedFault: SICSError?
  private var isRoundRequested = false
  private var nextRound: Scheduled<Void>?
  private var isClosed = false

  /// The maximum number of clients.
  private static let maximumClients = 128
  /// The most lines that are answered for one client in one round.
  private static let linesPerRound = 2
  private static let retry = TimeAmount.seconds(5)

  init(
    _ settings: SICSServer.Settings, on loop: ServerLoop, readings: SICSReadings, logger: Logger,
    perform: @escaping SICSServer.Performer
  ) {
    (self.settings, self.loop, self.readings, self.logger) = (settings, loop, readings, logger)
    self.perform = perform
    identity = settings.identity
    // The page and the journal need descriptors, too.
    maximum = min(Self.maximumClients, max(4, DescriptorLimit.available / 4))
  }

  /// Where the server listens. A client that was switched off is noticed after two minutes (tcp(7)).
  static func listening(on endpoint: (address: String, port: UInt16)) -> TCPListener.Settings {
    TCPListener.Settings(
      address: endpoint.address, ports: [endpoint.port], pieceBytes: SICSLineReader.pieceBytes,
      options: [
        (.tcpOption(.tcp_nodelay), 1), (.socketOption(.so_keepalive), 1),
        (.tcpOption(.init(rawValue: TCP_KEEPIDLE)), 60), (.tcpOption(.init(rawValue: TCP_KEEPINTVL)), 20),
        (.tcpOption(.init(rawValue: TCP_KEEPCNT)), 3), (.socketOption(.so_sndbuf), 4096),
        (.socketOption(.so_rcvbuf), 4096),
      ])
  }

  /// Changes what further answers say of the scale.
  func setIdentity(_ new: SICSIdentity) {
    guard new != identity else { return }
    identity = new
    for client in clients.values { client.session.identity = new }
  }

  /// Closes everything.
  func close() {
    isClosed = true
    nextRound?.cancel()
    terminalRetry?.cancel()
    for client in clients.values { client.close() }
    clients = [:]
    terminal = nil
  }

  // MARK: Clients

  /// The client of a new connection.
  func makeClient(isTerminal: Bool = false) -> SICSClient {
    lastClient += 1
    return SICSClient(number: lastClient, isTerminal: isTerminal, identity: identity, of: self)
  }

  /// Adds a client; at the limit it replaces another one.
  func add(_ client: SICSClient) {
    let isNew = clients[client.number] == nil
    if isNew, clients.count >= maximum, let oldest = clients.values.filter({ !$0.isTerminal }).min(by: Self.precedes) {
      drop(oldest)
    }
    clients[client.number] = client
    countInput()
  }

  /// Removes a client whose connection has ended.
  func remove(_ client: SICSClient) {
    clients[client.number] = nil
    guard client.isTerminal, !isClosed else { return }
    terminal = nil
    retryTerminal()
  }

  private func drop(_ client: SICSClient) {
    clients[client.number] = nil
    client.close()
  }

  /// Whether a client is dropped before another one: first those that have sent no command, then the one that was
  /// silent for longest.
  private static func precedes(_ one: SICSClient, _ other: SICSClient) -> Bool {
    if one.session.isProven != other.session.isProven { return !one.session.isProven }
    // Those that were accepted at the same moment, in their order.
    return (one.lastInput, one.number) < (other.lastInput, other.number)
  }

  // MARK: Rounds

  /// Counts a piece of input or a new connection, which is handled in the next round.
  func countInput() {
    budget.countInput()
    requestRound()
  }

  /// Begins a round as soon as possible.
  func requestRound() {
    guard !isRoundRequested, !isClosed else { return }
    isRoundRequested = true
    // After other sockets have had their turn, see `ServerLoop.runInTurn`.
    loop.eventLoop.assumeIsolated().scheduleTask(in: .microseconds(1)) { [self] in
      isRoundRequested = false
      round()
    }
  }

  private func round() {
    guard !isClosed else { return }
    nextRound?.cancel()
    let now = Instant.now()
    // A flood of lines must not keep the processor busy.
    if let pause = budget.pause(at: now) { return schedule(pause, at: now) }
    let (reading, version) = readings.take()
    // In turn, so that a flood of some clients does not keep others waiting.
    for client in clients.values.sorted(by: { $0.lastTurn < $1.lastTurn }) { answer(client, reading, at: now) }
    if clients.values.contains(where: \.session.needsReadings), readings.awaitNext(after: version) { requestRound() }
    schedule(nextDeadline(at: now), at: now)
  }

  private func answer(_ client: SICSClient, _ reading: Reading?, at now: Instant) {
    client.feed(at: now)
    let most = budget.lines(at: now, atMost: Self.linesPerRound)
    var lines = most
    if let order = client.session.advance(reading, at: now, mayAct: budget.mayAct(at: now), lines: &lines) {
      budget.countAction(at: now)
      pass(order, of: client)
    }
    if lines < most {
      budget.count(most - lines)
      lastTurn += 1
      client.lastTurn = lastTurn
    }
    if client.isExpired(at: now) || client.isFinished { return drop(client) }
    client.send(at: now)
    client.read()
  }

  /// Passes an order to the scale, and its result to the client.
  private func pass(_ order: SICSSession.Order, of client: SICSClient) {
    let this = NIOLoopBound(self, eventLoop: loop.eventLoop)
    let (number, loop) = (client.number, loop)
    perform(order.action, order.parameters) { result in
      loop.runInTurn {
        guard let client = this.value.clients[number] else { return }
        if let next = client.session.finish(order.number, result) { this.value.pass(next, of: client) }
        this.value.requestRound()
      }
    }
  }

  private func nextDeadline(at now: Instant) -> Instant? {
    clients.values.compactMap { client in
      // Lines that wait for the next round.
      if client.hasLines { return now }
      let own = client.nextDeadline
      return client.session.isActionDelayed ? min(own ?? budget.nextAction, budget.nextAction) : own
    }.min()
  }

  private func schedule(_ deadline: Instant?, at now: Instant) {
    guard let deadline else { return }
    nextRound = loop.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(max(deadline - now, .zero))) { [self] in
      round()
    }
  }

  // MARK: Terminal

  /// Opens the pseudo-terminal if there should be one, and tries again until that is possible.
  func openTerminal() {
    guard let path = settings.terminal, terminal == nil, !isClosed else { return }
    do throws(SICSError) {
      terminal = try PseudoTerminal(link: path)
      logger.info("MT-SICS on a pseudo-terminal", metadata: ["sics.pty": "\(path)"])
      reopenTerminal(for: makeClient(isTerminal: true))
    } catch {
      if error != reportedFault {
        logger.warning("cannot serve MT-SICS; retrying", metadata: ["sics.reason": "\(error)"])
      }
      reportedFault = error
      retryTerminal()
    }
  }

  /// Opens a connection to the pseudo-terminal; what was on its way is discarded.
  func reopenTerminal(for client: SICSClient) {
    guard let terminal, !isClosed else { return }
    guard let (input, output) = terminal.emptied() else {
      // No descriptors are left.
      terminalRetry = loop.eventLoop.assumeIsolated().scheduleTask(in: Self.retry) { [self] in
        reopenTerminal(for: client)
      }
      return
    }
    let connection = NIOLoopBoundBox<SICSConnection?>(SICSConnection(client), eventLoop: loop.eventLoop)
    NIOPipeBootstrap(group: loop.eventLoop)
      .channelOption(.autoRead, value: false)
      .channelOption(.maxMessagesPerRead, value: 1)
      .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: SICSLineReader.pieceBytes))
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          guard let handler = connection.value.take() else { return }
          try channel.pipeline.syncOperations.addHandler(handler)
        }
      }
      .takingOwnershipOfDescriptors(input: input, output: output)
      .assumeIsolated().whenFailure { [self] _ in
        // From the initialiser on, they belong to the channel.
        if connection.value != nil { for number in [input, output] { Glibc.close(number) } }
        remove(client)
      }
  }

  private func retryTerminal() {
    terminalRetry = loop.eventLoop.assumeIsolated().scheduleTask(in: Self.retry) { [self] in openTerminal() }
  }
}
