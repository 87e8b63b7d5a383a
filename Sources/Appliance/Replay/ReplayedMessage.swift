import Messages
import Weighing

/// A message that `run` would have published.
package struct ReplayedMessage: Hashable, Sendable {
  /// The time since the first event.
  package var time: Interval
  /// The topic, relative to the appliance's; that of an output is whole.
  package var topic: String
  /// The JSON payload; a text payload or an empty one as a JSON string.
  package var payload: [UInt8]

  init(_ message: Message, _ time: Interval, _ topics: Topics) {
    self.time = time
    let below = topics.below(message.topic)
    topic = below ?? message.topic
    payload = message.payload
    if below.map({ Topic(rawValue: $0)?.isText == true }) ?? true || payload.isEmpty {
      var json = JSONWriter()
      json.string(String(decoding: payload, as: UTF8.self))
      payload = json.bytes
    }
  }

  /// One line of JSON with its newline.
  package func bytes(_ json: inout JSONWriter) -> [UInt8] {
    json.reset()
    json.object { json in
      json.field("t", time.seconds, decimals: 6)
      json.field("topic", topic)
      json.key("payload")
      json.verbatim(payload)
    }
    return json.bytes + [UInt8(ascii: "\n")]
  }
}
