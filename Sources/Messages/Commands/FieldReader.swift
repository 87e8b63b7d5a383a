import Weighing

/// What is wrong with a payload, in a few words: `actions[1].type: missing`.
struct PayloadError: Error, Hashable {
  /// For people; bounded, whatever the payload holds.
  let detail: String

  init(_ detail: String) { self.detail = detail }

  init(_ fault: JSONError, mostBytes: Int) {
    detail =
      switch fault {
      case .tooLarge: "more than \(mostBytes) bytes"
      case .notUTF8: "not UTF-8"
      case .tooDeep: "nested too deeply"
      case .keyTooLong: "a field whose name is longer than \(JSONValue.mostKeyBytes) bytes"
      case .duplicateKey(let key): "field \(Self.quoted(key)) twice"
      case .malformed(let position): "not JSON from byte \(position) on"
      }
  }

  /// A word of the payload, cut at 32 characters.
  static func quoted(_ word: String) -> String { "\"\(cut(word))\"" }

  /// The first 32 Unicode scalars; a character may have any number of them.
  static func cut(_ word: String) -> String {
    let scalars = word.unicodeScalars
    return scalars.count > 32 ? String(String.UnicodeScalarView(scalars.prefix(32))) + "…" : word
  }
}

/// Reads the fields of one object of a payload, and knows afterwards which were not asked for.
struct FieldReader {
  private let object: JSONObject
  private let path: String
  private var known: Set<String> = []

  /// Reads an object.
  ///
  /// - Parameter path: Where it stands in the payload, `actions[1]`; empty for the payload itself.
  init(_ object: JSONObject, at path: String = "") {
    self.object = object
    self.path = path
  }

  /// The value of a field; `nil` where it is not given.
  mutating func take(_ key: String) -> JSONValue? {
    known.insert(key)
    return object[key]
  }

  /// The text of a field, as a configuration would take it: one line, not blank, bounded.
  mutating func text(_ key: String, mostBytes: Int) throws(PayloadError) -> String? {
    guard let value = take(key) else { return nil }
    return try line(value, mostBytes: mostBytes, key)
  }

  /// The text of a field that may be `null`.
  mutating func textOrNull(_ key: String, mostBytes: Int) throws(PayloadError) -> String? {
    take(key) == .null ? nil : try text(key, mostBytes: mostBytes)
  }

  /// One of a few words.
  mutating func word<Word: RawRepresentable<String>>(
    _ key: String, of words: [Word]
  ) throws(PayloadError) -> Word? {
    guard let value = take(key) else { return nil }
    // Only a short text is compared: comparing one of many accents takes long.
    guard let text = value.text, text.utf8.count <= QuickAction.mostNameBytes,
      let word = words.first(where: { $0.rawValue == text })
    else {
      throw fault(key, "expected one of \(words.map(\.rawValue).joined(separator: ", "))")
    }
    return word
  }

  /// A value as text on one line.
  func line(_ value: JSONValue, mostBytes: Int, _ key: String) throws(PayloadError) -> String {
    guard let text = value.text else { throw fault(key, "expected a text") }
    guard text.utf8.count <= mostBytes else { throw fault(key, "\(text.utf8.count) bytes, at most \(mostBytes)") }
    if text.allSatisfy(\.isWhitespace) { throw fault(key, "must not be empty") }
    let hasControl = text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    if hasControl { throw fault(key, "must not have control characters") }
    return text
  }

  /// Refuses a field that nothing asked for.
  func finish() throws(PayloadError) {
    guard let unknown = object.keys.first(where: { !known.contains($0) }) else { return }
    throw PayloadError((path.isEmpty ? "" : path + ": ") + "unknown field \(PayloadError.quoted(unknown))")
  }

  /// What is wrong with a field.
  func fault(_ key: String, _ message: String) -> PayloadError {
    PayloadError((path.isEmpty ? "" : path + ".") + "\(PayloadError.cut(key)): \(message)")
  }
}
