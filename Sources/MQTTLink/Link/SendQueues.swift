import DequeModule
import Messages
import Weighing

/// Messages that are queued, and messages that are sent but not acknowledged; a value without I/O.
///
/// ```
///            append                  popNext              appendInFlight       acknowledge
/// caller ----------> live          ----------> QoS 0, gone
///                    retained      ---+
///                    assured       ---+------> QoS 1 --------> in flight ------------> gone
///                    with a token  ---+                            |
///                    urgent        ---+                            |
///                        ^                       close: the assured return, in order
///                        +-----------------------------------------+
/// ```
/// Urgent messages are sent first and have places in flight of their own, so that neither a backlog of any length nor
/// outstanding acknowledgements of other messages delay them by more than the bytes that the socket already holds.
/// A message is passed to libmosquitto only if it can be sent immediately: the library's own queue is unbounded and
/// outlives the connection.
struct SendQueues: Sendable {
  /// A queued message.
  struct Entry: Hashable, Sendable {
    var message: Message
    /// Set if the caller wants to know about the acknowledgement.
    var token: UInt64?
    var queuedAt: Instant
    /// Whether the broker has rejected it before.
    var isRepeated = false

    /// Remaining lifetime at `now`; `nil` if the message does not expire, zero or less if it has expired. `now` may be
    /// earlier than `queuedAt`: the link's thread reads the clock once for all messages.
    func remaining(at now: Instant) -> Interval? {
      message.expiry.map { Interval(nanoseconds: $0.nanoseconds - max(0, (now - queuedAt).nanoseconds)) }
    }
  }

  /// Maximum number of topics in the live and in the retained queue; a scale has fewer than 40.
  static let topicCapacity = 1024

  /// Places in flight for urgent messages only: one that switches an output on, and one that switches it off.
  static let reserved = 2
  /// Maximum number of urgent messages, above which those with an expiry are dropped; a dose needs two.
  static let urgentCapacity = 64

  private(set) var isOpen = false
  /// Number of messages dropped since the start because a queue was full.
  private(set) var dropped = 0

  private let assuredCapacity: Int
  private let firstTopic: String?
  /// One message per topic, in order of arrival; so few that a linear search is faster than a hash table.
  private var live: [Entry] = []
  private var assured = Deque<Entry>()
  private var tokened = Deque<Entry>()
  private var urgent = Deque<Entry>()
  /// Messages without an expiry that the broker has rejected, with the time to send them again in `queuedAt`; one per topic.
  private var rejectedUrgent: [Entry] = []
  private var tokenIsNext = true
  private var retained: [String: Entry] = [:]
  private var retainedOrder: [String] = []
  private var retainedPending = Deque<String>()
  private var retainedWaits: Set<String> = []
  private var inFlight: [(identifier: Int32, entry: Entry, sentAt: Instant)] = []

  /// Makes empty queues; `firstTopic` is sent before all other retained topics.
  init(assuredCapacity: Int, firstTopic: String?) {
    self.assuredCapacity = max(1, assuredCapacity)
    self.firstTopic = firstTopic
  }

  /// Queues a message according to its delivery.
  mutating func append(_ message: Message, at now: Instant) {
    let entry = Entry(message: message, queuedAt: now)
    switch message.delivery {
    case .live:
      if isOpen { appendLive(entry) }
    case .assured:
      assured.append(entry)
      if assured.count > assuredCapacity {
        _ = assured.popFirst()
        dropped += 1
      }
    case .retained:
      appendRetained(entry)
    case .urgent:
      if isOpen { appendUrgent(entry) }
    }
  }

  /// Ensures that fewer than `limit` assured messages are queued; otherwise counts a dropped message.
  mutating func hasRoom(below limit: Int) -> Bool {
    if assured.count < limit { return true }
    dropped += 1
    return false
  }

