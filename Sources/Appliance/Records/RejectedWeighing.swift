import MQTTLink
import Messages

/// A weighing that a broker rejected, with advice.
struct RejectedWeighing: Hashable {
  var sequence: Int
  var cause: Cause
  /// The topic it was published to.
  var topic: String
  /// The approximate size of its packet in bytes.
  var packetSize: Int
  /// The limits stated by the broker.
  var limits: BrokerLimits

  /// How it was rejected.
  enum Cause: Hashable {
    /// With a reason code.
    case reason(ReasonCode)
    /// The broker closed the connection each time it was sent.
    case closedConnection(LinkError)
  }

  /// What happened.
  var reason: String {
    switch cause {
    case .reason(let code): "rejected with reason \(code)" + (code.name.map { " (\($0))" } ?? "")
    case .closedConnection(let fault): "the broker closed the connection on receiving it (\(fault))"
    }
  }

  /// What to do so that the broker accepts it.
  var advice: String {
    switch cause {
    case .closedConnection: return "check the broker's log"
    case .reason(.notAuthorized): return "allow publishing to \(topic) in the broker's access control list"
    case .reason(.topicNameInvalid):
      return
        "the broker does not accept the topic \(topic): allow it on the broker, or change `mqtt.prefix` or `device.id`"
    case .reason(.packetTooLarge):
      let limit =
        limits.maximumPacketSize.map { "the broker accepts \($0)" } ?? "the broker states no limit"
      return "the packet has about \(packetSize) bytes, \(limit): raise the broker's maximum packet size"
    case .reason(.quotaExceeded):
      return "a quota for this client or its topics is exceeded: raise the quota on the broker, or reduce the usage"
    case .reason(.payloadFormatInvalid):
      return "the payload is UTF-8 JSON: check the broker's payload or schema rules for \(topic)"
    case .reason(.qosNotSupported): return "the broker supports QoS 0 only: enable QoS 1, which weighings need"
    case .reason(.messageRateTooHigh): return "raise the broker's message rate limit for this client"
    case .reason: return "check the broker's log"
    }
  }

  /// Both, for `health` and `grampad outbox`.
  var text: String { "\(reason); \(advice)" }
}

extension ReasonCode {
  /// More messages per second than the broker accepts.
  fileprivate static let messageRateTooHigh = ReasonCode(rawValue: 0x96)
}

extension Message {
  /// The size of its PUBLISH packet in bytes: fixed header, topic, packet identifier, content type and payload, as the link
  /// sends it with MQTT 5 (MQTT 5, 3.3).
  var packetSize: Int {
    let properties = 1 + 3 + "application/json".utf8.count
    let remaining = 2 + topic.utf8.count + 2 + properties + payload.count
    return 1 + (remaining < 128 ? 1 : remaining < 16_384 ? 2 : remaining < 2_097_152 ? 3 : 4) + remaining
  }
}
