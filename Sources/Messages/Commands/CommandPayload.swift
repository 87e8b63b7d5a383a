import Weighing

/// The fields of a command's payload, as far as they can be read.
struct CommandPayload: Hashable {
  /// What a payload is for.
  enum Purpose: Hashable {
    /// An action, with `label` and, where it may be about an earlier weighing, `id`; `nil` for a quick action.
    case action(Action?)
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
  /// Which weighing a void or a relabel is about.
  var reference = WeighingReference.last
  /// The quick actions; `nil` for those of the configuration.
  var actions: [QuickAction]?
  /// What is wrong with it; `nil` when it is sound.
  private(set) var fault: PayloadError?

  /// Who may be named as the source: those who can only come this way.
  private static let sources: [ActionSource] = [.mqtt, .commandLine, .dashboard]

  /// Reads a payload that comes from anybody.
  init(_ bytes: [UInt8], for purpose: Purpose) {
    do throws(PayloadError) {
      if bytes.isEmpty {
        if case .action(.relabel) = purpose { throw PayloadError("label: missing; null removes the label") }
        return
      }
      try read(bytes, for: purpose)
    } catch {
      fault = error
    }
  }

  private mutating func read(_ bytes: [UInt8], for purpose: Purpose) throws(PayloadError) {
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
    case .action(let action):
      let mayBeAboutAnother = action.map { $0 == .void || $0 == .relabel } ?? true
      if mayBeAboutAnother { reference = try Self.reference(&fields) }
      label = try Self.label(&fields, mayBeRemoved: action == nil || action == .relabel)
      if action == .relabel, label == nil { throw fields.fault("label", "missing; null removes the label") }
    case .list: actions = try fields.take("actions").map { value throws(PayloadError) in try Self.list(value) }
    }
    try fields.finish()
  }

  /// Longer texts are the identifier of no weighing and are refused unread.
  private static let mostIdentifierBytes = 64

  /// Reads `id`; `null` means the last weighing, as if it were left out.
  private static func reference(_ fields: inout FieldReader) throws(PayloadError) -> WeighingReference {
    guard let value = fields.take("id"), value != .null else { return .last }
    guard let text = value.text else { throw fields.fault("id", "expected a text") }
    guard text.utf8.count <= mostIdentifierBytes else {
      throw fields.fault("id", "\(text.utf8.count) bytes, at most \(mostIdentifierBytes)")
    }
    return WeighingReference(id: text)
  }

  /// Reads `label`; `null` and an empty text, which both stand for no label, give an empty text.
  private static func label(
    _ fields: inout FieldReader, mayBeRemoved: Bool
  ) throws(PayloadError) -> String? {
    if mayBeRemoved, let value = fields.take("label"), value == .null || value.text?.isEmpty == true { return "" }
    return try fields.text("label", mostBytes: QuickAction.mostValueBytes)
  }

  private static func object(_ bytes: [UInt8], mostBytes: Int) throws(PayloadError) -> JSONObject {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(bytes, mostBytes: mostBytes)
    } catch {
      throw PayloadError(error, mostBytes: mostBytes)
    }
    guard case .object(let object) = value else { throw PayloadError("expected an object") }
    return object
  }
}
