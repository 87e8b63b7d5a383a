import Messages
import Weighing

/// A value in the arguments or in the result of a tool.
///
/// The JSON Schema that a client reads and the check of the arguments follow from the same declaration.
package struct ToolField: Sendable {
  /// The type of a value.
  package indirect enum Kind: Sendable {
    /// A string of at most this many characters (Unicode scalars), as `maxLength` counts them; any length if `nil`.
    case text(maximumLength: Int?)
    /// A string of at most this many bytes in UTF-8; the description says so, because a schema cannot.
    case bytes(maximum: Int)
    /// A number within a range, or any.
    case number(ClosedRange<Double>?)
    /// A whole number within a range, or any.
    case integer(ClosedRange<Int>?)
    case boolean
    /// One of these strings.
    case word([String])
    /// An object with these fields.
    case object([ToolField])
    /// An array of such objects.
    case list([ToolField])
  }

  let name: String
  let kind: Kind
  /// For the model: the meaning and the unit.
  let description: String
  let isRequired: Bool
  /// Whether the value may be `null`.
  let isNullable: Bool

  /// Declares a field.
  package init(
    _ name: String, _ kind: Kind, _ description: String, isRequired: Bool = false, isNullable: Bool = false
  ) {
    (self.name, self.kind, self.description) = (name, kind, description)
    (self.isRequired, self.isNullable) = (isRequired, isNullable)
  }

  /// Why a value of the arguments is invalid; `nil` if it is valid.
  func fault(in value: JSONValue) -> String? {
    switch (kind, value) {
    case (_, .null) where isNullable: nil
    case (.text(let maximum), .string(let text)):
      maximum.flatMap { text.unicodeScalars.count > $0 ? "\(name) must be at most \($0) characters long" : nil }
    case (.bytes(let maximum), .string(let text)):
      text.utf8.count > maximum ? "\(name) must be at most \(maximum) bytes long" : nil
    case (.number(let range), .number(let number)):
      range.flatMap { $0.contains(number) ? nil : "\(name) must be from \($0.lowerBound) to \($0.upperBound)" }
    case (.integer(let range), .number(let number)):
      if let integer = Int(exactly: number) {
        range.flatMap { $0.contains(integer) ? nil : "\(name) must be from \($0.lowerBound) to \($0.upperBound)" }
      } else {
        "\(name) must be an integer"
      }
    case (.boolean, .boolean): nil
    case (.word(let words), .string(let text)):
      words.contains(text) ? nil : "\(name) must be one of \(words.joined(separator: ", "))"
    case (_, _): "\(name) must be of type \(typeName)"
    }
  }

  private var typeName: String {
    switch kind {
    case .text, .bytes, .word: "string"
    case .number: "number"
    case .integer: "integer"
    case .boolean: "boolean"
    case .object: "object"
    case .list: "array"
    }
  }

  /// Writes a key and the schema of an object with these fields.
  ///
  /// - Parameter isClosed: Whether other fields are refused.
  static func write(_ key: String, schemaOf fields: [ToolField], isClosed: Bool, to json: inout JSONWriter) {
    json.object(key) { json in
      json.fields(("type", "object"))
      writeProperties(of: fields, to: &json)
      if isClosed { json.field("additionalProperties", false) }
    }
  }

  private static func writeProperties(of fields: [ToolField], to json: inout JSONWriter) {
    json.object("properties") { json in for field in fields { field.write(to: &json) } }
    let required = fields.filter(\.isRequired)
    guard !required.isEmpty else { return }
    json.array("required", required) { json, field in json.string(field.name) }
  }

  private func write(to json: inout JSONWriter) {
    json.object(name) { json in
      if isNullable {
        json.array("type", [typeName, "null"]) { json, type in json.string(type) }
      } else {
        json.fields(("type", typeName))
      }
      if case .bytes(let maximum) = kind {
        json.fields(("description", "\(description) At most \(maximum) bytes in UTF-8."))
      } else {
        json.fields(("description", description))
      }
      switch kind {
      case .text(let maximum?): json.field("maxLength", maximum)
      case .number(let range?):
        json.fields(("minimum", range.lowerBound), ("maximum", range.upperBound))
      case .integer(let range?):
        json.fields(("minimum", range.lowerBound), ("maximum", range.upperBound))
      case .word(let words): json.array("enum", words) { json, word in json.string(word) }
      case .object(let fields): Self.writeProperties(of: fields, to: &json)
      case .list(let fields): Self.write("items", schemaOf: fields, isClosed: false, to: &json)
      case .text(nil), .bytes, .number(nil), .integer(nil), .boolean: break
      }
    }
  }
}

/// The arguments of a call that match the declaration of the tool.
package struct ToolArguments: Sendable {
  private let fields: JSONValue

  /// Checks the arguments.
  ///
  /// - Parameter json: An object; `nil` or null for no arguments. A null in it is an argument that is left out.
  /// - Throws: `ToolArgumentError`.
  init(_ json: JSONValue?, of declared: [ToolField]) throws(ToolArgumentError) {
    fields = json.flatMap { $0 == .null ? nil : $0 } ?? .object([:])
    guard case .object(let object) = fields else { throw ToolArgumentError(description: "arguments must be an object") }
    for key in object.keys where !declared.contains(where: { $0.name == key }) {
      let names = declared.map(\.name).joined(separator: ", ")
      throw ToolArgumentError(
        description: "unknown argument \(key.prefix(40)); "
          + (names.isEmpty ? "the tool takes no arguments" : "the arguments are \(names)"))
    }
    for field in declared {
      if let value = object[field.name], value != .null {
        if let fault = field.fault(in: value) { throw ToolArgumentError(description: fault) }
      } else if field.isRequired {
        throw ToolArgumentError(description: "\(field.name) is missing")
      }
    }
  }

  /// The value of a text.
  package func text(_ name: String) -> String? { fields[name]?.text }

  /// The value of a number.
  package func number(_ name: String) -> Double? { if case .number(let number)? = fields[name] { number } else { nil } }

  /// Those of the named values that are given, as parameters of an action.
  func parameters(_ names: [String]) -> [QuickAction.Parameter] {
    names.compactMap { name in
      switch fields[name] {
      case .string(let text)?: .init(name: name, value: .text(text))
      case .number(let number)?: .init(name: name, value: .number(number))
      case .boolean(let flag)?: .init(name: name, value: .flag(flag))
      case .null?, .array?, .object?, nil: nil
      }
    }
  }

  /// Whether a boolean is given and true.
  package func isTrue(_ name: String) -> Bool { fields[name]?.isTrue == true }
}

/// Why the arguments of a call are invalid.
struct ToolArgumentError: Error, CustomStringConvertible {
  let description: String
}
