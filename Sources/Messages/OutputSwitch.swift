import Weighing

/// An output with what switches it: its topic, which is outside those of the appliance, and its payloads.
public struct OutputSwitch: Hashable, Sendable {
  /// The output, as the scale knows it.
  public var output: Output
  /// The full topic.
  public var topic: String
  /// The payload that switches it on.
  public var on: String
  /// The payload that switches it off.
  public var off: String

  /// The default of `on`, as Tasmota and zigbee2mqtt expect it.
  public static let usualOn = "ON"
  /// The default of `off`.
  public static let usualOff = "OFF"
  /// The maximum number of outputs.
  public static let maximumCount = 16
  /// The maximum length of a payload, in bytes.
  public static let maximumPayloadBytes = 256
  /// The maximum length of a topic, in bytes.
  public static let maximumTopicBytes = 256

  /// Makes a switch.
  public init(output: Output, topic: String, on: String = usualOn, off: String = usualOff) {
    (self.output, self.topic, self.on, self.off) = (output, topic, on, off)
  }

  /// The expiry of a message that switches an output on, so that a broker does not deliver it to a plug that comes back later. Chosen:
  /// above the time after which the dose ends without an acknowledgement.
  static let onExpiry = Interval.seconds(5)

  /// Makes the message that switches the output.
  public func message(isOn: Bool) -> Message {
    Message(
      topic: topic, payload: Array((isOn ? on : off).utf8), delivery: .urgent, expiry: isOn ? Self.onExpiry : nil)
  }
}

extension [OutputSwitch] {
  /// Makes the message for a switching; `nil` for an output that is not among these.
  public func message(for change: OutputChange) -> Message? {
    first { $0.output.name == change.name }?.message(isOn: change.isOn)
  }

  /// The messages that switch all outputs off.
  public var offMessages: [Message] { map { $0.message(isOn: false) } }

  /// The outputs that a message switches on.
  public func switchedOn(by message: Message) -> [OutputName] {
    filter { $0.message(isOn: true) == message }.map(\.output.name)
  }

  /// The outputs of which `others` has none with the same name, topic and payload for off: nothing would switch them off.
  public func missing(from others: [OutputSwitch]) -> [OutputSwitch] {
    filter { old in
      !others.contains { ($0.output.name, $0.topic, $0.off) == (old.output.name, old.topic, old.off) }
    }
  }
}