  /// Queues a message whose acknowledgement is reported.
  mutating func append(_ message: Message, token: UInt64, at now: Instant) -> Admission {
    guard isOpen else { return .notConnected }
    guard tokened.count < assuredCapacity else { return .full }
    tokened.append(Entry(message: message, token: token, queuedAt: now))
    return .accepted
  }

  private mutating func appendLive(_ entry: Entry) {
    if let index = live.firstIndex(where: { $0.message.topic == entry.message.topic }) {
      live[index] = entry
    } else if live.count < Self.topicCapacity {
      live.append(entry)
    } else {
      dropped += 1
    }
  }

  /// There is at most one message without an expiry for each topic, and none of them is dropped.
  private mutating func appendUrgent(_ entry: Entry) {
    rejectedUrgent.removeAll { $0.message.topic == entry.message.topic }
    if entry.message.expiry == nil {
      urgent.removeAll { $0.message.topic == entry.message.topic }
    } else if urgent.count >= Self.urgentCapacity {
      dropped += 1
      return
    }
    urgent.append(entry)
  }

  /// Queues a rejected urgent message again for `due`, unless it has an expiry or a later one of its topic is queued or in flight.
  ///
  /// An earlier one in flight does not count: a broker may acknowledge a message that switches on after this one.
  mutating func repeatUrgent(_ rejected: Entry, at due: Instant) {
    let isReplaced = (urgent + inFlight.map(\.entry)).contains {
      $0.message.delivery == .urgent && $0.message.topic == rejected.message.topic && $0.queuedAt >= rejected.queuedAt
    }
    guard isOpen, rejected.message.expiry == nil, !isReplaced else { return }
    rejectedUrgent.append(Entry(message: rejected.message, queuedAt: due, isRepeated: true))
  }

  private mutating func appendRetained(_ entry: Entry) {
    let topic = entry.message.topic
    if retained[topic] == nil {
      guard retained.count < Self.topicCapacity else {
        dropped += 1
        return
      }
      retainedOrder.insert(topic, at: topic == firstTopic ? 0 : retainedOrder.count)
    }
    retained[topic] = entry
    if isOpen, retainedWaits.insert(topic).inserted { retainedPending.append(topic) }
  }

  /// The connection is established: all retained messages are queued again, and live messages are accepted.
  mutating func open() {
    isOpen = true
    retainedPending = Deque(retainedOrder)
    retainedWaits = Set(retainedOrder)
  }

  /// The connection has ended: live and urgent messages are dropped, tokens become void, unacknowledged assured messages
  /// return to the front of the queue.
  mutating func close() {
    isOpen = false
    live = []
    (urgent, rejectedUrgent) = (Deque(), [])
    tokened = Deque()
    assured.prepend(contentsOf: inFlight.map(\.entry).filter { $0.token == nil && $0.message.delivery == .assured })
    inFlight = []
    while assured.count > assuredCapacity {
      _ = assured.popFirst()
      dropped += 1
    }
  }

  /// The next message to send: urgent messages first, then retained ones, then assured ones and those with a token
  /// alternately, then live ones; at most `window` unacknowledged QoS 1 messages, and `reserved` more urgent ones.
  ///
  /// Live messages have QoS 0 and are not subject to the window: a broker that acknowledges slowly does not delay them.
  mutating func popNext(window: Int, at now: Instant) -> Entry? {
    guard isOpen else { return nil }
    if urgentRepeat.map({ $0 <= now }) == true { urgent.append(rejectedUrgent.removeFirst()) }
    if inFlight.count < window + Self.reserved {
      while let entry = urgent.popFirst() { if !entry.hasExpired(at: now) { return entry } }
    }
    if inFlight.count < window {
      while !retainedPending.isEmpty { if let entry = popRetained() { return entry } }
      while let entry = popAssured() {
        // A message with a token is never dropped silently: its caller waits for a result.
        if entry.token != nil || !entry.hasExpired(at: now) { return entry }
      }
    }
    while !live.isEmpty {
      let entry = live.removeFirst()
      if !entry.hasExpired(at: now) { return entry }
    }
    return nil
  }

