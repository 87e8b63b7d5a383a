import Weighing

/// The fields of a command's payload, as far as they can be read.
struct CommandPayload: Hashable {
  /// What a payload is for.
  enum Purpose: Hashable {
    /// An action, with `label`.
    case action
    /// A list of quick actions, with `actions`.
    case list

    /// Longer payloads are refused unread.
    var mostBytes: Int {
      switch self {
      case .action: Command.mostPayloadBytes
      case .list: Command.mostListBytes
      }
    }
  }

  /// What the answer is to be told apart by; also of a payload that has another fault.
  var correlation: String?
  /// Who the caller says it is.
  var source = ActionSource.mqtt
  /// What a weighing is to be labelled with.
  var label: String?
  /// The quick actions; `nil` for those of the configuration.
  var actions: [QuickAction]?
  /// What is wrong with it; `nil` when it is sound.
  private(set) var fault: PayloadFault?

  /// Who may be named as the source: those who can only come this way.
  private static let sources: [ActionSource] = [.mqtt, .commandLine, .dashboard]

  /// Reads a payload that comes from anybody.
  init(_ bytes: [UInt8], for purpose: Purpose) {
    if bytes.isEmpty { return }
    do throws(PayloadFault) {
      try read(bytes, for: purpose)
    } catch {
      fault = error
    }
  }

  private mutating func read(_ bytes: [UInt8], for purpose: Purpose) throws(PayloadFault) {
    var fields = FieldReader(try Self.object(bytes, mostBytes: purpose.mostBytes))
    if let value = fields.take("correlation") {
      guard let text = value.text else { throw fields.fault("correlation", "expected a text") }
      guard text.utf8.count <= Command.mostCorrelationBytes else {
        throw fields.fault("correlation", "\(text.utf8.count) bytes, at most \(Command.mostCorrelationBytes)")
      }
      correlation = text
    }
    source = try fields.word("source", of: Self.sources) ?? .mqtt
    switch purpose {
    case .action: label = try fields.text("label", mostBytes: QuickAction.mostValueBytes)
    case .list: actions = try fields.take("actions").map { value throws(PayloadFault) in try Self.list(value) }
    }
    try fields.finish()
  }

  private static func object(_ bytes: [UInt8], mostBytes: Int) throws(PayloadFault) -> JSONObject {
    let value: JSONValue
    do throws(JSONFault) {
      value = try JSONValue(bytes, mostBytes: mostBytes)
    } catch {
      throw PayloadFault(error, mostBytes: mostBytes)
    }
    guard case .object(let object) = value else { throw PayloadFault("expected an object") }
    return object
  }
}
