import MQTTLink
import Messages

/// What a change of the publisher's state sends.
struct PublisherOutput: Sendable {
  var link: MQTTLink?
  /// The topic to unsubscribe from before anything is published.
  var unwantedTopic: String?
  /// Messages for `onMessage` and, but for those of `localIndices`, the link.
  var messages: [Message] = []
  /// The indices in `messages` of those for `onMessage` only.
  var localIndices: Set<Int> = []
  /// Retained messages for a new link, older than `messages`; `onMessage` has had them.
  var repeatedMessages: [Message] = []
  /// The newest health, if it has changed. In an array, so that an output without it is small: one is moved for every reading.
  var health: [Health] = []

  /// Passes the messages to the link; its thread is woken once.
  func send() {
    guard let link else { return }
    if let unwantedTopic { link.unsubscribe(unwantedTopic) }
    // First, so that a newer message of the same topic replaces the repeated one.
    if !repeatedMessages.isEmpty { link.publish(repeatedMessages) }
    if localIndices.isEmpty {
      if !messages.isEmpty { link.publish(messages) }
    } else {
      link.publish(messages.indices.filter { !localIndices.contains($0) }.map { messages[$0] })
    }
  }

  /// Removes everything but keeps the memory of the messages.
  mutating func removeAll() {
    (link, unwantedTopic, health) = (nil, nil, [])
    messages.removeAll(keepingCapacity: true)
    localIndices = []
    repeatedMessages = []
  }
}
