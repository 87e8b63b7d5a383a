import Weighing

/// Converts effects to messages.
///
/// The payload of a topic's last message is overwritten if it has been released. A caller that releases each message
/// before the next one of its topic is composed, and passes the same array each time, causes no allocation. Keeping a
/// message is safe and costs a buffer.
public struct MessageComposer: Sendable {
  /// The topics of the appliance.
  public let topics: Topics
  /// The expiry interval of live messages.
  public private(set) var liveExpiry: Interval
  /// The time of day; the appliance sets it before each use, because the clock of a small board can jump.
  public var clock: WallClock
  /// The outputs that doses switch.
  public var outputs: [OutputSwitch] = []

  /// The label that waits for the next weighing, which the readings carry.
  private var label: String?
  private var json = JSONWriter()
  /// The newest payload of each topic.
  private var payloads = [[UInt8]](repeating: [], count: Topic.allCases.count)

  /// Makes a composer.
  public init(topics: Topics, heartbeat: Interval, clock: WallClock) {
    (self.topics, self.clock) = (topics, clock)
    liveExpiry = Self.expiry(heartbeat)
  }

  /// Sets another heartbeat.
  public mutating func setHeartbeat(_ heartbeat: Interval) { liveExpiry = Self.expiry(heartbeat) }

  /// Two heartbeats: a subscriber that misses one still receives the other.
  private static func expiry(_ heartbeat: Interval) -> Interval { max(heartbeat * 2, .seconds(1)) }

  /// Makes the messages for an effect, in the order in which they have to be sent.
  public mutating func messages(for effect: Effect) -> [Message] {
    var messages: [Message] = []
    self.messages(for: effect, into: &messages)
    return messages
  }

  /// Appends the messages for an effect, in the order in which they have to be sent.
  public mutating func messages(for effect: Effect, into messages: inout [Message]) {
    switch effect {
    case .live(let reading):
      messages.append(message(.live, .live, expiry: liveExpiry) { [label] in $0.reading(reading, label: label, $1) })
      messages.append(display(reading))
    case .reading(let reading):
      messages.append(message(.reading, .live, expiry: liveExpiry) { [label] in $0.reading(reading, label: label, $1) })
    case .settled(let reading):
      messages.append(message(.stable, .retained) { [label] in $0.reading(reading, label: label, $1) })
    case .pendingLabel(let text, _): label = text
    case .contacts(let report):
      messages.append(message(.contacts, .live, expiry: liveExpiry) { $0.contacts(report, $1) })
    case .event(let event): messages.append(message(.event, .assured) { $0.event(event, $1) })
    case .result(let result): messages.append(answer(result, to: nil))
    case .gesture(let report):
      messages.append(message(.gesture, .live, expiry: liveExpiry) { $0.gesture(report, $1) })
    case .control(let report):
      messages.append(
        message(.control, .live, to: topics.control(report.name), expiry: liveExpiry) { $0.control(report, $1) })
    case .lastWeighing(let record, let isHistorical, _):
      messages.append(lastWeighing(record, historical: isHistorical))
    case .actions(let list, _): messages.append(actions(list))
    case .containers(let list, _): messages.append(containers(list))
    case .learnedStops(let list, _): messages.append(learned(list))
    case .output(let change, _): if let message = outputs.message(for: change) { messages.append(message) }
    // A weighing is published from the outbox.
    case .feedback, .record, .weighing, .memory, .padWarning, .sampling, .containerChange, .learnedStopChange:
      break
    }
  }

  /// Makes the availability message: `online` or `offline`.
  public func availability(_ online: Bool) -> Message {
    Message(
      topic: topics(.availability), payload: Array((online ? "online" : "offline").utf8), delivery: .retained)
  }

  /// Makes the health report.
  public mutating func health(_ health: Health, at time: Instant) -> Message {
    message(.health, .retained) { health.write(to: &$0, time: $1.text(time)) }
  }

  /// Makes a message with the JSON that `body` writes.
  ///
  /// - Parameter full: The full topic, if it is below `topic`.
  mutating func message(
    _ topic: Topic, _ delivery: Message.Delivery, to full: String? = nil, expiry: Interval? = nil,
    _ body: (inout JSONWriter, WallClock) -> Void
  ) -> Message {
    // The writer uses the buffer of the topic.
    swap(&json.bytes, &payloads[topic.index])
    json.reset()
    body(&json, clock)
    swap(&json.bytes, &payloads[topic.index])
    return Message(topic: full ?? topics(topic), payload: payloads[topic.index], delivery: delivery, expiry: expiry)
  }

  private mutating func display(_ reading: Reading) -> Message {
    payloads[Topic.display.index].removeAll(keepingCapacity: true)
    payloads[Topic.display.index].append(upTo: Reading.longestPrintable) { reading.putPrintable(into: &$0) }
    return Message(
      topic: topics(.display), payload: payloads[Topic.display.index], delivery: .live, expiry: liveExpiry)
  }
}
