import Journal
import Linux
import Logging
import MQTTLink
import Messages
import Weighing

/// Delivers the weighings of the outbox to the broker, each until the broker has acknowledged it.
///
/// ```
///              sent                    acknowledged
/// waiting ------------> in flight --------------------> removed from the outbox
///                        ^     | rejected
///                        |     v
///       due, sent again  +--- parked: not sent until it is due
/// ```
/// On each connection it sends the waiting rows in order of their sequence, a window at a time and at a limited rate
/// (`SendRate`). A row leaves the outbox only when it is acknowledged: delivery is at least once, by id. A rejected record is
/// parked and does not delay later ones. Parked records become due on each new connection, after `grampad outbox retry`, and
/// every 10 minutes; they are sent after all waiting rows, in order of their sequence.
struct OutboxDelivery {
  private let journal: Journal
  private let topics: Topics
  private let logger: Logger
  private let send: (Message, UInt64) -> Admission
  private var composer: MessageComposer
  private var session: Session?
  private var delivered: [Int] = []
  private var rejected: [RejectedWeighing] = []
  /// Records on which a broker closes the connection.
  private var closing: [Int: BrokerAddress] = [:]
  /// Those that have just ended a connection: the next one skips them.
  private var omitted: Set<Int> = []
  private var search = ClosingRecordSearch()
  private var journalVersion: Int?
  private var counter = OutboxDepthCounter()

  /// An established connection.
  private struct Session {
    let broker: BrokerAddress
    let limits: BrokerLimits
    /// Records up to this sequence were made before the connection was established.
    var historicalThrough = Int.max
    /// Waiting rows up to this sequence were passed to the link.
    var sentThrough = 0
    /// Whether there may be more waiting rows than were sent.
    var hasMore = true
    /// Due rows up to this sequence were passed to the link; `nil` if no more rows are due.
    var dueThrough: Int?
    /// Parked records that are not sent even if they are due.
    var excluded: Set<Int> = []
    /// Records passed to the link but not acknowledged, with their packet sizes.
    var inFlight: [Int: Int] = [:]
    /// Whether the broker has acknowledged or rejected anything.
    var hadAnswers = false
    /// When all parked records become due; `nil` for immediately.
    var nextRetry: Instant?
    /// When to check for a request from another process.
    var nextLook: Instant
    /// Reasons that were logged as errors on this connection.
    var loggedReasons: Set<RejectedWeighing.Cause> = []
  }

  /// Maximum number of unacknowledged weighings in flight. 20 to 100 kept a connection busy in tests without repeating
  /// much when it breaks.
  private static let window = 50
  /// Time on one connection after which parked records are retried.
  private static let retryInterval = Interval.seconds(600)
  /// How often the journal is checked for `grampad outbox retry`, and only while records are parked and a connection is
  /// established, so that an idle appliance with nothing parked does not wake up for it.
  private static let lookInterval = Interval.seconds(3)
  /// Maximum number of successive records that may end connections; the next connection skips all of them.
  private static let closingAttempts = 4
  /// The link accepts no more for now, or the connection is about to end.
  private static let patience = Interval.seconds(1)

  /// Makes a delivery without a connection.
  init(journal: Journal, topics: Topics, logger: Logger, send: @escaping (Message, UInt64) -> Admission) {
    (self.journal, self.topics, self.logger, self.send) = (journal, topics, logger, send)
    composer = MessageComposer(topics: topics, heartbeat: .zero, clock: .recorded)
  }

  /// Number of waiting and parked rows; `nil` until the journal has been read.
  var depth: OutboxDepth? { counter.depth }
  /// Whether there is a connection and everything that is waiting or due was passed to it.
  var isSent: Bool { session.map { !$0.hasMore && $0.dueThrough == nil } ?? false }
  /// Why the last rejected record was rejected; `nil` while none is parked.
  var parkedReason: String? { counter.parkedReason }

  /// A connection is established: all rows of the outbox are historical now and are sent from the beginning, including
  /// parked records.
  mutating func connect(
    to broker: BrokerAddress, _ limits: BrokerLimits, at now: Instant
  ) throws(JournalError) {
    session = Session(broker: broker, limits: limits, nextLook: now + Self.lookInterval)
    session?.excluded = omitted.filter { closing[$0] == broker }
    session?.historicalThrough = try journal.last()?.sequence ?? 0
  }

