import Weighing

/// A message received from a broker.
public struct IncomingMessage: Hashable, Sendable {
  /// The full topic.
  public var topic: String
  /// The payload, of any length and content.
  public var payload: [UInt8]
  /// Whether the broker had retained the message and sent it because of the subscription.
  public var isRetained: Bool
  /// The MQTT 5 response topic.
  public var responseTopic: String?
  /// The MQTT 5 correlation data for the response.
  public var correlation: [UInt8]?
  /// The MQTT 5 message expiry interval from its arrival on, in whole seconds; `nil` if it does not expire.
  public var expiry: Interval?

  /// Makes an incoming message.
  public init(
    topic: String, payload: [UInt8], isRetained: Bool, responseTopic: String? = nil, correlation: [UInt8]? = nil,
    expiry: Interval? = nil
  ) {
    (self.topic, self.payload, self.isRetained) = (topic, payload, isRetained)
    (self.responseTopic, self.correlation, self.expiry) = (responseTopic, correlation, expiry)
  }
}
