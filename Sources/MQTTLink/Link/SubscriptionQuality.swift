import Messages

/// The quality of service of the subscriptions of a connection.
///
/// A RabbitMQ cluster keeps the queue of a QoS 1 subscription on the node of the client. After that node has failed, a
/// client with the same identifier is disconnected whenever it subscribes, until the node is back (tested with RabbitMQ
/// 3.10). With MQTT 3.1.1 the connection after one that ended while it subscribed therefore uses QoS 0: in a clean session
/// both lose what is on its way when the connection ends.
enum SubscriptionQuality: Int32, Sendable {
  case atMostOnce = 0
  case atLeastOnce = 1

  /// That of the connection after one of this version; `isSubscribing` if that ended before all subscriptions were answered.
  init(after version: ProtocolVersion, isSubscribing: Bool) {
    self = version == .v311 && isSubscribing ? .atMostOnce : .atLeastOnce
  }
}