  /// The connection has ended: unacknowledged records are sent again on the next one.
  mutating func disconnect(because fault: LinkError) {
    guard let session else { return }
    let inFlight = Array(session.inFlight.keys)
    let known = fault.isClosedByBroker ? inFlight.sorted().first { closing[$0] == session.broker } : nil
    if let sequence = known
      ?? search.connectionEnded(because: fault, inFlight: inFlight, hadAnswers: session.hadAnswers)
    {
      closing[sequence] = session.broker
      omitted.insert(sequence)
      if omitted.count >= Self.closingAttempts { omitted.formUnion(closing.keys) }
      rejected.append(rejection(of: sequence, .closedConnection(fault), session))
    } else {
      // Not known to have been ended by a record: the next connection tries all of them.
      omitted = []
    }
    self.session = nil
  }

  /// The journal has a new file: what was sent from it is unknown, so it is sent from the beginning.
  mutating func restart() {
    counter.invalidate()
    journalVersion = nil
    delivered = []
    rejected = []
    guard var session else { return }
    session.sentThrough = 0
    session.hasMore = true
    session.nextRetry = nil
    session.inFlight = [:]
    self.session = session
  }

  /// The broker has accepted or rejected a record.
  mutating func acknowledge(_ sequence: Int, _ reason: ReasonCode) {
    guard let session, session.inFlight[sequence] != nil else { return }
    if reason.isSuccess {
      delivered.append(sequence)
      closing[sequence] = nil
    } else {
      rejected.append(rejection(of: sequence, .reason(reason), session))
    }
    self.session?.inFlight[sequence] = nil
    self.session?.hadAnswers = true
    search.acknowledge()
  }

  private func rejection(of sequence: Int, _ cause: RejectedWeighing.Cause, _ session: Session) -> RejectedWeighing {
    RejectedWeighing(
      sequence: sequence, cause: cause, topic: topics(.weighing), packetSize: session.inFlight[sequence] ?? 0,
      limits: session.limits)
  }

  /// A new record is in the outbox; it is not historical.
  ///
  /// Its sequence number also shows where to continue if the journal could not be read before, or has a new file.
  mutating func append(_ sequence: Int) {
    counter.invalidate()
    guard var session else { return }
    session.hasMore = true
    session.historicalThrough = min(session.historicalThrough, sequence - 1)
    session.sentThrough = min(session.sentThrough, sequence - 1)
    self.session = session
  }

  /// Stores the broker's answers and sends the next rows.
  ///
  /// - Parameter rate: The rate of all that is sent from the journal.
  /// - Returns: When to call it again if nothing else happens; `nil` for never.
  mutating func work(at moment: Moment, within rate: inout SendRate) throws(JournalError) -> Instant? {
    let now = moment.now
    try storeRejections(at: moment.wall)
    // Batches acknowledgements instead of one transaction for each.
    if session?.inFlight.isEmpty != false || delivered.count >= Self.window / 2 { try storeDeliveries() }
    try checkForRetry(at: now)
    var deadlines = [try sendNext(at: now, within: &rate)]
    let isSending = session?.inFlight.isEmpty == false
    deadlines.append(try counter.update(from: journal, isSending: isSending, at: now))
    if let session, let depth, depth.parked > 0 { deadlines += [session.nextLook, session.nextRetry] }
    return deadlines.compactMap(\.self).min()
  }

  // MARK: - Answers

  /// Stores the broker's answers at the end.
  mutating func finish(at wall: Instant) throws(JournalError) {
    try storeRejections(at: wall)
    try storeDeliveries()
  }

  private mutating func storeDeliveries() throws(JournalError) {
    guard !delivered.isEmpty else { return }
    try journal.delivered(delivered)
    delivered.removeAll(keepingCapacity: true)
    counter.invalidate()
  }

