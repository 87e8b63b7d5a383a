import EventLoop
import Glibc
import Journal
import Logging
import MQTTLink
import Messages
import Synchronization
import Weighing

/// The thread that owns the journal: it records what was confirmed, and sees to it that every weighing reaches a broker.
///
/// ```
///   weighing loop ──draft──►┐                       ┌─ on disk ──► weighing loop (`recorded`), and only then the world
///   link: acknowledged ────►│ journal (this thread) │
///   link: connected ───────►┘                       └─ outbox ──► link, a window at a time
/// ```
///
/// A disk that is slow or hangs delays records and nothing else. What is left for this thread is bounded: the core lets 64
/// drafts wait, and no more acknowledgements come than the window has messages.
final class RecordKeeper: Sendable {
  /// What the keeper tells, on its own thread.
  enum Output: Sendable {
    /// What became of a draft.
    case outcome(RecordOutcome)
    /// The newest weighing that is not voided, before anything new is recorded; `nil` where all are.
    case last(RecordedWeighing?)
    /// Whether the system clock is synchronised, as far as it has changed.
    case clock(ClockState)
    /// The state of the scale that was stored last.
    case memory(ScaleMemory)
    /// The newest that were there, oldest first.
    case recent([HistoryEntry])
    /// How the journal is doing, and the highest number that it has given out.
    case health(Health.Journal, Health.Outbox, sequence: Int?)
    /// Weighings are lost.
    case loss(JournalLoss)
    /// The number that the broker has seen is known, or it has not told it: health may be published.
    case sequenceCompared
  }

  private enum Order: Sendable {
    case record(WeighingDraft)
    case remember(ScaleMemory)
    case note(AuditEntry, at: Instant)
    case begin(RecordContext, at: Instant)
    case connected(BrokerAddress, BrokerLimits)
    case disconnected(LinkFault)
    case subscribed
    case retainedSequence(Int)
    case acknowledged(sequence: Int, ReasonCode)
    case stop
  }

  let journal: Journal
  let place: JournalPlace
  private let topics: Topics
  let logger: Logger
  private let send: @Sendable (Message, UInt64) -> Admission
  let onOutput: @Sendable (Output) -> Void
  private let inbox = Mutex<[Order]>([])
  private let letter = Signal()
  private let finished = Signal()
  private let restored = Signal()

  /// Makes a keeper that does nothing until `start`.
  ///
  /// - Parameters:
  ///   - send: Publishes with QoS 1 under a token; must not wait.
  ///   - onOutput: Must not wait.
  init(
    _ place: JournalPlace, topics: Topics, logger: Logger, send: @escaping @Sendable (Message, UInt64) -> Admission,
    onOutput: @escaping @Sendable (Output) -> Void
  ) {
    self.place = place
    self.topics = topics
    self.logger = logger
    self.send = send
    self.onOutput = onOutput
    journal = Journal(place, logger: logger)
  }

  /// Starts the thread; to be called once.
  func start(_ context: RecordContext) {
    leave(.begin(context, at: .wallClock()))
    OwnThread.start(name: "journal") { [self] in
      run()
      finished.raise()
    }
  }

  /// Takes what the scale wants done: a draft, whose outcome is told once, or what belongs into the audit trail.
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

  /// Reads a page of the records; waits for the disk, so on another thread than the scale's. See `Journal.page`.
  func page(after sequence: Int, through last: Int?, count: Int) throws(JournalError) -> HistoryPage {
    // A connection of its own does not hold up the thread that records. Without a write-ahead log a reader would copy the
    // whole file for each page; the journal's own connection makes one.
    if case .file(let path) = place, access(path + "-wal", F_OK) == 0 {
      return try Journal.reader(path: path, logger: logger).page(after: sequence, through: last, count: count)
    }
    return try journal.page(after: sequence, through: last, count: count)
  }

  /// Under which configuration records are made from now on.
  func adopt(_ context: RecordContext) { leave(.begin(context, at: .wallClock())) }

