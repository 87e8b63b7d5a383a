/// The client that sent a command, as far as the answer needs it.
public struct Caller: Hashable, Sendable {
  /// The field `correlation` of the payload.
  public var correlation: String?
  /// The MQTT 5 response topic if it is below `result/`; otherwise the answer goes to `result`.
  public var responseTopic: String?
  /// The MQTT 5 correlation data of the request.
  public var correlationData: [UInt8]?

  /// Makes a caller.
  public init(correlation: String? = nil, responseTopic: String? = nil, correlationData: [UInt8]? = nil) {
    (self.correlation, self.responseTopic, self.correlationData) = (correlation, responseTopic, correlationData)
  }

  init(_ message: IncomingMessage, correlation: String?, topics: Topics) {
    self.correlation = correlation
    correlationData = message.correlation
    if let topic = message.responseTopic, topics.allowsResponse(on: topic) { responseTopic = topic }
  }
}

extension Topics {
  /// Whether an answer may be published on a response topic: a topic name of at most 256 bytes below `result/`.
  ///
  /// On any other topic an answer could be mistaken for a message of another application, such as a discovery message.
  /// Compared byte by byte, as a broker does: two canonically equivalent texts are different topics.
  func allowsResponse(on topic: String) -> Bool {
    let root = self(.result) + "/"
    guard topic.utf8.count <= 256, topic.utf8.count > root.utf8.count, topic.utf8.starts(with: root.utf8) else {
      return false
    }
    return !topic.unicodeScalars.contains { $0 == "+" || $0 == "#" || $0.value < 0x20 }
  }
}
