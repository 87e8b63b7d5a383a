/// A value of JSON text, as RFC 8259 has it and no wider.
public enum JSONValue: Hashable, Sendable {
  /// `null`
  case null
  /// `true` or `false`
  case boolean(Bool)
  /// A number; finite.
  case number(Double)
  /// A string, its escapes resolved.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object; no key twice.
  case object([String: JSONValue])

  /// Reads text that comes from anybody: never traps, and takes time and memory in proportion to the text.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8 without a byte order mark.
  ///   - mostBytes: Longer text is refused unread.
  ///   - depth: How deep arrays and objects may be nested.
  /// - Throws: `JSONFault`.
  public init(_ bytes: [UInt8], mostBytes: Int, depth: Int = 16) throws(JSONFault) {
    guard bytes.count <= mostBytes else { throw .tooLarge }
    guard String(validating: bytes, as: UTF8.self) != nil else { throw .notUTF8 }
    var reader = JSONReader(bytes)
    self = try reader.document(depth: depth)
  }

  /// The value of a key; `nil` for an object without it and for everything that is no object.
  public subscript(_ key: String) -> JSONValue? {
    if case .object(let fields) = self { fields[key] } else { nil }
  }

  /// The text of a string.
  public var text: String? { if case .string(let text) = self { text } else { nil } }

  /// The value of a boolean.
  public var isTrue: Bool? { if case .boolean(let value) = self { value } else { nil } }
}

/// Why text is not taken as JSON.
public enum JSONFault: Error, Hashable, Sendable {
  /// Longer than the reader takes.
  case tooLarge
  /// Not UTF-8.
  case notUTF8
  /// Nested deeper than the reader goes.
  case tooDeep
  /// An object has this key twice.
  case duplicateKey
  /// Not JSON, from this byte on.
  case malformed(at: Int)
}
