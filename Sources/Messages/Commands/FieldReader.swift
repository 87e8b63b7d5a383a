import Languages
import Weighing

/// Why a payload is invalid: `actions[1].type: missing`.
package struct PayloadError: Error, Hashable, Sendable {
  /// What is wrong; its length is bounded, whatever the payload contains.
  package let sentence: Sentence

  init(_ sentence: Sentence) { self.sentence = sentence }

  init(_ error: JSONError, maximumBytes: Int) {
    sentence =
      switch error {
      case .tooLarge: Sentence(.payloadTooLarge, ["maximum": maximumBytes])
      case .notUTF8: Sentence(.payloadEncoding)
      case .tooDeep: Sentence(.payloadDepth)
      case .keyTooLong: Sentence(.payloadFieldTooLong, ["maximum": JSONValue.maximumKeyBytes])
      case .duplicateKey(let key): Sentence(.payloadDuplicate, ["name": Self.quoted(key)])
      case .malformed(let position): Sentence(.payloadMalformed, ["position": position])
      }
  }

  /// A text of the payload in quotes, truncated to 32 characters.
  static func quoted(_ word: String) -> String { "\"\(cut(word))\"" }

  /// Truncates a text to 32 Unicode scalars; a single character may consist of any number of them.
  static func cut(_ word: String) -> String {
    let scalars = word.unicodeScalars
    return scalars.count > 32 ? String(String.UnicodeScalarView(scalars.prefix(32))) + "…" : word
  }
}

/// Reads the fields of one object of a payload and rejects those that were not read.
struct FieldReader {
  private let object: JSONObject
  private let path: String
  private var known: Set<String> = []

  /// Makes a reader of an object.
  ///
  /// - Parameter path: The position of the object in the payload, `actions[1]`; empty for the payload itself.
  init(_ object: JSONObject, at path: String = "") {
    (self.object, self.path) = (object, path)
  }

  /// Reads a field; `nil` if it is missing.
  mutating func read(_ key: String) -> JSONValue? {
    known.insert(key)
    return object[key]
  }

  /// Reads a text with the rules of the configuration: one line, not blank, limited in length.
  mutating func text(_ key: String, maximumBytes: Int) throws(PayloadError) -> String? {
    guard let value = read(key) else { return nil }
    return try line(value, maximumBytes: maximumBytes, key)
  }

  /// Reads a text that may be `null`.
  mutating func textOrNull(_ key: String, maximumBytes: Int) throws(PayloadError) -> String? {
    read(key) == .null ? nil : try text(key, maximumBytes: maximumBytes)
  }

  /// Reads one of several keywords.
  mutating func word<Word: RawRepresentable<String>>(
    _ key: String, of words: [Word]
  ) throws(PayloadError) -> Word? {
    guard let value = read(key) else { return nil }
    // Only short texts are compared: comparing text with many combining characters is slow.
    guard let text = value.text, text.utf8.count <= QuickAction.maximumNameBytes,
      let word = words.first(where: { $0.rawValue == text })
    else {
      throw error(key, .expected(.oneOf(words.map(\.rawValue))))
    }
    return word
  }

  /// Reads those of the named fields that are given.
  mutating func parameters(_ names: [String]) throws(PayloadError) -> [QuickAction.Parameter] {
    var parameters: [QuickAction.Parameter] = []
    for name in names {
      switch read(name) {
      case nil: break
      case .boolean(let flag)?: parameters.append(.init(name: name, value: .flag(flag)))
      case .number(let number)?: parameters.append(.init(name: name, value: .number(number)))
      case .string(let text)?: parameters.append(.init(name: name, value: .text(text)))
      case .null?, .array?, .object?: throw error(name, .expected(.acceptsScalar))
      }
    }
    return parameters
  }

  /// Reads the sequence number of a record.
  mutating func sequence(_ key: String) throws(PayloadError) -> Int {
    guard let value = read(key) else { throw error(key, Sentence(.parameterMissing)) }
    guard case .number(let number) = value, let sequence = Int(exactly: number), sequence >= 1 else {
      throw error(key, .expected(.acceptsPositiveInteger))
    }
    return sequence
  }

  /// Checks that a value is a text on one line.
  func line(_ value: JSONValue, maximumBytes: Int, _ key: String) throws(PayloadError) -> String {
    guard let text = value.text else { throw error(key, .expected(.acceptsString)) }
    guard text.utf8.count <= maximumBytes else {
      throw error(key, Sentence(.configTooLong, ["count": text.utf8.count, "maximum": maximumBytes]))
    }
    if text.allSatisfy(\.isWhitespace) { throw error(key, Sentence(.configEmpty)) }
    let hasControl = text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    if hasControl { throw error(key, Sentence(.configControlCharacters)) }
    return text
  }

  /// Rejects an object with a field that was not read.
  func finish() throws(PayloadError) {
    guard let unknown = object.keys.first(where: { !known.contains($0) }) else { return }
    let fault = Sentence(.payloadUnknownField, ["name": PayloadError.quoted(unknown)])
    throw PayloadError(path.isEmpty ? fault : fault.about(path))
  }

  /// Makes an error for a field.
  func error(_ key: String, _ message: Sentence) -> PayloadError {
    PayloadError(message.about((path.isEmpty ? "" : path + ".") + PayloadError.cut(key)))
  }
}
