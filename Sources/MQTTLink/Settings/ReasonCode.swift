/// An MQTT 5 reason code; with 3.1.1 always `success`.
package struct ReasonCode: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
  /// The code on the wire.
  package var rawValue: UInt8

  /// Makes a reason code from the number on the wire.
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Accepted.
  package static let success = ReasonCode(rawValue: 0x00)
  /// Accepted, but the topic has no subscriber; optional for MQTT 5 brokers.
  package static let noMatchingSubscribers = ReasonCode(rawValue: 0x10)
  /// The user may not publish to the topic.
  package static let notAuthorized = ReasonCode(rawValue: 0x87)
  /// The broker does not accept the topic. Also used by the link for an invalid topic.
  package static let topicNameInvalid = ReasonCode(rawValue: 0x90)
  /// The message is larger than the broker accepts. Also used by the link.
  package static let packetTooLarge = ReasonCode(rawValue: 0x95)
  /// A quota of the broker is exceeded.
  package static let quotaExceeded = ReasonCode(rawValue: 0x97)
  /// The payload does not match what the broker expects.
  package static let payloadFormatInvalid = ReasonCode(rawValue: 0x99)
  /// The broker accepts only QoS 0. Also used by the link.
  package static let qosNotSupported = ReasonCode(rawValue: 0x9B)
  /// Another client connected with the same client identifier; in a DISCONNECT.
  package static let sessionTakenOver = ReasonCode(rawValue: 0x8E)
  /// The message could not be sent for another reason.
  package static let unspecified = ReasonCode(rawValue: 0x80)

  /// Whether the broker has accepted the message: below 0x80, so also 0x10, "no matching subscribers".
  package var isSuccess: Bool { rawValue < 0x80 }

  /// The number in hexadecimal, as in the standard.
  package var description: String {
    let digits = String(rawValue, radix: 16, uppercase: true)
    return digits.count < 2 ? "0x0\(digits)" : "0x\(digits)"
  }

  /// The name of a code with which a broker may reject a message, in lower case (MQTT 5, table 2-6); `nil` for all
  /// others.
  package var name: String? { Self.names[rawValue] }

  private static let names: [UInt8: String] = [
    0x80: "unspecified error", 0x81: "malformed packet", 0x82: "protocol error",
    0x83: "implementation specific error", 0x87: "not authorized", 0x88: "server unavailable", 0x89: "server busy",
    0x8B: "server shutting down", 0x90: "topic name invalid", 0x91: "packet identifier in use",
    0x93: "receive maximum exceeded", 0x94: "topic alias invalid", 0x95: "packet too large",
    0x96: "message rate too high", 0x97: "quota exceeded", 0x98: "administrative action",
    0x99: "payload format invalid", 0x9A: "retain not supported", 0x9B: "QoS not supported",
    0x9C: "use another server", 0x9D: "server moved", 0x9F: "connection rate exceeded",
  ]
}
