import Messages

/// What a link tells, in the order in which it happened, on the link's own thread.
package enum LinkEvent: Hashable, Sendable {
  /// A broker has let us in; retained messages are being published again, subscriptions made again.
  case connected(
    broker: BrokerAddress, sessionPresent: Bool, version: ProtocolVersion, limits: BrokerLimits = BrokerLimits())
  /// The connection that `connected` told of has ended. Tokens not acknowledged until now never will be.
  case disconnected(broker: BrokerAddress, reason: LinkFault)
  /// An attempt to connect has failed; the next one follows by itself.
  case refused(broker: BrokerAddress, reason: LinkFault)
  /// Messages were dropped because a queue was full: how many since the start of the link; at most once a second.
  case dropped(total: Int)
  /// A message for one of our subscriptions.
  case message(IncomingMessage)
  /// The broker has answered the subscription to a topic filter, for better or worse.
  case subscribed(filter: String)
  /// The broker has answered a message published with a token, for better or worse.
  case acknowledged(token: UInt64, reason: ReasonCode)
}

/// What a broker says in its CONNACK about the messages that it accepts (MQTT 5, 3.2.2.3).
package struct BrokerLimits: Hashable, Sendable {
  /// Maximum Packet Size, in bytes; `nil` for no limit.
  package var maximumPacketSize: Int?

  /// Makes limits.
  package init(maximumPacketSize: Int? = nil) { self.maximumPacketSize = maximumPacketSize }
}
