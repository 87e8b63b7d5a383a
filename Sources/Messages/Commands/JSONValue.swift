/// A JSON value; the syntax is exactly that of RFC 8259.
public enum JSONValue: Hashable, Sendable {
  /// `null`
  case null
  /// `true` or `false`
  case boolean(Bool)
  /// A finite number.
  case number(Double)
  /// A string with its escape sequences resolved.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object.
  case object(JSONObject)

  /// The maximum length of a key. Comparing keys normalises them, which takes time that grows with the square of the
  /// number of combining characters (measured: 5 s for 64 KB).
  public static let maximumKeyBytes = 256

  /// Parses untrusted text: never traps, and takes time and memory in proportion to the length of the text.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8 without a byte order mark.
  ///   - maximumBytes: The maximum length; longer text is rejected without being parsed.
  ///   - depth: The maximum nesting of arrays and objects.
  /// - Throws: `JSONError`.
  public init(_ bytes: [UInt8], maximumBytes: Int, depth: Int = 16) throws(JSONError) {
    guard bytes.count <= maximumBytes else { throw .tooLarge }
    guard String(validating: bytes, as: UTF8.self) != nil else { throw .notUTF8 }
    var reader = JSONReader(bytes)
    self = try reader.document(depth: depth)
  }

  /// The value of a key; `nil` if the key is missing or the value is not an object.
  public subscript(_ key: String) -> JSONValue? {
    if case .object(let fields) = self { fields[key] } else { nil }
  }

  /// The text of a string.
  public var text: String? { if case .string(let text) = self { text } else { nil } }

  /// The value of a boolean.
  public var isTrue: Bool? { if case .boolean(let value) = self { value } else { nil } }
}

/// The fields of an object in the order of the text; keys are unique.
public struct JSONObject: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  /// The keys.
  public private(set) var keys: [String] = []
  private var values: [String: JSONValue] = [:]
  /// The numbers as written, where a `Double` may not hold them exactly.
  private var literals: [String: String] = [:]

  /// Makes an empty object.
  public init() {}

  /// Makes an object of these fields; for a duplicate key the first value is kept.
  public init(dictionaryLiteral fields: (String, JSONValue)...) {
    for (key, value) in fields { _ = append(key, value) }
  }

  /// The value of a key.
  public subscript(_ key: String) -> JSONValue? { values[key] }

  /// The number of a key as it was written; `nil` for anything but a number, and if a `Double` holds it exactly.
  public func literal(of key: String) -> String? { literals[key] }

  /// Keeps a number as it was written. A `Double` holds any number of up to 15 digits.
  mutating func keep(_ literal: ArraySlice<UInt8>, of key: String) {
    if literal.count > 15 { literals[key] = String(decoding: literal, as: UTF8.self) }
  }

  /// Appends a field; returns `false` and changes nothing if the key exists already.
  mutating func append(_ key: String, _ value: JSONValue) -> Bool {
    guard values[key] == nil else { return false }
    keys.append(key)
    values[key] = value
    return true
  }
}

/// Why text cannot be parsed as JSON.
public enum JSONError: Error, Hashable, Sendable {
  /// The text is longer than the limit.
  case tooLarge
  /// The text is not valid UTF-8.
  case notUTF8
  /// Arrays and objects are nested deeper than the limit.
  case tooDeep
  /// A key is longer than `JSONValue.maximumKeyBytes`.
  case keyTooLong
  /// An object contains this key more than once.
  case duplicateKey(String)
  /// The text is not valid JSON from this byte on.
  case malformed(at: Int)
}
