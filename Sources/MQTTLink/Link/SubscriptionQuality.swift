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

  /// The quality on the connection after one that has ended; `isSubscribing` if that awaited answers to subscriptions.
  init(after version: ProtocolVersion, isSubscribing: Bool) {
    self = version == .v311 && isSubscribing ? .atMostOnce : .atLeastOnce
  }
}
