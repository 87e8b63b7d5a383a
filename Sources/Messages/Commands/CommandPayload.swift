import Languages
import Weighing

/// The fields of a command's payload, as far as they are valid.
struct CommandPayload: Hashable {
  /// What a payload is for.
  enum Purpose: Hashable {
    /// An action with `label` and, if it may refer to an earlier weighing, `id` or `sequence`; `nil` for a quick action.
    case action(Action?)
    /// A list of quick actions in `actions`.
    case list
    /// The sequence numbers `from` and `to`.
    case range

    /// The maximum size; larger payloads are rejected without being parsed.
    var maximumBytes: Int {
      switch self {
      case .action, .range: Command.maximumPayloadBytes
      case .list: Command.maximumListBytes
      }
    }
  }

  /// Identifies the answer; also read from a payload with an error in another field.
  var correlation: String?
  /// The source that the payload states.
  var source = ActionSource.mqtt
  /// The label of the weighing.
  var label: String?
  /// The weighing to void or relabel.
  var reference = WeighingReference.last
  /// What else the action needs.
  var parameters = ActionArguments.none
  /// The quick actions; `nil` for those of the configuration.
  var actions: [QuickAction]?
  /// The sequence numbers of the records to publish again.
  var range = 1...1
  /// Why the payload is invalid; `nil` for a valid payload.
  private(set) var error: PayloadError?

  /// The sources that a payload may state: those that can only send commands.
  private static let sources: [ActionSource] = [.mqtt, .commandLine, .dashboard]

  /// Parses a payload from an untrusted client.
  init(_ bytes: [UInt8], for purpose: Purpose) {
    do throws(PayloadError) {
      if bytes.isEmpty {
        if case .action(.relabel) = purpose { throw PayloadError(Sentence(.payloadNoLabel).about("label")) }
        if case .action(let action?) = purpose { parameters = try Self.parameters(of: action, []) }
        if purpose == .range { throw PayloadError(Sentence(.parameterMissing).about("from")) }
        return
      }
      try read(bytes, for: purpose)
    } catch {
      self.error = error
    }
  }

  private mutating func read(_ bytes: [UInt8], for purpose: Purpose) throws(PayloadError) {
    var fields = FieldReader(try Self.object(bytes, maximumBytes: purpose.maximumBytes))
    if let value = fields.read("correlation") {
      guard let text = value.text else { throw fields.error("correlation", .expected(.acceptsString)) }
      guard text.utf8.count <= Command.maximumCorrelationBytes else {
        throw fields.error(
          "correlation",
          Sentence(.configTooLong, ["count": text.utf8.count, "maximum": Command.maximumCorrelationBytes]))
      }
      correlation = text
    }
    source = try fields.word("source", of: Self.sources) ?? .mqtt
    switch purpose {
    case .action(let action):
      let mayReferToAnother = action.map { $0 == .void || $0 == .relabel } ?? true
      if mayReferToAnother { reference = try Self.reference(&fields) }
      label = try Self.label(&fields, mayBeRemoved: action == nil || action == .relabel)
      if action == .relabel, label == nil { throw fields.error("label", Sentence(.payloadNoLabel)) }
      if let action { parameters = try Self.parameters(of: action, try fields.parameters(action.parameterNames)) }
    case .list: actions = try fields.read("actions").map { value throws(PayloadError) in try Self.list(value) }
    case .range: range = try Self.range(&fields)
    }
    try fields.finish()
  }

  private static func parameters(
    of action: Action, _ values: [QuickAction.Parameter]
  ) throws(PayloadError) -> ActionArguments {
    do throws(ActionArgumentError) {
      return try ActionArguments(of: action, from: values)
    } catch {
      throw PayloadError(error.sentence)
    }
  }

  /// The maximum length of `id`. A longer text cannot identify a weighing and is rejected without being parsed.
  private static let maximumIdentifierBytes = 64

  /// Reads `id` or `sequence`; `null` and a missing field mean the last weighing.
  private static func reference(_ fields: inout FieldReader) throws(PayloadError) -> WeighingReference {
    let id = fields.read("id").flatMap { $0 == .null ? nil : $0 }
    if let number = fields.read("sequence"), number != .null {
      guard id == nil else { throw fields.error("sequence", Sentence(.parameterExcludes, ["other": "id"])) }
      return .sequence(try fields.sequence("sequence"))
    }
    guard let value = id else { return .last }
    guard let text = value.text else { throw fields.error("id", .expected(.acceptsString)) }
    guard text.utf8.count <= maximumIdentifierBytes else {
      throw fields.error(
        "id", Sentence(.configTooLong, ["count": text.utf8.count, "maximum": maximumIdentifierBytes]))
    }
    return WeighingReference(id: text)
  }

  /// Reads `label`; `null` and an empty string both mean no label and are returned as an empty string.
  private static func label(
    _ fields: inout FieldReader, mayBeRemoved: Bool
  ) throws(PayloadError) -> String? {
    if mayBeRemoved, let value = fields.read("label"), value == .null || value.text?.isEmpty == true { return "" }
    return try fields.text("label", maximumBytes: QuickAction.maximumValueBytes)
  }

  private static func range(_ fields: inout FieldReader) throws(PayloadError) -> ClosedRange<Int> {
    let from = try fields.sequence("from")
    let to = try fields.sequence("to")
    guard from <= to else { throw fields.error("to", Sentence(.payloadRange, ["other": "from"])) }
    guard to - from < Command.maximumResendCount else {
      throw fields.error(
        "to", Sentence(.payloadManyRecords, ["count": to - from + 1, "limit": Command.maximumResendCount]))
    }
    return from...to
  }

  private static func object(_ bytes: [UInt8], maximumBytes: Int) throws(PayloadError) -> JSONObject {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(bytes, maximumBytes: maximumBytes)
    } catch {
      throw PayloadError(error, maximumBytes: maximumBytes)
    }
    guard case .object(let object) = value else { throw PayloadError(.expected(.acceptsObject)) }
    return object
  }
}
