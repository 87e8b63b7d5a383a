/// The fields of a JSON object as they are written: all of the text is checked, and no value is made.
///
/// For payloads that arrive by the thousand and are passed on.
package struct JSONFields: Sendable {
  /// Where a field is.
  struct Field: Sendable {
    /// The key without its quotes.
    let key: Range<Int>
    let value: Range<Int>
  }

  /// A value as it is written.
  package enum Value: Hashable, Sendable {
    /// `null`
    case null
    /// A string with its escape sequences resolved, in UTF-8.
    case string(ArraySlice<UInt8>)
    /// The JSON text of a number, a boolean, an array or an object.
    case other(ArraySlice<UInt8>)
  }

  private let bytes: [UInt8]
  private let fields: [Field]

  /// Parses untrusted text, in time and memory in proportion to its length.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8 without a byte order mark.
  ///   - maximumBytes: The maximum length; longer text is rejected without being parsed.
  ///   - depth: The maximum nesting of arrays and objects.
  /// - Throws: `JSONError`, also for a value that is not an object. Duplicate keys are not rejected.
  package init(_ bytes: [UInt8], maximumBytes: Int, depth: Int = 16) throws(JSONError) {
    guard bytes.count <= maximumBytes else { throw .tooLarge }
    guard String(validating: bytes, as: UTF8.self) != nil else { throw .notUTF8 }
    var reader = JSONReader(bytes)
    fields = try reader.fields(depth: depth)
    self.bytes = bytes
  }

  /// The value of a key, the last one if there are several, as in the type `jsonb` of PostgreSQL; `nil` if the key is missing, or written with escape sequences.
  package subscript(_ key: StaticString) -> Value? {
    let value = key.withUTF8Buffer { key in
      bytes.withUnsafeBufferPointer { bytes in
        fields.last { field in
          field.key.count == key.count && key.indices.allSatisfy { bytes[field.key.lowerBound + $0] == key[$0] }
        }?.value
      }
    }
    guard let value else { return nil }
    switch bytes[value.lowerBound] {
    case UInt8(ascii: "n"): return .null
    case UInt8(ascii: "\""):
      let content = bytes[value.lowerBound + 1..<value.upperBound - 1]
      guard content.contains(UInt8(ascii: "\\")) else { return .string(content) }
      var reader = JSONReader(Array(bytes[value]))
      // The text was checked, so it can be parsed again.
      guard case .string(let text)? = try? reader.document(depth: 1) else { return nil }
      return .string(Array(text.utf8)[...])
    default: return .other(bytes[value])
    }
  }

  /// The whole number of a key, however it is written: `15`, `15.0`, `1.5e1`; `nil` for anything else.
  package func integer(_ key: StaticString) -> Int? {
    guard case .other(let literal)? = self[key], literal.count <= 32 else { return nil }
    let text = String(decoding: literal, as: UTF8.self)
    return Int(text) ?? Double(text).flatMap { Int(exactly: $0) }
  }

  /// The fields of an object in this one; `nil` for anything else.
  package func object(_ key: StaticString) -> JSONFields? {
    guard case .other(let text)? = self[key] else { return nil }
    return try? JSONFields(Array(text), maximumBytes: text.count)
  }
}
