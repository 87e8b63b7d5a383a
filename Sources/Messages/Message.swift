import Weighing

/// One message as it goes to a broker: bytes under a full topic, with how it is to be delivered.
public struct Message: Hashable, Sendable {
  /// The full topic, `grampad/kitchen/live`.
  public var topic: String
  /// The bytes, mostly JSON in UTF-8.
  public var payload: [UInt8]
  /// How it is delivered.
  public var delivery: Delivery
  /// After how long a broker may drop it instead of delivering it; `nil` for never. MQTT 5 only.
  public var expiry: Interval?
  /// MQTT 5 correlation data of the request that this answers.
  public var correlation: [UInt8]?
  /// MQTT 5: where an answer is wanted.
  public var responseTopic: String?

  /// The promise a message is sent under.
  public enum Delivery: Hashable, Sendable {
    /// QoS 0, not retained: only the newest of a topic matters, older ones may be dropped unsent.
    case live
    /// QoS 1, not retained: kept in memory, in order, up to a bound, until a broker has it.
    case assured
    /// QoS 1, retained: the newest of a topic is sent, and sent again after each connection. An empty payload makes
    /// the broker forget the topic, and is sent once.
    case retained
  }

  /// Makes a message.
  public init(
    topic: String, payload: [UInt8], delivery: Delivery, expiry: Interval? = nil, correlation: [UInt8]? = nil,
    responseTopic: String? = nil
  ) {
    self.topic = topic
    self.payload = payload
    self.delivery = delivery
    self.expiry = expiry
    self.correlation = correlation
    self.responseTopic = responseTopic
  }
}
