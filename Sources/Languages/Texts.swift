import CTexts

/// The texts of a language.
///
/// A file has a line `key = text` for each; `{name}` in a text stands for a value. A text that depends on a number has a line for
/// each plural form: `pieces.one = {count} piece`. Empty lines, and lines that begin with `#`, are ignored.
package struct Texts: Sendable {
  /// The language.
  package let language: Language
  /// The texts by their keys, plural forms with their suffix.
  package let lines: [String: String]

  /// The texts of a language, read once.
  package static func of(_ language: Language) -> Texts {
    switch language {
    case .english: english
    case .german: german
    case .chinese: chinese
    case .japanese: japanese
    }
  }

  /// English, which has every text.
  package static let english = Texts(.english, "en.txt")
  private static let german = Texts(.german, "de.txt")
  private static let chinese = Texts(.chinese, "zh-Hans.txt")
  private static let japanese = Texts(.japanese, "ja.txt")

  /// - Parameter name: That of a file in the folder `Strings`.
  private init(_ language: Language, _ name: String) {
    let file = grampad_texts_file(name)
    precondition(file.bytes != nil, "CTexts has no file \(name)")
    self.language = language
    let bytes = [UInt8](UnsafeBufferPointer(start: file.bytes, count: file.count))
    lines = Dictionary(Self.entries(bytes).map { ($0.key, $0.text) }) { first, _ in first }
  }

  /// The keys and texts of a file, in its order.
  package static func entries(_ file: [UInt8]) -> [(key: String, text: String)] {
    file.split(separator: UInt8(ascii: "\n")).compactMap { line in
      guard line.first != UInt8(ascii: "#"), let sign = line.firstIndex(of: UInt8(ascii: "=")) else { return nil }
      func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
        let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") }
        let end = bytes.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? bytes.startIndex
        return String(decoding: bytes[..<end].drop(while: isSpace), as: UTF8.self)
      }
      return (trimmed(line[..<sign]), trimmed(line[(sign + 1)...]))
    }
  }

  /// A text with values for its placeholders.
  package func callAsFunction(_ key: TextKey, _ values: [String: String] = [:]) -> String {
    Self.filling(lines[key.rawValue] ?? Self.english.lines[key.rawValue] ?? key.rawValue, values)
  }

  /// The form of a text for a number, which the text has as `{count}`.
  package func callAsFunction(_ key: TextKey, count: Int, _ values: [String: String] = [:]) -> String {
    let text = lines["\(key.rawValue).\(language.pluralForm(of: count))"] ?? key.rawValue
    return Self.filling(text, values.merging(["count": String(count)]) { value, _ in value })
  }

  /// A text with its placeholders replaced; values are never searched for placeholders.
  private static func filling(_ text: String, _ values: [String: String]) -> String {
    guard !values.isEmpty else { return text }
    return pieces(of: text).map { piece in
      switch piece {
      case .text(let text): text
      case .placeholder(let name): values[name] ?? "{\(name)}"
      }
    }.joined()
  }

  /// A part of a text.
  package enum Piece: Hashable, Sendable {
    case text(String)
    /// The name between braces.
    case placeholder(String)
  }

  /// The parts of a text in order.
  package static func pieces(of text: String) -> [Piece] {
    var pieces: [Piece] = []
    var rest = text[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      if open > rest.startIndex { pieces.append(.text(String(rest[..<open]))) }
      pieces.append(.placeholder(String(rest[rest.index(after: open)..<close])))
      rest = rest[rest.index(after: close)...]
    }
    if !rest.isEmpty { pieces.append(.text(String(rest))) }
    return pieces
  }
}