  private mutating func storeRejections(at wall: Instant) throws(JournalError) {
    guard !rejected.isEmpty else { return }
    try journal.park(rejected.map { ($0.sequence, $0.text) }, at: wall)
    for weighing in rejected {
      // Each reason is logged once per connection, because a broker may reject every record.
      let isNew = session?.loggedReasons.insert(weighing.cause).inserted ?? true
      logger.log(
        level: isNew ? .error : .debug,
        "broker rejected a weighing; retrying in 10 minutes or on `grampad outbox retry`",
        metadata: [
          "weighing.sequence": "\(weighing.sequence)", "mqtt.reason": "\(weighing.reason)",
          "mqtt.advice": "\(weighing.advice)",
        ])
    }
    rejected.removeAll(keepingCapacity: true)
    counter.invalidate()
  }

  // MARK: - Retry

  private mutating func checkForRetry(at now: Instant) throws(JournalError) {
    guard let session else { return }
    if session.nextRetry.map({ $0 <= now }) ?? true {
      try beginRetry(at: now)
    } else if session.nextLook <= now, let depth, depth.parked > 0 {
      self.session?.nextLook = now + Self.lookInterval
      let version = try journal.version()
      defer { journalVersion = version }
      if let journalVersion, version != journalVersion, try !journal.due(after: 0, limit: 1).isEmpty {
        self.session?.excluded = []
        try beginRetry(at: now)
        logger.info("retrying parked weighings", metadata: ["weighing.parked": "\(depth.parked)"])
      }
    }
  }

  /// Makes all parked rows due and sends them from the beginning, except those in flight.
  private mutating func beginRetry(at now: Instant) throws(JournalError) {
    // Acknowledged rows must not be read from the outbox again.
    try storeDeliveries()
    let parked = try journal.requestRetry()
    if journalVersion == nil { journalVersion = try journal.version() }
    // A record that has just made the broker close the connection is skipped at first; after 10 minutes it is retried
    // too.
    if session?.nextRetry != nil { session?.excluded = [] }
    session?.nextRetry = now + Self.retryInterval
    session?.dueThrough = parked > 0 ? 0 : nil
  }

  // MARK: - Sending

  private mutating func sendNext(
    at now: Instant, within rate: inout SendRate
  ) throws(JournalError) -> Instant? {
    guard var session else { return nil }
    defer { self.session = session }
    while session.hasMore || session.dueThrough != nil {
      let isRetry = !session.hasMore
      // A record that may end the connection must be the only one in flight.
      let window = search.isSearching || (isRetry && !closing.isEmpty) ? 1 : Self.window
      guard session.inFlight.count < window else { break }
      let room = min(window - session.inFlight.count, rate.available(at: now))
      if room == 0 { return rate.nextBatch() }
      let records = try isRetry ? due(room, session) : waiting(room, session)
      for record in records {
        let isHistorical = isRetry || record.sequence <= session.historicalThrough
        let message = composer.weighing(record, historical: isHistorical)
        guard send(message, UInt64(record.sequence)) == .accepted else { return now + Self.patience }
        rate.countMessage(at: now)
        session.inFlight[record.sequence] = message.packetSize
        if isRetry { session.dueThrough = record.sequence } else { session.sentThrough = record.sequence }
      }
      guard records.count < room else { continue }
      if isRetry { session.dueThrough = nil } else { session.hasMore = false }
    }
    return nil
  }

  /// Waiting rows that were not sent, oldest first.
  private func waiting(_ count: Int, _ session: Session) throws(JournalError) -> [RecordedWeighing] {
    let records = try journal.pending(after: session.sentThrough, limit: count + session.inFlight.count)
    return Array(records.filter { session.inFlight[$0.sequence] == nil }.prefix(count))
  }

  /// Due rows that were not sent, oldest first.
  private func due(_ count: Int, _ session: Session) throws(JournalError) -> [RecordedWeighing] {
    let limit = count + session.inFlight.count + session.excluded.count
    let records = try journal.due(after: session.dueThrough ?? 0, limit: limit)
    let isLeftOut = { session.inFlight[$0] != nil || session.excluded.contains($0) }
    return Array(records.filter { !isLeftOut($0.sequence) }.prefix(count))
  }
}
