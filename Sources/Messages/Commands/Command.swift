import Weighing

/// What somebody asks for on a topic `command/ACTION`: the request, or why it is refused, and where the answer goes.
public struct Command: Hashable, Sendable {
  /// The action as the topic names it, cut at 64 characters.
  public var name: String
  /// What is to be done, or why it is not even tried.
  public var verdict: Result<Action, Refusal>
  /// Who wants the answer.
  public var caller: Caller

  /// Why a command does not get as far as the scale.
  public enum Refusal: String, Error, Hashable, Sendable, CaseIterable {
    /// There is no such action.
    case unknownAction = "unknown_action"
    /// The payload is neither empty nor an object of the fields that a command has.
    case badPayload = "bad_payload"
    /// The broker had kept it: nobody knows for how long.
    case retained
    /// Too many commands wait for their answers.
    case busy
  }

  /// Longer payloads are refused unread.
  public static let mostPayloadBytes = 16 * 1024
  /// The most that `correlation` holds.
  public static let mostCorrelationBytes = 256

  /// Reads what came on a topic; `nil` when that is not a command of this appliance.
  public init?(_ message: IncomingMessage, topics: Topics) {
    guard message.topic.hasPrefix(topics.commands) else { return nil }
    let action = message.topic.unicodeScalars.dropFirst(topics.commands.unicodeScalars.count)
    name = String(String.UnicodeScalarView(action.prefix(64)))
    let fields = Result { () throws(Refusal) in try Self.correlation(in: message.payload) }
    caller = Caller(message, correlation: (try? fields.get()) ?? nil, topics: topics)
    verdict =
      if message.isRetained {
        .failure(.retained)
      } else if let action = Action(rawValue: String(String.UnicodeScalarView(action))) {
        fields.map { _ in action }
      } else {
        .failure(.unknownAction)
      }
  }

  private static func correlation(in payload: [UInt8]) throws(Refusal) -> String? {
    if payload.isEmpty { return nil }
    guard case .object(let fields)? = try? JSONValue(payload, mostBytes: mostPayloadBytes) else { throw .badPayload }
    guard let value = fields["correlation"] else {
      if fields.isEmpty { return nil }
      throw .badPayload
    }
    guard fields.count == 1, let text = value.text, text.utf8.count <= mostCorrelationBytes else { throw .badPayload }
    return text
  }
}

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
