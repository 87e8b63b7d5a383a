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

  /// Makes the message that switches the output.
  public func message(isOn: Bool) -> Message {
    Message(topic: topic, payload: Array((isOn ? on : off).utf8), delivery: .urgent)
  }
}

extension [OutputSwitch] {
  /// Makes the message for a switching; `nil` for an output that is not among these.
  public func message(for change: OutputChange) -> Message? {
    first { $0.output.name == change.name }?.message(isOn: change.isOn)
  }
}
