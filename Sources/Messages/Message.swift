import Weighing

/// A message to publish: a payload on a full topic, with its kind of delivery.
public struct Message: Hashable, Sendable {
  /// The full topic, `grampad/kitchen/live`.
  public var topic: String
  /// The payload, mostly JSON in UTF-8.
  public var payload: [UInt8]
  /// The kind of delivery.
  public var delivery: Delivery
  /// The MQTT 5 message expiry interval, after which a broker drops the message; `nil` if it does not expire.
  public var expiry: Interval?
  /// The MQTT 5 correlation data of the request that this message answers.
  public var correlation: [UInt8]?
  /// The MQTT 5 response topic.
  public var responseTopic: String?

  /// The kinds of delivery.
  public enum Delivery: Hashable, Sendable {
    /// QoS 0, not retained: only the newest message of a topic matters; older ones may be dropped unsent.
    case live
    /// QoS 1, not retained: kept in memory, in order and up to a limit, until a broker acknowledges it.
    case assured
    /// QoS 1, retained: the newest message of a topic is sent, and sent again after each connection. An empty payload
    /// clears the topic at the broker and is sent once.
    case retained
    /// QoS 1, not retained: sent before all other messages, and dropped when the connection ends: switching an output must
    /// not be repeated later.
    ///
    /// A message without an expiry always has to be sent, and replaces the queued ones of its topic. One with an expiry
    /// can be dropped, and its acknowledgement is awaited only for `LinkSettings.urgentDeadline`.
    case urgent
  }

  /// Makes a message.
  public init(
    topic: String, payload: [UInt8], delivery: Delivery, expiry: Interval? = nil, correlation: [UInt8]? = nil,
    responseTopic: String? = nil
  ) {
    (self.topic, self.payload, self.delivery) = (topic, payload, delivery)
    (self.expiry, self.correlation, self.responseTopic) = (expiry, correlation, responseTopic)
  }
}
