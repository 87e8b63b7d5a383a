import EventLoop
import Glibc
import Journal
import Logging
import MQTTLink
import Messages
import Synchronization
import Weighing

/// The thread that owns the journal: it records confirmed weighings and delivers each of them to a broker.
///
/// ```
///   weighing loop ──draft──►┐                       ┌─ on disk ──► weighing loop (`recorded`), and only then the world
///   link: acknowledged ────►│ journal (this thread) │
///   link: connected ───────►┘                       └─ outbox ──► link, a window at a time
/// ```
///
/// A slow or hung disk delays only records. The queue of this thread is bounded: the core allows 64 pending drafts, and
/// there are at most as many acknowledgements as messages in flight.
final class RecordKeeper: Sendable {
  /// Output of the keeper, on its own thread.
  enum Output: Sendable {
    /// The outcome of a draft.
    case outcome(RecordOutcome)
    /// The newest weighing that is not voided, before anything new is recorded; `nil` if there is none.
    case last(RecordedWeighing?)
    /// Whether the system clock is synchronised, when that has changed.
    case clock(ClockState)
    /// The state of the scale that was stored last.
    case memory(ScaleMemory)
    /// The newest records of earlier runs, oldest first.
    case recent([HistoryEntry])
    /// The state of the journal and the highest sequence number it has assigned.
    case health(Health.Journal, Health.Outbox, sequence: Int?)
    /// Weighings were lost.
    case loss(JournalLoss)
    /// The sequence comparison with the broker is over: health may be published.
    case sequenceCompared
  }

  private enum Order: Sendable {
    case record(WeighingDraft)
    case remember(ScaleMemory)
    case note(AuditEntry, at: Instant)
    case begin(RecordContext, at: Instant)
    case connected(BrokerAddress, BrokerLimits)
    case disconnected(LinkError)
    case subscribed
    case retainedSequence(Int)
    case acknowledged(token: UInt64, ReasonCode)
    case announce(Message)
    case stop

    var isStop: Bool { if case .stop = self { true } else { false } }
  }

  private let journal: Journal
  private let place: JournalLocation
  private let topics: Topics
  private let logger: Logger
  private let send: @Sendable (Message, UInt64) -> Admission
  private let onOutput: @Sendable (Output) -> Void
  private let inbox = Mutex<[Order]>([])
  private let letter = Signal()
  private let finished = Signal()
  private let restored = Signal()

  /// Makes a keeper; it does nothing until `start`.
  ///
  /// - Parameters:
  ///   - send: Publishes with QoS 1 under a token; must not wait.
  ///   - onOutput: Must not wait.
  init(
    _ place: JournalLocation, topics: Topics, logger: Logger, send: @escaping @Sendable (Message, UInt64) -> Admission,
    onOutput: @escaping @Sendable (Output) -> Void
  ) {
    self.place = place
    self.topics = topics
    self.logger = logger
    self.send = send
    self.onOutput = onOutput
    journal = Journal(place, logger: logger)
  }

  /// Starts the thread; call it once.
  func start(_ context: RecordContext) {
    leave(.begin(context, at: .wallClock()))
    OwnThread.start(name: "journal") { [self] in
      run()
      finished.raise()
    }
  }

  /// Queues a draft, whose outcome is reported once, or an entry for the audit trail.
  func take(_ effect: Effect) {
    switch effect {
    case .record(let draft): leave(.record(draft))
    case .memory(let memory, _): leave(.remember(memory))
    case .event(let event):
      if case .zeroed = event.kind { leave(.note(.zero, at: .wallClock())) }
    case .live, .reading, .settled, .contacts, .result, .gesture, .feedback, .weighing, .lastWeighing, .actions,
      .padWarning:
      break
    }
  }

  /// Publishes the report of a loss until a broker has accepted it.
  func announce(_ message: Message) { leave(.announce(message)) }

  /// Reads a page of the records; blocks on the disk, so call it on a thread that may wait. See `Journal.page`.
  func page(after sequence: Int, through last: Int?, count: Int) throws(JournalError) -> HistoryPage {
    // A separate connection does not block the thread that records. Without a write-ahead log a reader would copy the
    // whole file for each page; the journal's own connection creates the log.
    if case .file(let path) = place, access(path + "-wal", F_OK) == 0 {
      return try Journal.reader(path: path, logger: logger).page(after: sequence, through: last, count: count)
    }
    return try journal.page(after: sequence, through: last, count: count)
  }

  /// Sets the configuration for new records.
  func adopt(_ context: RecordContext) { leave(.begin(context, at: .wallClock())) }

  /// Handles an event of the link.
  func take(_ event: LinkEvent) {
    switch event {
    case .connected(let broker, _, _, let limits): leave(.connected(broker, limits))
    case .disconnected(_, let fault): leave(.disconnected(fault))
    case .acknowledged(let token, let reason): leave(.acknowledged(token: token, reason))
    case .subscribed(let filter):
      if filter == topics(.health) { leave(.subscribed) }
    case .message(let message):
      guard message.isRetained, message.topic == topics(.health) else { return }
      leave(.retainedSequence(Health.journalSequence(in: message.payload) ?? 0))
    case .refused, .dropped: break
    }
  }

  /// The link was replaced: messages passed to the old one will not be acknowledged.
  func forgetLink() { leave(.disconnected(.stopped)) }

  /// Ends the thread once everything queued is on disk or rejected.
  ///
  /// Waits at most `limit` for a hung disk.
  func stop(within limit: Interval) {
    leave(.stop)
    _ = finished.wait(milliseconds: Int32(clamping: limit.nanoseconds / 1_000_000))
  }

