import Journal
import MQTTLink
import Messages
import Weighing

/// Publishes records of the journal again, for clients that have gaps: one request after the other.
///
/// ```
///           first in the queue        all sent and acknowledged
/// queued ────────────────────► active ─────────────────────────► answered
///    │                           │
///    └──── connection ends ──────┴───► forgotten, without an answer
/// ```
/// It sends only while the outbox has nothing to send, and leaves a part of the common rate to new weighings. A request
/// ends with its connection: the client asks again for what is still missing. Records that are parked in the outbox are
/// left out, because the broker has rejected them, maybe by closing the connection.
struct ResendDelivery {
  /// A request that is being carried out.
  private struct Active {
    var request: ResendRequest
    var result: ResendResult
    /// The next sequence number to read.
    var next: Int
    /// Records to leave out.
    var parked: Set<Int>
    /// Records that the broker rejects.
    var rejected: [Int] = []
    /// Records that were passed to the link but not acknowledged, by token.
    var inFlight: [UInt64: Int] = [:]

    /// Counts the numbers from `next` on as missing.
    mutating func skip(through last: Int) {
      guard next <= last else { return }
      result.missing.append(next...last)
      next = last + 1
    }
  }

  private let journal: Journal
  private let send: (Message, UInt64) -> Admission
  private var composer: MessageComposer
  private var active: Active?
  private var queue: [ResendRequest] = []
  private var answers: [ResendAnswer] = []
  private var nextToken = Self.tokens.lowerBound

  /// The tokens of resent records: above all sequence numbers, below those of `IncidentReport`.
  static let tokens: Range<UInt64> = 1 << 62..<IncidentReport.firstToken
  /// Maximum number of requests that wait; a collector has one at a time.
  static let capacity = 16
  /// Maximum number of unacknowledged records, as for the outbox.
  private static let window = 50
  /// Number of messages of the common rate that are left to new weighings.
  private static let reserve = 25
  /// The link accepts no more for now, or the connection is about to end.
  private static let patience = Interval.seconds(1)

  /// Makes a delivery without requests.
  init(journal: Journal, topics: Topics, send: @escaping (Message, UInt64) -> Admission) {
    (self.journal, self.send) = (journal, send)
    composer = MessageComposer(topics: topics, heartbeat: .zero, clock: .recorded)
  }

  /// Queues a request, or rejects it if too many are waiting.
  mutating func append(_ request: ResendRequest, at now: Instant) {
    guard queue.count < Self.capacity else { return reject(request, .busy, at: now) }
    queue.append(request)
  }

  /// The connection has ended, and all requests with it.
  mutating func disconnect() { (active, queue) = (nil, []) }

  /// The broker has accepted or rejected a record.
  mutating func acknowledge(_ token: UInt64, _ reason: ReasonCode) {
    guard let sequence = active?.inFlight.removeValue(forKey: token) else { return }
    if reason.isSuccess {
      active?.result.sent += 1
    } else {
      active?.rejected.append(sequence)
    }
  }

  /// Returns the answers since the last call.
  mutating func removeAnswers() -> [ResendAnswer] {
    defer { answers.removeAll() }
    return answers
  }

  /// Sends the next records. If the journal cannot be read, the request is rejected.
  ///
  /// - Parameter rate: The rate of all that is sent from the journal.
  /// - Returns: When to call it again if nothing else happens; `nil` for never.
  mutating func work(at now: Instant, within rate: inout SendRate) throws(JournalError) -> Instant? {
    do throws(JournalError) {
      while try begin(at: now) {
        if let deadline = try sendNext(at: now, within: &rate) { return deadline }
        guard let active, active.next > active.request.range.upperBound, active.inFlight.isEmpty else { return nil }
        finish(at: now)
      }
      return nil
    } catch {
      if let active { reject(active.request, .journalUnavailable, at: now) }
      active = nil
      throw error
    }
  }

  /// Makes the next request the active one unless there is one; returns whether there is one now.
  private mutating func begin(at now: Instant) throws(JournalError) -> Bool {
    while active == nil, !queue.isEmpty {
      let request = queue.removeFirst()
      if let expiry = request.expiry, expiry <= now {
        reject(request, .expired, at: now)
        continue
      }
      var result = ResendResult(range: request.range, source: request.source)
      // Before anything is read: a record that is made later is neither sent nor missing.
      result.last = journal.sequence ?? 0
      active = Active(request: request, result: result, next: request.range.lowerBound, parked: [])
      active?.parked = Set(try journal.parked(in: request.range))
    }
    return active != nil
  }

  private mutating func sendNext(at now: Instant, within rate: inout SendRate) throws(JournalError) -> Instant? {
    guard var active else { return nil }
    defer { self.active = active }
    let last = active.request.range.upperBound
    while active.next <= last, active.inFlight.count < Self.window {
      let room = min(Self.window - active.inFlight.count, rate.available(at: now, keeping: Self.reserve))
      if room == 0 { return rate.nextBatch(keeping: Self.reserve) }
      let page = try journal.page(after: active.next - 1, through: last, count: room)
      for record in page.entries.map(\.record) {
        active.skip(through: record.sequence - 1)
        if active.parked.contains(record.sequence) {
          active.rejected.append(record.sequence)
        } else {
          let message = composer.weighing(record, historical: true)
          guard send(message, nextToken) == .accepted else { return now + Self.patience }
          rate.countMessage(at: now)
          active.inFlight[nextToken] = record.sequence
          nextToken += 1
        }
        active.next = record.sequence + 1
      }
      // A page can end before the last record; those after it follow in the next one.
      if page.entries.count < room { active.skip(through: page.end) }
    }
    return nil
  }

  private mutating func finish(at now: Instant) {
    guard var active else { return }
    for sequence in active.rejected.sorted() { active.result.rejected.append(number: sequence) }
    active.result.time = now
    answers.append(ResendAnswer(result: active.result, caller: active.request.caller))
    self.active = nil
  }

  private mutating func reject(_ request: ResendRequest, _ reason: ResendResult.Rejection, at now: Instant) {
    let limit: RejectionDetail =
      switch reason {
      case .busy: .commandsWaiting(maximum: Self.capacity)
      case .expired: .expired
      case .journalUnavailable: .journalUnavailable
      }
    let result = ResendResult(
      range: request.range, source: request.source, rejection: reason, limit: limit, time: now)
    answers.append(ResendAnswer(result: result, caller: request.caller))
  }
}
