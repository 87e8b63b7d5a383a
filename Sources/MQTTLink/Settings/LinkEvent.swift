import Messages

/// What a link tells, in the order in which it happened, on the link's own thread.
package enum LinkEvent: Hashable, Sendable {
  /// A broker has let us in; retained messages are being published again, subscriptions made again.
  case connected(broker: BrokerAddress, sessionPresent: Bool, version: ProtocolVersion)
  /// The connection that `connected` told of has ended. Tokens not acknowledged until now never will be.
  case disconnected(broker: BrokerAddress, reason: LinkFault)
  /// An attempt to connect has failed; the next one follows by itself.
  case refused(broker: BrokerAddress, reason: LinkFault)
  /// A message for one of our subscriptions.
  case message(IncomingMessage)
  /// The broker has answered a message published with a token, for better or worse.
  case acknowledged(token: UInt64, reason: ReasonCode)
}

/// An MQTT 5 reason code; a 3.1.1 broker only ever says `success`.
package struct ReasonCode: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
  /// The code on the wire.
  package var rawValue: UInt8

  /// Makes a reason code from the number on the wire.
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Taken.
  package static let success = ReasonCode(rawValue: 0x00)
  /// Taken, and nobody subscribes to the topic; MQTT 5 brokers may say so.
  package static let nobodyListens = ReasonCode(rawValue: 0x10)
  /// The message cannot be sent: its topic is no topic. Also given by the link itself.
  package static let topicNameInvalid = ReasonCode(rawValue: 0x90)
  /// The message is larger than the broker takes. Also given by the link itself.
  package static let packetTooLarge = ReasonCode(rawValue: 0x95)
  /// The message could not be sent for another reason.
  package static let unspecified = ReasonCode(rawValue: 0x80)

  /// Whether the message is in the broker's hands: below 0x80, so also 0x10, "no matching subscribers".
  package var isSuccess: Bool { rawValue < 0x80 }

  /// What the standard calls it and what is to be done (MQTT 5, 2.4); `nil` for the codes that say no more than a number.
  package var advice: String? {
    switch rawValue {
    case 0x87: "not authorized: allow the topic in the broker's access list"
    case 0x90: "the topic is not accepted: change `mqtt.prefix` or `device.id`"
    case 0x95: "too large for the broker"
    case 0x97: "a quota of the broker is used up"
    default: nil
    }
  }

  /// The number in hexadecimal, as in the standard.
  package var description: String {
    let digits = String(rawValue, radix: 16, uppercase: true)
    return digits.count < 2 ? "0x0\(digits)" : "0x\(digits)"
  }
}
