/// Parses JSON text in a single pass; the text must be valid UTF-8.
struct JSONReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Parses one value; anything but white space after it is an error.
  mutating func document(depth: Int) throws(JSONError) -> JSONValue {
    let value = try value(depth: depth)
    skipSpace()
    guard position == bytes.count else { throw malformed }
    return value
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }
  private var malformed: JSONError { .malformed(at: position) }

  /// Consumes the next byte if it is this one; returns whether it was.
  private mutating func consume(_ byte: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: byte) else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { position += 1 }
  }

  private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
    skipSpace()
    guard let byte = next else { throw malformed }
    switch byte {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .boolean(true))
    case UInt8(ascii: "f"): return try word("false", .boolean(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return .number(try number())
    }
  }

  private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
    let matches = word.withUTF8Buffer { bytes[position...].starts(with: $0) }
    guard matches else { throw malformed }
    position += word.utf8CodeUnitCount
    return value
  }

  private mutating func object(depth: Int) throws(JSONError) -> JSONValue {
    guard depth > 0 else { throw .tooDeep }
    var fields = JSONObject()
    position += 1
    skipSpace()
    if consume("}") { return .object(fields) }
    while true {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw malformed }
      let key = try string()
      guard key.utf8.count <= JSONValue.maximumKeyBytes else { throw .keyTooLong }
      skipSpace()
      guard consume(":") else { throw malformed }
      skipSpace()
      let start = position
      let value = try value(depth: depth - 1)
      guard fields.append(key, value) else { throw .duplicateKey(key) }
      if case .number = value { fields.keep(bytes[start..<position], of: key) }
      skipSpace()
      if consume("}") { return .object(fields) }
      guard consume(",") else { throw malformed }
    }
  }

  private mutating func array(depth: Int) throws(JSONError) -> JSONValue {
    guard depth > 0 else { throw .tooDeep }
    var elements: [JSONValue] = []
    position += 1
    skipSpace()
    if consume("]") { return .array(elements) }
    while true {
      elements.append(try value(depth: depth - 1))
      skipSpace()
      if consume("]") { return .array(elements) }
      guard consume(",") else { throw malformed }
    }
  }

  // MARK: Strings

  private mutating func string() throws(JSONError) -> String {
    position += 1
    var text: [UInt8] = []
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        position += 1
        text += try escape()
      case 0..<0x20: throw malformed
      default:
        text.append(byte)
        position += 1
      }
    }
    throw malformed
  }

  /// Parses an escape sequence after its backslash.
  private mutating func escape() throws(JSONError) -> [UInt8] {
    guard let byte = next else { throw malformed }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0c]
    case UInt8(ascii: "n"): return [0x0a]
    case UInt8(ascii: "r"): return [0x0d]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"):
      var code = try hexadecimal()
      // Characters above U+FFFF are written as two UTF-16 surrogates; a single surrogate is invalid.
      if (0xd800..<0xdc00).contains(code) {
        guard consume("\\"), consume("u") else { throw malformed }
        let low = try hexadecimal()
        guard (0xdc00..<0xe000).contains(low) else { throw malformed }
        code = 0x10000 + (code - 0xd800) << 10 + (low - 0xdc00)
      }
      guard let scalar = Unicode.Scalar(code) else { throw malformed }
      return Array(String(Character(scalar)).utf8)
    default: throw malformed
    }
  }

  private mutating func hexadecimal() throws(JSONError) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { throw malformed }
      code = code << 4 | UInt32(digit)
      position += 1
    }
    return code
  }

  // MARK: Numbers

  private mutating func number() throws(JSONError) -> Double {
    let start = position
    try skipNumber()
    guard let number = Double(String(decoding: bytes[start..<position], as: UTF8.self)), number.isFinite else {
      throw malformed
    }
    return number
  }

  private mutating func skipNumber() throws(JSONError) {
    _ = consume("-")
    if !consume("0") { try skipDigits() }
    if consume(".") { try skipDigits() }
    if consume("e") || consume("E") {
      if !consume("+") { _ = consume("-") }
      try skipDigits()
    }
  }

  /// Skips one or more digits.
  private mutating func skipDigits() throws(JSONError) {
    let start = position
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    guard position > start else { throw malformed }
  }

  // MARK: Values that are not made

  /// Parses an object as `document` does, but returns only where its keys, without their quotes, and its values are.
  mutating func fields(depth: Int) throws(JSONError) -> [JSONFields.Field] {
    var fields: [JSONFields.Field] = []
    fields.reserveCapacity(24)
    skipSpace()
    guard next == UInt8(ascii: "{") else { throw malformed }
    try skipObject(depth: depth) { key, value in fields.append(JSONFields.Field(key: key, value: value)) }
    skipSpace()
    guard position == bytes.count else { throw malformed }
    return fields
  }

  private mutating func skipValue(depth: Int) throws(JSONError) {
    skipSpace()
    guard let byte = next else { throw malformed }
    switch byte {
    case UInt8(ascii: "{"): try skipObject(depth: depth) { _, _ in }
    case UInt8(ascii: "["): try skipArray(depth: depth)
    case UInt8(ascii: "\""): try skipString()
    case UInt8(ascii: "t"): _ = try word("true", .boolean(true))
    case UInt8(ascii: "f"): _ = try word("false", .boolean(false))
    case UInt8(ascii: "n"): _ = try word("null", .null)
    default: try skipNumber()
    }
  }

  private mutating func skipObject(
    depth: Int, _ body: (Range<Int>, Range<Int>) -> Void
  ) throws(JSONError) {
    guard depth > 0 else { throw .tooDeep }
    position += 1
    skipSpace()
    if consume("}") { return }
    while true {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw malformed }
      let key = position + 1
      try skipString()
      let keyEnd = position - 1
      skipSpace()
      guard consume(":") else { throw malformed }
      skipSpace()
      let value = position
      try skipValue(depth: depth - 1)
      body(key..<keyEnd, value..<position)
      skipSpace()
      if consume("}") { return }
      guard consume(",") else { throw malformed }
    }
  }

  private mutating func skipArray(depth: Int) throws(JSONError) {
    guard depth > 0 else { throw .tooDeep }
    position += 1
    skipSpace()
    if consume("]") { return }
    while true {
      try skipValue(depth: depth - 1)
      skipSpace()
      if consume("]") { return }
      guard consume(",") else { throw malformed }
    }
  }

  private mutating func skipString() throws(JSONError) {
    position += 1
    while let byte = next {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return
      case UInt8(ascii: "\\"): _ = try escape()
      case 0..<0x20: throw .malformed(at: position - 1)
      default: continue
      }
    }
    throw malformed
  }
}