  /// Takes what a link tells.
  func take(_ event: LinkEvent) {
    switch event {
    case .connected(let broker, _, _, let limits): leave(.connected(broker, limits))
    case .disconnected(_, let fault): leave(.disconnected(fault))
    case .acknowledged(let token, let reason): leave(.acknowledged(sequence: Int(clamping: token), reason))
    case .subscribed(let filter):
      if filter == topics(.health) { leave(.subscribed) }
    case .message(let message):
      guard message.isRetained, message.topic == topics(.health) else { return }
      leave(.retainedSequence(Health.journalSequence(in: message.payload) ?? 0))
    case .refused, .dropped: break
    }
  }

  /// The link is replaced: nothing that it was given will be acknowledged.
  func forgetLink() { leave(.disconnected(.stopped)) }

  /// Ends the thread when everything it was given is on disk, or refused.
  ///
  /// A disk that hangs is waited for no longer than `limit`.
  func stop(within limit: Interval) {
    leave(.stop)
    _ = finished.wait(milliseconds: Int32(clamping: limit.nanoseconds / 1_000_000))
  }

  /// Waits until the state of the scale has been read; a disk that hangs is waited for no longer than `limit`.
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

  /// After a failure of the disk, the outbox is tried again this often.
  private static let retryInterval = Interval.seconds(1)
  /// Whether the clock is synchronised is looked at this often; every record looks for itself.
  private static let clockInterval = Interval.seconds(60)

  private func run() {
    var outbox = OutboxDelivery(journal: journal, topics: topics, logger: logger, send: send)
    var state = State()
    look(&state)
    restored.raise()
    while true {
      let orders = inbox.withLock { orders in
        defer { orders.removeAll() }
        return orders
      }
      var isStopping = false
      for order in orders {
        switch order {
        case .record(let draft):
          if let sequence = record(draft, &state) { outbox.noteNew(sequence) }
        case .remember(let memory): state.memory = memory
        case .note(let entry, let time):
          write(&state) { () throws(JournalError) in try journal.note(entry, at: time) }
        case .begin(let context, let time):
          write(&state) { () throws(JournalError) in
            try journal.begin(
              configurationHash: context.configurationHash, calibrationHash: context.calibrationHash, at: time)
          }
        case .connected(let broker, let limits):
          read(&state) { () throws(JournalError) in try outbox.connect(to: broker, limits, at: .now()) }
          state.comparison.connect(at: .now())
          state.isConnected = true
        case .disconnected(let fault):
          outbox.disconnect(because: fault)
          state.comparison.disconnect()
          state.isConnected = false
        case .subscribed: state.comparison.subscribe(at: .now())
        case .retainedSequence(let sequence): compare(sequence, &state)
        case .acknowledged(let sequence, let reason): outbox.acknowledge(sequence, reason)
        case .stop: isStopping = true
        }
      }
      if let memory = state.memory {
        var isStored = false
        write(&state) { () throws(JournalError) in
          try journal.store(memory)
          isStored = true
        }
        if isStored { state.memory = nil }
      }
      if !orders.isEmpty { state.checkpoint.noteWork(at: .now()) }
      state.checkpoint.work(on: journal, at: .now())
      if state.isRenewed {
        state.isRenewed = false
        outbox.restart()
      }
      var next: Instant?
      read(&state) { () throws(JournalError) in next = try outbox.work(at: .now()) }
      if state.comparison.isOver(at: .now()) { onOutput(.sequenceCompared) }
      tellLosses(&state)
      tell(&state, outbox)
      tellClock(.now(), &state)
      if isStopping {
        read(&state) { () throws(JournalError) in try outbox.finish() }
        return journal.close()
      }
      if state.readFault != nil || state.memory != nil { next = .now() + Self.retryInterval }
      let clockDue = Instant.now() + Self.clockInterval
      let deadlines = [next, state.checkpoint.nextDeadline, state.comparison.nextDeadline].compactMap(\.self)
      _ = letter.wait(milliseconds: deadlines.reduce(clockDue) { min($0, $1) }.millisecondsAway)
      letter.lower()
    }
  }

