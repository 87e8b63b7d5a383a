import Weighing

/// A message as it comes from a broker.
public struct IncomingMessage: Hashable, Sendable {
  /// The full topic.
  public var topic: String
  /// The bytes, of any length and content.
  public var payload: [UInt8]
  /// Whether the broker had kept it: sent at subscription, not just now.
  public var isRetained: Bool
  /// MQTT 5: where an answer is wanted.
  public var responseTopic: String?
  /// MQTT 5: what the answer has to carry.
  public var correlation: [UInt8]?
  /// MQTT 5: how long the message is valid after its arrival, in whole seconds; `nil` if it does not expire.
  public var expiry: Interval?

  /// Makes an incoming message.
  public init(
    topic: String, payload: [UInt8], isRetained: Bool, responseTopic: String? = nil, correlation: [UInt8]? = nil,
    expiry: Interval? = nil
  ) {
    self.topic = topic
    self.payload = payload
    self.isRetained = isRetained
    self.responseTopic = responseTopic
    self.correlation = correlation
    self.expiry = expiry
  }
}