  /// Waits until the state of the scale has been read, but at most `limit` for a hung disk.
  func waitForMemory(within limit: Interval) -> Bool {
    restored.wait(milliseconds: Int32(clamping: limit.nanoseconds / 1_000_000))
  }

  private func leave(_ order: Order) {
    inbox.withLock { orders in
      // Only the newest state matters.
      if case .remember = order, case .remember? = orders.last { orders.removeLast() }
      orders.append(order)
    }
    letter.raise()
  }

  // MARK: - The thread

  /// Interval between attempts to read the outbox after a disk failure.
  private static let retryInterval = Interval.seconds(1)
  /// Interval between checks of clock synchronisation; every record checks on its own.
  private static let clockInterval = Interval.seconds(60)

  /// The state of the thread between two rounds, in separate parts.
  private struct Parts {
    var outbox: OutboxDelivery
    var faults: JournalFaults
    var scale = ScaleStateStore()
    var losses: LossReport
    var comparison = SequenceComparison()
    var checkpoint = CheckpointSchedule()
    var status: JournalStatus
    var clock: ClockState?
  }

  private func run() {
    var parts = Parts(
      outbox: OutboxDelivery(journal: journal, topics: topics, logger: logger, send: send),
      faults: JournalFaults(logger: logger), losses: LossReport(path: place.text, logger: logger, send: send),
      status: JournalStatus(path: place.text))
    open(&parts)
    restored.raise()
    while true {
      let orders = inbox.withLock { orders in
        defer { orders.removeAll() }
        return orders
      }
      for order in orders { perform(order, &parts) }
      parts.scale.store(in: journal, &parts.faults)
      if !orders.isEmpty { parts.checkpoint.noteWork(at: .now()) }
      parts.checkpoint.work(on: journal, at: .now())
      if parts.faults.takeReplacement() {
        parts.outbox.restart()
        parts.scale.repeatStore()
      }
      var next: Instant?
      parts.faults.read { () throws(JournalError) in next = try parts.outbox.work(at: .now()) }
      tell(&parts)
      if orders.contains(where: \.isStop) {
        parts.scale.finish(in: journal, &parts.faults)
        parts.faults.read { () throws(JournalError) in try parts.outbox.finish() }
        return journal.close()
      }
      if !parts.faults.isReadable || parts.scale.isPending { next = .now() + Self.retryInterval }
      let clockDue = Instant.now() + Self.clockInterval
      let deadlines = [next, parts.checkpoint.nextDeadline, parts.comparison.nextDeadline].compactMap(\.self)
      _ = letter.wait(milliseconds: deadlines.reduce(clockDue) { min($0, $1) }.millisecondsAway)
      letter.lower()
    }
  }

  private func open(_ parts: inout Parts) {
    parts.faults.write { () throws(JournalError) in
      journal.recordExclusively()
      try journal.open()
      if let memory = try parts.scale.restore(from: journal, logger: logger) { onOutput(.memory(memory)) }
      // An empty journal does not show what a broker retains.
      if try journal.last() != nil { onOutput(.last(try journal.lastStanding())) }
      let recent = try journal.newest(RecentWeighings.capacity)
      onOutput(.recent(recent))
      logger.debug("journal opened", metadata: ["journal.path": "\(place.text)", "journal.recent": "\(recent.count)"])
    }
  }

  private func perform(_ order: Order, _ parts: inout Parts) {
    switch order {
    case .record(let draft): record(draft, &parts)
    case .remember(let memory): parts.scale.replace(by: memory)
    case .note(let entry, let time):
      parts.faults.write { () throws(JournalError) in try journal.note(entry, at: time) }
    case .begin(let context, let time):
      parts.faults.write { () throws(JournalError) in
        try journal.begin(
          configurationHash: context.configurationHash, calibrationHash: context.calibrationHash, at: time)
      }
    case .connected(let broker, let limits):
      parts.faults.read { () throws(JournalError) in try parts.outbox.connect(to: broker, limits, at: .now()) }
      parts.comparison.connect(at: .now())
      parts.losses.connect()
    case .disconnected(let fault):
      parts.outbox.disconnect(because: fault)
      parts.comparison.disconnect()
      parts.losses.disconnect()
    case .subscribed: parts.comparison.subscribe(at: .now())
    case .retainedSequence(let seen):
      parts.status.setSequence(parts.comparison.compare(journal, with: seen, &parts.faults, logger: logger))
    case .acknowledged(let token, let reason):
      if token >= LossReport.firstToken {
        parts.losses.acknowledge(token, reason)
      } else {
        parts.outbox.acknowledge(Int(token), reason)
      }
    case .announce(let message): parts.losses.announce(message)
    case .stop: break
    }
  }

  /// Records a draft and reports the outcome.
  private func record(_ draft: WeighingDraft, _ parts: inout Parts) {
    let (outcome, fault) = journal.outcome(of: draft, at: draft.time + Instant.wallOffset(), clock: .now())
    parts.faults.write { () throws(JournalError) in if let fault { throw fault } }
    onOutput(.outcome(outcome))
    if let record = try? outcome.result.get() { parts.outbox.noteNew(record.sequence) }
  }

  /// Reports what has changed.
  private func tell(_ parts: inout Parts) {
    if parts.comparison.isOver(at: .now()) { onOutput(.sequenceCompared) }
    parts.losses.work(journal, &parts.faults) { onOutput(.loss($0)) }
    parts.status.setSequence(journal.sequence)
    if let report = parts.status.change(parts.faults.current, parts.outbox) {
      onOutput(.health(report.journal, report.outbox, sequence: report.sequence))
    }
    let clock = ClockState.now()
    if parts.clock != clock {
      parts.clock = clock
      onOutput(.clock(clock))
    }
  }
}