  /// Records a draft and tells what became of it; returns its number, `nil` when it was not recorded.
  private func record(_ draft: WeighingDraft, _ state: inout State) -> Int? {
    let (outcome, fault) = journal.outcome(of: draft, at: draft.time + Instant.wallOffset(), clock: .now())
    write(&state) { () throws(JournalError) in if let fault { throw fault } }
    onOutput(.outcome(outcome))
    return try? outcome.result.get().sequence
  }

  // MARK: - How it is doing

  /// What is wrong with the journal, and what was last said of it, so that nothing is said twice.
  struct State {
    /// Why something could not be recorded; stands until something could be.
    var writeFault: JournalError?
    /// Why the outbox could not be looked at.
    var readFault: JournalError?
    /// Whether another file has taken the place of the one that the outbox was read from.
    var isRenewed = false
    /// The state of the scale that is not stored yet.
    var memory: ScaleMemory?
    var journal: Health.Journal?
    var outbox: Health.Outbox?
    /// The highest number given out, and the one told last.
    var sequence: Int?
    var toldSequence: Int?
    /// Whether losses were told of that have yet to be marked as announced.
    var hasLosses = false
    var isConnected = false
    var comparison = SequenceComparison()
    var checkpoint = CheckpointSchedule()
    var clock: ClockState?
  }

  func write(_ state: inout State, _ body: () throws(JournalError) -> Void) {
    do throws(JournalError) {
      try body()
      state.writeFault = nil
    } catch {
      complain(error, &state)
      state.writeFault = error
    }
  }

  func read(_ state: inout State, _ body: () throws(JournalError) -> Void) {
    do throws(JournalError) {
      try body()
      state.readFault = nil
    } catch {
      complain(error, &state)
      state.readFault = error
    }
  }

  /// Tells of a fault, once for writing and reading.
  private func complain(_ error: JournalError, _ state: inout State) {
    switch error {
    case .corrupt, .replaced: state.isRenewed = true
    case .notFound, .notPermitted, .cannotCreate, .full, .readOnly, .busy, .foreign, .newer, .versionMissing,
      .markNotWritten, .nothingToVoid, .unknownWeighing, .other:
      break
    }
    guard ![state.writeFault, state.readFault].contains(where: { $0?.description == error.description }) else { return }
    logger.error("journal unavailable", metadata: ["journal.reason": "\(error)"])
  }

  private func look(_ state: inout State) {
    write(&state) { () throws(JournalError) in
      try journal.open()
      switch try journal.scaleState() {
      case .none: break
      case .state(let memory): onOutput(.memory(memory))
      case .damaged: logger.warning("stored tare and plate are damaged; starting without them")
      }
      // An empty journal says nothing about what a broker keeps.
      if try journal.last() != nil { onOutput(.last(try journal.lastStanding())) }
      let recent = try journal.newest(RecentWeighings.capacity)
      onOutput(.recent(recent))
      logger.debug("journal open", metadata: ["journal.path": "\(place.text)", "journal.recent": "\(recent.count)"])
    }
  }

  private func tellClock(_ clock: ClockState, _ state: inout State) {
    guard state.clock != clock else { return }
    state.clock = clock
    onOutput(.clock(clock))
  }

  private func tell(_ state: inout State, _ delivery: OutboxDelivery) {
    let fault = state.writeFault ?? state.readFault
    let journal: Health.Journal = fault.map { .unavailable($0.description) } ?? .available(path: place.text)
    let outbox = Health.Outbox(
      waiting: delivery.depth?.waiting ?? 0, parked: delivery.depth?.parked ?? 0,
      parkedReason: delivery.parkedReason)
    if state.journal == journal, state.outbox == outbox, state.toldSequence == state.sequence { return }
    (state.journal, state.outbox, state.toldSequence) = (journal, outbox, state.sequence)
    onOutput(.health(journal, outbox, sequence: state.sequence))
  }
}
