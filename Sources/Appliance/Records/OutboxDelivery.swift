import Journal
import Logging
import MQTTLink
import Messages
import Weighing

/// Brings the weighings of the outbox to the broker, in order, each until the broker has acknowledged it.
///
/// On every connection it begins with the oldest, hands a window of messages to the link, and follows with the next as
/// acknowledgements come. A row leaves the outbox with its acknowledgement only, so that a weighing may arrive twice, under
/// the same id, but never not at all. What a broker refuses is parked: it stays in the journal, and stands in nobody's way.
struct OutboxDelivery {
  private let journal: Journal
  private let topics: Topics
  private let logger: Logger
  private let send: (Message, UInt64) -> Admission
  private var composer: MessageComposer

  private var line: Line?
  private var delivered: [Int] = []
  private var refused: [(sequence: Int, reason: ReasonCode)] = []
  /// What a broker has refused last, in words; `nil` while none has.
  private(set) var lastRefusal: String?

  /// A connection that stands.
  private struct Line {
    /// What was recorded up to here was recorded before it stood.
    var historicalThrough: Int
    /// Everything up to here was handed to the link.
    var sentThrough = 0
    /// What the link was handed and the broker has not acknowledged.
    var inFlight: Set<Int> = []
    /// Whether there may be more in the outbox than was sent.
    var hasMore = true
  }

  /// So many weighings are with the broker unacknowledged at most. 20 to 100 were found to keep a connection busy without
  /// making it relearn too much when it breaks.
  private static let window = 50

  /// Makes a delivery that has no connection.
  init(journal: Journal, topics: Topics, logger: Logger, send: @escaping (Message, UInt64) -> Admission) {
    self.journal = journal
    self.topics = topics
    self.logger = logger
    self.send = send
    composer = MessageComposer(topics: topics, heartbeat: .zero, clock: .recorded)
  }

  /// A connection stands: everything that is in the outbox now is late, and is sent from the beginning.
  mutating func connect() throws(JournalError) {
    line = Line(historicalThrough: .max)
    line?.historicalThrough = try journal.last()?.sequence ?? 0
  }

  /// The connection is gone: what it had not acknowledged is sent again on the next.
  mutating func disconnect() {
    line = nil
  }

  /// Another file is the journal now: what of it was sent is not known, so it is sent from its beginning.
  mutating func beginAnew() {
    guard let line else { return }
    self.line = Line(historicalThrough: line.historicalThrough)
  }

  /// The broker has answered.
  mutating func acknowledge(_ sequence: Int, _ reason: ReasonCode) {
    line?.inFlight.remove(sequence)
    if reason.isSuccess { delivered.append(sequence) } else { refused.append((sequence, reason)) }
  }

  /// A record is in the outbox that was made just now, and is therefore not late.
  ///
  /// Its number also tells where to go on when the journal could not be read before, or is another file than it was.
  mutating func noteNew(_ sequence: Int) {
    guard var line else { return }
    line.hasMore = true
    line.historicalThrough = min(line.historicalThrough, sequence - 1)
    line.sentThrough = min(line.sentThrough, sequence - 1)
    self.line = line
  }

  /// Takes what was acknowledged off the outbox and hands on what is next.
  ///
  /// - Returns: Whether the link would not take it all, so that it is to be tried again soon.
  mutating func work() throws(JournalError) -> Bool {
    try settle()
    while var line, line.hasMore, line.inFlight.count < Self.window {
      defer { self.line = line }
      let room = Self.window - line.inFlight.count
      let next = try journal.pending(after: line.sentThrough, limit: room)
      for record in next {
        let message = composer.weighing(record, historical: record.sequence <= line.historicalThrough)
        guard send(message, UInt64(record.sequence)) == .accepted else { return true }
        line.sentThrough = record.sequence
        line.inFlight.insert(record.sequence)
      }
      line.hasMore = next.count == room
    }
    return false
  }

  private mutating func settle() throws(JournalError) {
    while let (sequence, reason) = refused.first {
      let text = "the broker refuses it with reason \(reason)" + (reason.advice.map { ", " + $0 } ?? "")
      try journal.park(sequence, reason: text, at: .wallClock())
      refused.removeFirst()
      lastRefusal = text
      logger.error("weighing parked", metadata: ["weighing.sequence": "\(sequence)", "mqtt.reason": "\(reason)"])
    }
    guard !delivered.isEmpty else { return }
    try journal.delivered(delivered)
    delivered.removeAll(keepingCapacity: true)
  }
}
