import Foundation
import Messages

/// A JSON Schema (draft 7), as far as the schemas of the project use it. Unknown keywords are faults.
///
/// As in JSON Schema, the length of a string is its number of Unicode scalars.
struct JSONSchema {
  private let document: JSONValue
  private let root: JSONValue

  /// Makes a validator for a document, or for the schema at a place in it: `#/components/schemas/Reading`.
  init(_ document: JSONValue, at place: String = "#") throws {
    self.document = document
    root = try Self.resolve(place, in: document)
  }

  /// What is wrong with a value, each with its place; empty when nothing is.
  func faults(of value: JSONValue) throws -> [String] { try faults(of: value, by: root, at: "") }

  /// Why a schema cannot be used.
  struct Unusable: Error, CustomStringConvertible {
    let description: String
  }

  private static func resolve(_ place: String, in document: JSONValue) throws -> JSONValue {
    var value = document
    for name in place.split(separator: "/").dropFirst() {
      guard let next = value[String(name)] else { throw Unusable(description: "nothing at \(place)") }
      value = next
    }
    return value
  }

  private func faults(of value: JSONValue, by schema: JSONValue, at place: String) throws -> [String] {
    if let isAllowed = schema.isTrue { return isAllowed ? [] : ["\(place) is not allowed"] }
    guard case .object(let keywords) = schema else { throw Unusable(description: "not a schema: \(schema)") }
    return try keywords.keys.flatMap { keyword in
      try faults(of: value, by: keyword, keywords[keyword] ?? .null, beside: schema, at: place)
    }
  }

  private func faults(
    of value: JSONValue, by keyword: String, _ argument: JSONValue, beside schema: JSONValue, at place: String
  ) throws -> [String] {
    func fault(_ isWrong: Bool) -> [String] { isWrong ? ["\(place): \(keyword) \(argument)"] : [] }
    switch keyword {
    case "$schema", "title", "description", "default", "examples", "definitions", "format": return []
    case "$ref": return try faults(of: value, by: Self.resolve(argument.text ?? "", in: document), at: place)
    case "type":
      let types = argument.items?.compactMap(\.text) ?? [argument.text ?? ""]
      return fault(!types.contains(where: value.isOf))
    case "enum": return fault(argument.items?.contains(value) != true)
    case "const": return fault(argument != value)
    case "not": return fault(try faults(of: value, by: argument, at: place).isEmpty)
    case "allOf": return try (argument.items ?? []).flatMap { try faults(of: value, by: $0, at: place) }
    case "anyOf", "oneOf":
      let fitting = try (argument.items ?? []).filter { try faults(of: value, by: $0, at: place).isEmpty }.count
      return fault(keyword == "anyOf" ? fitting == 0 : fitting != 1)
    case "minimum", "maximum", "exclusiveMinimum":
      guard let number = value.number, let limit = argument.number else { return [] }
      return fault(keyword == "maximum" ? number > limit : keyword == "minimum" ? number < limit : number <= limit)
    case "minLength", "maxLength":
      guard let length = value.text.map({ Double($0.unicodeScalars.count) }) else { return [] }
      return fault(keyword == "minLength" ? length < argument.number ?? 0 : length > argument.number ?? 0)
    case "pattern":
      guard let text = value.text, let pattern = argument.text else { return [] }
      let expression = try NSRegularExpression(pattern: pattern)
      return fault(expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) == nil)
    case "items": return try elements(of: value, at: place).flatMap { try faults(of: $0, by: argument, at: $1) }
    case "minItems": return fault(Double(value.items?.count ?? .max) < argument.number ?? 0)
    case "maxItems": return fault(Double(value.items?.count ?? 0) > argument.number ?? 0)
    case "uniqueItems": return fault(Set(value.items ?? []).count != value.items?.count ?? 0)
    case "required":
      return fault(!Set(argument.items?.compactMap(\.text) ?? []).isSubset(of: value.keys ?? required(argument)))
    case "minProperties": return fault(Double(value.keys?.count ?? .max) < argument.number ?? 0)
    case "maxProperties": return fault(Double(value.keys?.count ?? 0) > argument.number ?? 0)
    case "propertyNames":
      return try (value.keys ?? []).flatMap { try faults(of: .string($0), by: argument, at: "\(place)/\($0)") }
    case "properties":
      return try (argument.keys ?? []).flatMap { name in
        guard let property = value[name], let schema = argument[name] else { return [String]() }
        return try faults(of: property, by: schema, at: "\(place)/\(name)")
      }
    case "additionalProperties":
      return try (value.keys ?? []).subtracting(schema["properties"]?.keys ?? []).flatMap { name in
        try faults(of: value[name] ?? .null, by: argument, at: "\(place)/\(name)")
      }
    case "dependencies":
      return (argument.keys ?? []).flatMap { name in
        let needed = argument[name]?.items?.compactMap(\.text) ?? []
        return fault(value[name] != nil && !needed.allSatisfy { value[$0] != nil })
      }
    default: throw Unusable(description: "the keyword \(keyword) is not known here")
    }
  }

  /// What is required of what is no object: nothing is missing.
  private func required(_ argument: JSONValue) -> Set<String> { Set(argument.items?.compactMap(\.text) ?? []) }

  private func elements(of value: JSONValue, at place: String) -> [(JSONValue, String)] {
    (value.items ?? []).enumerated().map { ($1, "\(place)/\($0)") }
  }
}

extension JSONValue {
  /// The elements of an array.
  var items: [JSONValue]? { if case .array(let items) = self { items } else { nil } }
  /// The value of a number.
  var number: Double? { if case .number(let number) = self { number } else { nil } }

  /// Whether it is of a type of JSON Schema.
  fileprivate func isOf(_ type: String) -> Bool {
    switch self {
    case .null: type == "null"
    case .boolean: type == "boolean"
    case .number(let number): type == "number" || type == "integer" && number == number.rounded()
    case .string: type == "string"
    case .array: type == "array"
    case .object: type == "object"
    }
  }
}
