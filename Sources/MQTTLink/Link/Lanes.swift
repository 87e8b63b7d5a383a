import Messages
import Weighing

/// What waits to be sent, and what was sent and waits for its acknowledgement; a value without I/O.
///
/// ```
///            accept                 takeNext                  sent           acknowledged
/// caller ----------> live          ----------> QoS 0, gone
///                    retained      ---+
///                    assured       ---+------> QoS 1 --------> in flight ------------> gone
///                    with a token  ---+                            |
///                        ^                       close: the assured return, in order
///                        +-----------------------------------------+
/// ```
/// Nothing is handed to libmosquitto that cannot leave at once: its own queue has no bound and outlives a connection.
struct Lanes: Sendable {
  /// A message on its way.
  struct Entry: Hashable, Sendable {
    var message: Message
    /// Where the caller wants to hear of the acknowledgement.
    var token: UInt64?
    var acceptedAt: Instant

    /// How long the message is still good for at `now`; `nil` for ever, zero or less for too late.
    func remaining(at now: Instant) -> Interval? {
      message.expiry.map { Interval(nanoseconds: $0.nanoseconds - (now - acceptedAt).nanoseconds) }
    }
  }

  /// Most topics that are remembered in the live and in the retained lane; a scale has fewer than 40.
  static let topicCapacity = 1024

  private(set) var isOpen = false
  /// Messages that had to be dropped because a lane was full, since the start.
  private(set) var dropped = 0

  private let assuredCapacity: Int
  private let firstTopic: String?
  /// One of each topic, in the order in which the topics came; so few that a look at each is quicker than a hash.
  private var live: [Entry] = []
  private var assured = Queue<Entry>()
  private var tokened = Queue<Entry>()
  private var tokenIsNext = true
  private var retained: [String: Entry] = [:]
  private var retainedOrder: [String] = []
  private var retainedPending = Queue<String>()
  private var retainedWaits: Set<String> = []
  private var inFlight: [(identifier: Int32, entry: Entry, sentAt: Instant)] = []

  /// Makes empty lanes; `firstTopic` is sent before all other retained topics.
  init(assuredCapacity: Int, firstTopic: String?) {
    self.assuredCapacity = max(1, assuredCapacity)
    self.firstTopic = firstTopic
  }

  /// Takes a message in, by its delivery.
  mutating func accept(_ message: Message, at now: Instant) {
    let entry = Entry(message: message, acceptedAt: now)
    switch message.delivery {
    case .live:
      if isOpen { acceptLive(entry) }
    case .assured:
      assured.append(entry)
      if assured.count > assuredCapacity {
        _ = assured.popFirst()
        dropped += 1
      }
    case .retained:
      acceptRetained(entry)
    }
  }

  /// Makes sure that fewer than `limit` assured messages wait; counts a dropped message if not.
  mutating func hasRoom(below limit: Int) -> Bool {
    if assured.count < limit { return true }
    dropped += 1
    return false
  }

  /// Takes in a message whose acknowledgement is wanted.
  mutating func accept(_ message: Message, token: UInt64, at now: Instant) -> Admission {
    guard isOpen else { return .notConnected }
    guard tokened.count < assuredCapacity else { return .full }
    tokened.append(Entry(message: message, token: token, acceptedAt: now))
    return .accepted
  }

  private mutating func acceptLive(_ entry: Entry) {
    if let index = live.firstIndex(where: { $0.message.topic == entry.message.topic }) {
      live[index] = entry
    } else if live.count < Self.topicCapacity {
      live.append(entry)
    } else {
      dropped += 1
    }
  }

  private mutating func acceptRetained(_ entry: Entry) {
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

  /// A connection is there: all that is retained waits to be sent again, and the live lane flows.
  mutating func open() {
    isOpen = true
    retainedPending = Queue()
    for topic in retainedOrder { retainedPending.append(topic) }
    retainedWaits = Set(retainedOrder)
  }

  /// The connection is gone: live values are dropped, tokens void, assured messages in flight return to the front.
  mutating func close() {
    isOpen = false
    live = []
    tokened = Queue()
    assured.prepend(inFlight.map(\.entry).filter { $0.token == nil && $0.message.delivery == .assured })
    inFlight = []
    while assured.count > assuredCapacity {
      _ = assured.popFirst()
      dropped += 1
    }
  }

  /// The next message to send: retained first, then assured ones and those with a token in turn, then live ones; at most
  /// `window` of QoS 1 in flight.
  ///
  /// Live messages, of QoS 0, do not wait for the window: a broker that is slow to acknowledge does not hold them up.
  mutating func takeNext(window: Int, at now: Instant) -> Entry? {
    guard isOpen else { return nil }
    if inFlight.count < window {
      while !retainedPending.isEmpty { if let entry = takeRetained() { return entry } }
      while let entry = takeAssured() {
        // One with a token is never dropped silently: its caller waits for an answer.
        if entry.token != nil || entry.isGood(at: now) { return entry }
      }
    }
    while !live.isEmpty {
      let entry = live.removeFirst()
      if entry.isGood(at: now) { return entry }
    }
    return nil
  }

  /// One without and one with a token in turn, where both wait: neither a flood of answers nor a backlog of weighings
  /// holds up the other.
  private mutating func takeAssured() -> Entry? {
    tokenIsNext.toggle()
    return tokenIsNext ? tokened.popFirst() ?? assured.popFirst() : assured.popFirst() ?? tokened.popFirst()
  }

  private mutating func takeRetained() -> Entry? {
    guard let topic = retainedPending.popFirst() else { return nil }
    retainedWaits.remove(topic)
    guard let entry = retained[topic], entry.message.payload.isEmpty else { return retained[topic] }
    // It makes the broker forget the topic, and there is nothing to be sent again at the next connection.
    retained[topic] = nil
    retainedOrder.removeAll { $0 == topic }
    return entry
  }

  /// A QoS 1 message has been sent under this packet identifier.
  mutating func sent(_ entry: Entry, identifier: Int32, at now: Instant) {
    inFlight.append((identifier, entry, now))
  }

  /// The broker has answered; returns what it answered, or `nil` for an identifier that is not known.
  mutating func acknowledged(identifier: Int32) -> Entry? {
    guard let index = inFlight.firstIndex(where: { $0.identifier == identifier }) else { return nil }
    return inFlight.remove(at: index).entry
  }

  /// How many messages of QoS 1 wait for the broker's answer.
  var unacknowledged: Int { inFlight.count }

  /// When the oldest of them was sent.
  var oldestUnacknowledged: Instant? { inFlight.first?.sentAt }

  /// Whether nothing of QoS 1 waits, neither to be sent nor to be acknowledged.
  var isDrained: Bool { inFlight.isEmpty && assured.isEmpty && tokened.isEmpty && retainedPending.isEmpty }

  /// How many assured messages wait to be sent.
  var waiting: Int { assured.count }
}

extension Lanes.Entry {
  /// Whether the message has not expired while it waited.
  func isGood(at now: Instant) -> Bool {
    remaining(at: now).map { $0 > .zero } ?? true
  }
}

/// Whether a message with a token was taken in.
package enum Admission: Hashable, Sendable {
  /// It will be sent; its acknowledgement, or the end of the connection, follows as an event.
  case accepted
  /// There is no connection: publish it again after the next `connected`.
  case notConnected
  /// As many as `assuredCapacity` wait to be sent already: publish it again after some acknowledgements.
  case full
}
