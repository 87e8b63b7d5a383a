import Weighing

/// Writes JSON into a reusable buffer.
///
/// Objects, arrays and values appear in the order in which they are written. There is no encoder and no Foundation, and
/// no allocation once the buffer has grown.
public struct JSONWriter: Sendable {
  /// The written JSON.
  public internal(set) var bytes: [UInt8] = []
  private var needsComma = false

  /// Makes an empty writer.
  public init() { bytes.reserveCapacity(512) }

  /// An object, whose fields `body` writes.
  package static func object(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
    var json = JSONWriter()
    json.object(body)
    return json.bytes
  }

  /// An array, whose items `body` writes.
  package static func array(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
    var json = JSONWriter()
    json.array(body)
    return json.bytes
  }

  /// Clears the buffer and keeps its capacity.
  public mutating func reset() {
    bytes.removeAll(keepingCapacity: true)
    needsComma = false
  }

  /// Writes `{`, what `body` writes, and `}`.
  public mutating func object(_ body: (inout JSONWriter) -> Void) { nested(UInt8(ascii: "{"), UInt8(ascii: "}"), body) }

  /// Writes `[`, what `body` writes, and `]`.
  public mutating func array(_ body: (inout JSONWriter) -> Void) { nested(UInt8(ascii: "["), UInt8(ascii: "]"), body) }

  /// Writes the key of the value that follows.
  public mutating func key(_ name: String) {
    string(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes a constant key in one piece: at most 28 bytes that need no escaping.
  mutating func field(_ name: StaticString) {
    bytes.append(upTo: 32) { text in
      text.put(needsComma ? ",\"" : "\"")
      text.put(name)
      text.put("\":")
    }
    needsComma = false
  }

  /// Writes a string.
  public mutating func string(_ value: String) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    var value = value
    value.withUTF8 { Self.append($0, to: &bytes) }
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
  }

  /// Appends the content of a string; parts that need no escaping are appended in one piece.
  private static func append(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
    var start = 0
    for (index, byte) in text.enumerated() {
      guard byte < 0x20 || byte == 0x7f || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
      start = index + 1
      bytes.append(UInt8(ascii: "\\"))
      if byte < 0x20 || byte == 0x7f {
        bytes.append(contentsOf: "u00".utf8)
        bytes.append(hexadecimal(byte >> 4))
        bytes.append(hexadecimal(byte & 15))
      } else {
        bytes.append(byte)
      }
    }
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
  }

  /// Writes an integer.
  public mutating func integer(_ value: Int) { ascii(upTo: 20) { $0.put("", value) } }

  /// Writes a number rounded to 0...9 decimals, without trailing zeros; `null` if it is not finite.
  public mutating func number(_ value: Double, decimals: Int) {
    ascii(upTo: 32) { $0.put("", value, decimals: decimals) }
  }

  /// Writes a value that `body` writes in ASCII, at most `capacity` bytes.
  mutating func ascii(upTo capacity: Int, _ body: (inout ASCIIWriter) -> Void) {
    separate()
    bytes.append(upTo: capacity, body)
    needsComma = true
  }

  /// Writes a number so that parsing returns the same value; `null` if it is not finite.
  public mutating func number(_ value: Double) {
    guard value.isFinite else { return null() }
    separate()
    // The shortest digits that parse as the same number; `12.0` is `12` in JSON.
    let text = value.description
    bytes.append(contentsOf: (text.hasSuffix(".0") ? String(text.dropLast(2)) : text).utf8)
    needsComma = true
  }

  /// Writes a text, or `null`.
  package mutating func string(_ value: String?) { if let value { string(value) } else { null() } }

  /// Writes `true` or `false`.
  public mutating func boolean(_ value: Bool) {
    separate()
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
    needsComma = true
  }

  /// Writes `null`.
  public mutating func null() {
    separate()
    bytes.append(contentsOf: "null".utf8)
    needsComma = true
  }

  /// Writes a value that is already encoded as JSON.
  public mutating func verbatim(_ json: [UInt8]) {
    separate()
    bytes.append(contentsOf: json)
    needsComma = true
  }

  /// Ends an object that was begun in another way than by `object`.
  mutating func endObject() {
    bytes.append(UInt8(ascii: "}"))
    needsComma = true
  }

  private mutating func nested(_ open: UInt8, _ close: UInt8, _ body: (inout JSONWriter) -> Void) {
    separate()
    bytes.append(open)
    needsComma = false
    body(&self)
    bytes.append(close)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = false
  }

  private static func hexadecimal(_ digit: UInt8) -> UInt8 {
    digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
  }
}

extension ASCIIWriter {
  /// Writes a key and a number rounded to 0...9 decimals, without trailing zeros; `null` without one, and if it is not finite.
  mutating func put(_ key: StaticString, _ value: Double?, decimals: Int) {
    put(key)
    guard let value, put(rounded: value, decimals: decimals, keepsZeros: false) else { return put("null") }
  }

  /// Writes a key and a displayed mass as a number with the decimals of its division, or `null`.
  mutating func put(_ key: StaticString, _ mass: DisplayedMass?) {
    put(key, mass?.mass.value, decimals: mass?.division.decimals ?? 0)
  }

  /// Writes a key and `true` or `false`.
  mutating func put(_ key: StaticString, _ value: Bool) {
    put(key)
    put(value ? "true" : "false")
  }

  /// Writes a key and an integer.
  mutating func put(_ key: StaticString, _ value: Int) {
    put(key)
    if value < 0 { put("-") }
    put(digits: UInt64(value.magnitude))
  }
}
