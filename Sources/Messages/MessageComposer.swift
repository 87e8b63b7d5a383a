import Weighing

/// Turns effects into messages.
///
/// A payload reuses the memory of the last message of its topic if that message is no longer referenced. Composing
/// allocates nothing if the caller releases each message before the next one of its topic, and passes the same list each
/// time. Keeping a message is safe and costs a buffer.
public struct MessageComposer: Sendable {
  /// The topics of the appliance.
  public let topics: Topics
  /// After how long a live reading is of no use to anybody.
  public let liveExpiry: Interval
  /// The time of day; the appliance sets it before each use, because the clock of a small board jumps.
  public var clock: WallClock

  private var json = JSONWriter()
  /// The newest payload of each topic.
  private var payloads = [[UInt8]](repeating: [], count: Topic.allCases.count)

  /// Makes a composer.
  public init(topics: Topics, heartbeat: Interval, clock: WallClock) {
    self.topics = topics
    // Two heartbeats: a subscriber that has missed one still gets the other.
    liveExpiry = max(heartbeat * 2, .seconds(1))
    self.clock = clock
  }

  /// The messages that an effect stands for, in the order in which they are to be sent.
  public mutating func messages(for effect: Effect) -> [Message] {
    var messages: [Message] = []
    self.messages(for: effect, into: &messages)
    return messages
  }

  /// Appends the messages that an effect stands for, in the order in which they are to be sent.
  public mutating func messages(for effect: Effect, into messages: inout [Message]) {
    switch effect {
    case .live(let reading):
      messages.append(message(.live, .live, expiry: liveExpiry) { $0.reading(reading, $1) })
      messages.append(display(reading))
    case .reading(let reading):
      messages.append(message(.reading, .live, expiry: liveExpiry) { $0.reading(reading, $1) })
    case .settled(let reading): messages.append(message(.stable, .retained) { $0.reading(reading, $1) })
    case .contacts(let report):
      messages.append(message(.contacts, .live, expiry: liveExpiry) { $0.contacts(report, $1) })
    case .event(let event): messages.append(message(.event, .assured) { $0.event(event, $1) })
    case .result(let result): messages.append(answer(result, to: nil))
    case .gesture(let report):
      messages.append(message(.gesture, .live, expiry: liveExpiry) { $0.gesture(report, $1) })
    case .lastWeighing(let record, let isHistorical, _):
      messages.append(lastWeighing(record, historical: isHistorical))
    case .actions(let list, _): messages.append(actions(list))
    // A weighing is published from the outbox.
    case .feedback, .record, .weighing, .memory, .padWarning: break
    }
  }

  /// `online` or `offline`.
  public func availability(_ online: Bool) -> Message {
    Message(
      topic: topics(.availability), payload: Array((online ? "online" : "offline").utf8), delivery: .retained)
  }

  /// The health report.
  public mutating func health(_ health: Health, at time: Instant) -> Message {
    message(.health, .retained) { health.write(to: &$0, time: $1.text(time)) }
  }

  /// Makes a message of JSON that `body` writes by the clock.
  mutating func message(
    _ topic: Topic, _ delivery: Message.Delivery, expiry: Interval? = nil, _ body: (inout JSONWriter, WallClock) -> Void
  ) -> Message {
    // The topic's own memory is lent to the writer.
    swap(&json.bytes, &payloads[topic.index])
    json.reset()
    body(&json, clock)
    swap(&json.bytes, &payloads[topic.index])
    return Message(topic: topics(topic), payload: payloads[topic.index], delivery: delivery, expiry: expiry)
  }

  private mutating func display(_ reading: Reading) -> Message {
    payloads[Topic.display.index].removeAll(keepingCapacity: true)
    reading.appendPrintable(to: &payloads[Topic.display.index])
    return Message(
      topic: topics(.display), payload: payloads[Topic.display.index], delivery: .live, expiry: liveExpiry)
  }
}
