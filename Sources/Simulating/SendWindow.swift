import Weighing

/// The messages of a light device that the broker has not acknowledged.
struct SendWindow {
  /// What a message is.
  enum Content {
    case report, weighing(Int), resent(Int)

    var isResent: Bool { if case .resent = self { true } else { false } }
  }

  private var messages: [(identifier: UInt16, content: Content, sentAt: Instant)] = []
  private var nextIdentifier: UInt16 = 1
  private var capacity = SendWindow.maximum

  /// As in `LinkSettings`.
  private static let maximum = 20
  private static let acknowledgementDeadline = Interval.seconds(30)

  /// Empties it for a new connection.
  ///
  /// - Parameter receiveMaximum: The limit of the broker.
  mutating func connect(receiveMaximum: Int) {
    messages = []
    capacity = min(Self.maximum, max(1, receiveMaximum))
  }

  /// Number of messages that may be sent.
  var room: Int { capacity - messages.count }
  var isEmpty: Bool { messages.isEmpty }

  /// Whether an acknowledgement is overdue, so that the broker counts as lost.
  func isOverdue(at now: Instant) -> Bool {
    messages.first.map { $0.sentAt + Self.acknowledgementDeadline <= now } ?? false
  }

  /// Adds a message; returns its packet identifier.
  mutating func append(_ content: Content, at now: Instant) -> UInt16 {
    let identifier = takeIdentifier()
    messages.append((identifier, content, now))
    return identifier
  }

  /// Removes an acknowledged message.
  mutating func remove(_ identifier: UInt16) -> Content? {
    messages.firstIndex { $0.identifier == identifier }.map { messages.remove(at: $0).content }
  }

  /// A packet identifier, never 0.
  mutating func takeIdentifier() -> UInt16 {
    defer { nextIdentifier = nextIdentifier == .max ? 1 : nextIdentifier + 1 }
    return nextIdentifier
  }
}
