import Linux
import Logging
import MQTTLink
import Messages
import Synchronization
import Weighing

/// A connection for one exchange: its events are read one at a time on the calling thread.
struct LinkSession {
  /// The events that wait.
  private final class Inbox: Sendable {
    private let events = Mutex<[LinkEvent]>([])
    private let hasEvents = Signal()
    /// Maximum number of events that wait; more come only from a broker that floods the topics of the answers.
    private static let capacity = 100

    func append(_ event: LinkEvent) {
      events.withLock { if $0.count < Self.capacity { $0.append(event) } }
      hasEvents.raise()
    }

    func next(before deadline: Instant) -> LinkEvent? {
      while true {
        hasEvents.lower()
        if let event = events.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return event }
        let wait = deadline.millisecondsAway
        guard wait > 0 else { return nil }
        _ = hasEvents.wait(milliseconds: wait)
      }
    }
  }

  private let inbox: Inbox
  private let link: MQTTLink

  /// Connects, and connects again after a loss, until `end`.
  init(_ settings: LinkSettings, subscribingTo filters: [String], logger: Logger) {
    let inbox = Inbox()
    self.inbox = inbox
    link = MQTTLink(settings: settings, logger: logger) { inbox.append($0) }
    if !filters.isEmpty { link.subscribe(filters) }
    link.start()
  }

  /// Waits for the next event; `nil` if there is none before the deadline.
  func next(before deadline: Instant) -> LinkEvent? { inbox.next(before: deadline) }

  /// Publishes a message with QoS 1; its acknowledgement is an event with the token.
  func publish(_ topic: String, _ payload: [UInt8], token: UInt64) {
    _ = link.publish(Message(topic: topic, payload: payload, delivery: .assured), token: token)
  }

  /// Disconnects.
  func end() { link.stop(within: .seconds(1)) }
}