  /// Alternates between messages without and with a token: neither a flood of results nor a backlog of weighings delays
  /// the other.
  private mutating func popAssured() -> Entry? {
    tokenIsNext.toggle()
    return tokenIsNext ? tokened.popFirst() ?? assured.popFirst() : assured.popFirst() ?? tokened.popFirst()
  }

  private mutating func popRetained() -> Entry? {
    guard let topic = retainedPending.popFirst() else { return nil }
    retainedWaits.remove(topic)
    return retained[topic]
  }

  /// Records that a QoS 1 message was sent with this packet identifier.
  mutating func appendInFlight(_ entry: Entry, identifier: Int32, at now: Instant) {
    inFlight.append((identifier, entry, now))
  }

  /// Records the broker's acknowledgement; returns the acknowledged message, or `nil` for an unknown identifier.
  mutating func acknowledge(identifier: Int32) -> Entry? {
    guard let index = inFlight.firstIndex(where: { $0.identifier == identifier }) else { return nil }
    let entry = inFlight.remove(at: index).entry
    // An empty message has cleared the retained one: there is nothing to publish again on the next connection.
    let topic = entry.message.topic
    if entry.message.payload.isEmpty, retained[topic] == entry, !retainedWaits.contains(topic) {
      retained[topic] = nil
      retainedOrder.removeAll { $0 == topic }
    }
    return entry
  }

  /// Number of unacknowledged QoS 1 messages.
  var unacknowledged: Int { inFlight.count }

  /// When the oldest of them was sent.
  var oldestUnacknowledged: Instant? { inFlight.first?.sentAt }

  /// Number of queued urgent messages.
  var queuedUrgent: Int { urgent.count }

  /// Whether an urgent message is queued or unacknowledged.
  var awaitsUrgent: Bool { !urgent.isEmpty || inFlight.contains { $0.entry.message.delivery == .urgent } }

  /// When the oldest urgent message with an expiry was published, of those that are queued or unacknowledged.
  var urgentSince: Instant? {
    let isMeant = { (entry: Entry) in entry.message.delivery == .urgent && entry.message.expiry != nil }
    return (inFlight.first { isMeant($0.entry) }?.entry ?? urgent.first(where: isMeant))?.queuedAt
  }

  /// When the next rejected urgent message is sent again; `nil` if no such message waits.
  var urgentRepeat: Instant? { rejectedUrgent.first?.queuedAt }

  /// Whether the last unacknowledged urgent message of a topic has an expiry: it switches an output on, and no later one follows.
  var endsWithExpiring: Bool {
    let sent = inFlight.map(\.entry.message).filter { $0.delivery == .urgent }
    return sent.contains { message in sent.last { $0.topic == message.topic }?.expiry != nil }
  }

  /// Whether no QoS 1 message is queued or unacknowledged.
  var isDrained: Bool { inFlight.isEmpty && hasNothingAssured }

  /// Whether connected, with nothing queued.
  var isIdle: Bool { isOpen && live.isEmpty && hasNothingAssured }

  private var hasNothingAssured: Bool {
    urgent.isEmpty && assured.isEmpty && tokened.isEmpty && retainedPending.isEmpty
  }

  /// Number of queued assured messages.
  var assuredCount: Int { assured.count }
}

extension SendQueues.Entry {
  /// Whether the message has expired in the queue.
  func hasExpired(at now: Instant) -> Bool { remaining(at: now).map { $0 <= .zero } ?? false }
}

/// Whether a message with a token was queued.
package enum Admission: Hashable, Sendable {
  /// It will be sent; its acknowledgement or the end of the connection is reported as an event.
  case accepted
  /// Not connected: publish it again after the next `connected`.
  case notConnected
  /// The queue already holds `assuredCapacity` messages: publish it again after some acknowledgements.
  case full
}
