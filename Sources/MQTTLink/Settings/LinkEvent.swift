import Messages

/// An event of a link, reported in order on the link's thread.
package enum LinkEvent: Hashable, Sendable {
  /// Connected; retained messages are published again, subscriptions are renewed.
  case connected(
    broker: BrokerAddress, sessionPresent: Bool, version: ProtocolVersion, limits: BrokerLimits = BrokerLimits())
  /// The connection has ended. Tokens that are not acknowledged yet never will be.
  case disconnected(broker: BrokerAddress, reason: LinkError)
  /// An attempt to connect has failed; the link retries automatically.
  case refused(broker: BrokerAddress, reason: LinkError)
  /// Messages were dropped because a queue was full: the number since the start of the link; at most once a second.
  case dropped(total: Int)
  /// A message for one of the subscriptions.
  case message(IncomingMessage)
  /// The broker has accepted or rejected the subscription to a topic filter.
  case subscribed(filter: String)
  /// The broker has accepted or rejected a message published with a token.
  case acknowledged(token: UInt64, reason: ReasonCode)
  /// What has become of messages with `Message.Delivery.urgent`, other than being accepted in time.
  case urgent(UrgentReport)
}

/// What a link reports about urgent messages.
package enum UrgentReport: Hashable, Sendable {
  /// The broker has rejected a message, or it cannot be sent.
  case rejected(Message, ReasonCode)
  /// A message with an expiry was not acknowledged within `LinkSettings.urgentDeadline`; the connection continues.
  case late
  /// After `late`: all urgent messages are acknowledged.
  case caughtUp
}

/// The broker's limits for messages, from its CONNACK (MQTT 5, 3.2.2.3).
package struct BrokerLimits: Hashable, Sendable {
  /// Maximum Packet Size, in bytes; `nil` for no limit.
  package var maximumPacketSize: Int?

  /// Makes limits.
  package init(maximumPacketSize: Int? = nil) { self.maximumPacketSize = maximumPacketSize }
}
