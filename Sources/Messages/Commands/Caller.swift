/// Who has asked, as far as an answer has to know.
public struct Caller: Hashable, Sendable {
  /// The field `correlation` of the payload.
  public var correlation: String?
  /// The MQTT 5 response topic, where one was given that an answer may be sent to; otherwise `result` is used.
  public var responseTopic: String?
  /// The MQTT 5 correlation data that belong to the response topic.
  public var correlationData: [UInt8]?

  /// Nobody in particular.
  public static let nobody = Caller()

  /// Makes a caller.
  public init(correlation: String? = nil, responseTopic: String? = nil, correlationData: [UInt8]? = nil) {
    self.correlation = correlation
    self.responseTopic = responseTopic
    self.correlationData = correlationData
  }

  init(_ message: IncomingMessage, correlation: String?, topics: Topics) {
    self.correlation = correlation
    correlationData = message.correlation
    if let topic = message.responseTopic, topics.allowAnswer(on: topic) { responseTopic = topic }
  }
}

extension Topics {
  /// Whether a caller may have the answer there: a topic to publish on, of 256 bytes at most, that does not pass for
  /// anything else that the appliance says and is not one of its commands.
  func allowAnswer(on topic: String) -> Bool {
    guard (1...256).contains(topic.utf8.count), !topic.hasPrefix("$") else { return false }
    guard !topic.unicodeScalars.contains(where: { $0 == "+" || $0 == "#" || $0.value < 0x20 }) else { return false }
    guard let own = below(topic) else { return true }
    return own == Topic.result.rawValue || own.hasPrefix(Topic.result.rawValue + "/")
  }
}
