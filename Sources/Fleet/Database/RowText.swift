/// The text of a row of a composite type, as an element of the text of an array: `"(kitchen,7,\"a, b\",)"`.
///
/// PostgreSQL reads an array of rows several times as fast as the same rows in JSON, and plans with their number, which
/// it cannot see in JSON. A value in quotes is quoted once as a field of the row, and once more as a part of the array.
struct RowText: Hashable, Sendable {
  /// Without the parenthesis and the quote at the end.
  private(set) var bytes: [UInt8] = []

  /// Makes a row without fields.
  init() { bytes.reserveCapacity(320) }

  /// Appends NULL.
  mutating func appendNull() { separate() }

  /// Appends a value: its text in UTF-8 without U+0000.
  mutating func append(_ text: some Collection<UInt8>) {
    separate()
    if !text.isEmpty, text.allSatisfy(Self.isPlain) {
      bytes.append(contentsOf: text)
      return
    }
    bytes.append(contentsOf: Self.quote)
    for byte in text {
      switch byte {
      case UInt8(ascii: "\""): bytes.append(contentsOf: Self.twoQuotes)
      case UInt8(ascii: "\\"): bytes.append(contentsOf: Self.backslash)
      default: bytes.append(byte)
      }
    }
    bytes.append(contentsOf: Self.quote)
  }

  /// The text of an array of rows.
  static func array(_ rows: some Sequence<RowText>) -> String {
    var array = [UInt8(ascii: "{")]
    for row in rows {
      if array.count > 1 { array.append(UInt8(ascii: ",")) }
      array.append(contentsOf: row.bytes)
      array.append(UInt8(ascii: ")"))
      array.append(UInt8(ascii: "\""))
    }
    array.append(UInt8(ascii: "}"))
    return String(decoding: array, as: UTF8.self)
  }

  private static let quote = Array(#"\""#.utf8)
  private static let twoQuotes = quote + quote
  private static let backslash = Array(#"\\\\"#.utf8)

  private mutating func separate() {
    if bytes.isEmpty {
      bytes.append(UInt8(ascii: "\""))
      bytes.append(UInt8(ascii: "("))
    } else {
      bytes.append(UInt8(ascii: ","))
    }
  }

  /// What needs no quotes in a row or an array.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

/// The texts of arrays of simple values.
enum PostgresArray {
  /// The text of an array of texts.
  static func text(_ texts: [String]) -> String {
    var array = [UInt8(ascii: "{")]
    for text in texts {
      if array.count > 1 { array.append(UInt8(ascii: ",")) }
      array.append(UInt8(ascii: "\""))
      for byte in text.utf8 {
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { array.append(UInt8(ascii: "\\")) }
        array.append(byte)
      }
      array.append(UInt8(ascii: "\""))
    }
    return String(decoding: array, as: UTF8.self) + "}"
  }

  /// The text of an array of numbers; `nil` is NULL.
  static func numbers(_ values: [Int?]) -> String {
    "{" + values.map { $0.map { "\($0)" } ?? "NULL" }.joined(separator: ",") + "}"
  }
}
