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
  /// An object.
  case object(JSONObject)

  /// Longer keys are refused: putting the accents of a long one in order, which comparing needs, takes time that grows
  /// with the square of the length (5 s for 64 KB, measured).
  public static let mostKeyBytes = 256

  /// Reads text that comes from anybody: never traps, and takes time and memory in proportion to the text.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8 without a byte order mark.
  ///   - mostBytes: Longer text is refused unread.
  ///   - depth: How deep arrays and objects may be nested.
  /// - Throws: `JSONError`.
  public init(_ bytes: [UInt8], mostBytes: Int, depth: Int = 16) throws(JSONError) {
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

/// The fields of an object, in the order of the text; no key twice.
public struct JSONObject: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  /// The keys.
  public private(set) var keys: [String] = []
  private var values: [String: JSONValue] = [:]

  /// Makes an object without fields.
  public init() {}

  /// Makes an object of these fields; of two with one key the first counts.
  public init(dictionaryLiteral fields: (String, JSONValue)...) {
    for (key, value) in fields { _ = append(key, value) }
  }

  /// The value of a key.
  public subscript(_ key: String) -> JSONValue? { values[key] }

  /// Adds a field; `false`, and nothing changed, when there is one of that name.
  mutating func append(_ key: String, _ value: JSONValue) -> Bool {
    guard values[key] == nil else { return false }
    keys.append(key)
    values[key] = value
    return true
  }
}

/// Why text is not taken as JSON.
public enum JSONError: Error, Hashable, Sendable {
  /// Longer than the reader takes.
  case tooLarge
  /// Not UTF-8.
  case notUTF8
  /// Nested deeper than the reader goes.
  case tooDeep
  /// The key of a field is longer than any that means something.
  case keyTooLong
  /// An object has this key twice.
  case duplicateKey(String)
  /// Not JSON, from this byte on.
  case malformed(at: Int)
}
