import EventLoop
import Logging
import Weighing

/// The work of the server's thread: accepts clients, moves bytes, and lets the sessions answer.
struct SICSLoop: ~Copyable {
  /// What other threads have left for this one.
  struct Input: Sendable {
    var reading: Reading?
    var outcomes: [SICSServer.Outcome]
    var identity: SICSIdentity?
    var isStopping: Bool
  }

  private let settings: SICSServer.Settings
  private let wake: Signal
  private let logger: Logger
  private let onListen: (String, UInt16) -> Void
  private let poller = Poller()
  private let maximum: Int
  private var identity: SICSIdentity
  private var listener: SICSListener?
  private var listenDeadline: Instant?
  private var logged: [String] = []
  private var clients: [Int32: SICSClient] = [:]
  private var lastClient: UInt64 = 0
  private var lastTurn: UInt64 = 0
  private var budget = SICSBudget()

  /// The maximum number of clients.
  private static let maximumClients = 128
  /// The most lines that are answered for one client in one round.
  private static let linesPerRound = 2
  private static let retry = Interval.seconds(5)

  init(
    _ settings: SICSServer.Settings, wake: Signal, logger: Logger, onListen: @escaping (String, UInt16) -> Void
  ) {
    self.settings = settings
    self.wake = wake
    self.logger = logger
    self.onListen = onListen
    identity = settings.identity
    // The page and the journal need descriptors, too.
    maximum = min(Self.maximumClients, max(4, DescriptorLimit.available / 4))
    poller.watch(wake.descriptor, for: .readable)
  }

  /// Runs until it is stopped.
  mutating func run(
    inbox: (_ needsReadings: Bool) -> Input, perform: (SICSSession.Order, _ client: UInt64) -> Void
  ) {
    listenDeadline = .now()
    var needsReadings = false
    while true {
      let input = inbox(needsReadings)
      if input.isStopping { return }
      if let new = input.identity, new != identity {
        identity = new
        for client in clients.values { client.session.identity = new }
      }
      let now = Instant.now()
      if let deadline = listenDeadline, deadline <= now { listen(at: now) }
      for outcome in input.outcomes {
        guard let client = clients.values.first(where: { $0.number == outcome.client }) else { continue }
        if let order = client.session.finish(outcome.order, outcome.result) {
          perform(order, client.number)
        }
      }
      answer(input.reading, at: now, perform)
      // A reading that arrives before the inbox knows that it is needed does not wake this thread.
      let wereReadingsNeeded = needsReadings
      needsReadings = clients.values.contains { $0.session.needsReadings }
      if needsReadings, !wereReadingsNeeded { continue }
      wait(at: now)
    }
  }

  /// Closes everything.
  mutating func close() {
    clients = [:]
    listener = nil
  }

  // MARK: Rounds

  private mutating func answer(_ reading: Reading?, at now: Instant, _ perform: (SICSSession.Order, UInt64) -> Void) {
    // In turn, so that a flood of some clients does not keep others waiting.
    for client in clients.values.sorted(by: { $0.lastTurn < $1.lastTurn }) {
      var lines = budget.lines(at: now, atMost: Self.linesPerRound)
      let before = lines
      if let order = client.session.advance(reading, at: now, mayAct: budget.mayAct(at: now), lines: &lines) {
        budget.countAction(at: now)
        perform(order, client.number)
      }
      if lines < before {
        budget.count(before - lines)
        lastTurn += 1
        client.lastTurn = lastTurn
      }
      if !client.send(at: now) || client.isExpired(at: now) || client.isFinished {
        drop(client)
      } else if let interest = client.changedInterest() {
        if client.hasEnded, interest.isEmpty {
          poller.forget(client.descriptor)
        } else {
          poller.watch(client.descriptor, for: interest)
        }
      }
    }
  }

  /// Sleeps until something is to be done, then reads and accepts.
  private mutating func wait(at now: Instant) {
    // A flood of lines must not keep the processor busy.
    if let pause = budget.pause(at: now) {
      wake.lower()
      _ = wake.wait(milliseconds: pause.millisecondsAway)
    }
    var deadline = listenDeadline
    for client in clients.values {
      var own = client.nextDeadline
      if client.session.isActionDelayed { own = min(own ?? budget.nextAction, budget.nextAction) }
      // Lines that wait for the next round.
      if client.hasLines { own = now }
      if let own { deadline = min(deadline ?? own, own) }
    }
    var ready: [Int32] = []
    poller.wait(until: deadline) { descriptor, _ in ready.append(descriptor) }
    wake.lower()
    let now = Instant.now()
    for descriptor in ready {
      if descriptor == wake.descriptor { continue }
      budget.countInput()
      if descriptor == listener?.descriptor { accept(at: now) }
      // One that sends nothing more is only waited for until it reads its answers.
      guard let client = clients[descriptor], !client.hasEnded else { continue }
      if !client.receive(at: now) {
        drop(client)
      }
    }
  }

  // MARK: Clients

  private mutating func drop(_ client: SICSClient) {
    poller.forget(client.descriptor)
    clients[client.descriptor] = nil
  }

  private mutating func accept(at now: Instant) {
    while let descriptor = listener?.accept() {
      if clients.count >= maximum, let oldest = clients.values.filter({ !$0.isTerminal }).min(by: Self.precedes) {
        drop(oldest)
      }
      add(SICSClient(descriptor, number: nextNumber(), identity: identity, isTerminal: false, at: now))
    }
  }

  /// Whether a client is dropped before another one: first those that have sent no command, then the one that was
  /// silent for longest.
  private static func precedes(_ one: SICSClient, _ other: SICSClient) -> Bool {
    if one.session.isProven != other.session.isProven { return !one.session.isProven }
    // Those that were accepted at the same moment, in their order.
    return (one.lastInput, one.number) < (other.lastInput, other.number)
  }

  private mutating func add(_ client: SICSClient) {
    clients[client.descriptor] = client
    if let interest = client.changedInterest() { poller.watch(client.descriptor, for: interest) }
  }

  private mutating func nextNumber() -> UInt64 {
    lastClient += 1
    return lastClient
  }

  // MARK: Listening

  private mutating func listen(at now: Instant) {
    listenDeadline = nil
    var faults: [String] = []
    if let endpoint = settings.endpoint, listener == nil {
      do throws(SICSError) {
        let new = try SICSListener(address: endpoint.address, port: endpoint.port)
        poller.watch(new.descriptor, for: .readable)
        logger.info(
          "listening for MT-SICS", metadata: ["sics.listen": "\(endpoint.address)", "sics.port": "\(new.port)"])
        onListen(endpoint.address, new.port)
        listener = new
      } catch {
        faults.append(error.description)
      }
    }
    if let path = settings.terminal, !clients.values.contains(where: \.isTerminal) {
      do throws(SICSError) {
        let terminal = try PseudoTerminal(link: path)
        add(SICSClient(terminal, number: nextNumber(), identity: identity, at: now))
        logger.info("MT-SICS on a pseudo-terminal", metadata: ["sics.pty": "\(path)"])
      } catch {
        faults.append(error.description)
      }
    }
    guard !faults.isEmpty else { return }
    listenDeadline = now + Self.retry
    if faults != logged {
      logger.warning(
        "cannot start MT-SICS; retrying", metadata: ["sics.reason": "\(faults.joined(separator: "; "))"])
    }
    logged = faults
  }
}
