import Weighing

/// Collects the header lines of a recording into a description.
struct DescriptionBuilder: Sendable {
  private(set) var isStarted = false
  private var name: String?
  private var id: PadIdentity?
  private var properties: Set<UInt16> = []
  private var propertyBits = 0
  private var codes: [UInt16: Set<UInt16>] = [:]
  private var codeBits: [UInt16: Int] = [:]
  private var axes: [AxisCode: AxisRange] = [:]

  /// EV_CNT, KEY_CNT and ABS_CNT of linux/input-event-codes.h: types, codes of the type that has most, axes.
  static let types: UInt16 = 0x20
  static let maximumCodes = 0x300
  static let maximumAxes = 0x40

  /// Parses one header line after its letter; `place` is the position after the colon.
  mutating func read(_ letter: UInt8, _ text: Span<UInt8>, _ place: inout Int, line: Int) throws(EvemuError) {
    isStarted = true
    switch letter {
    case UInt8(ascii: "N"): try readName(text, &place, line)
    case UInt8(ascii: "I"): try readIdentity(text, &place, line)
    case UInt8(ascii: "P"):
      try readMask(text, &place, line, from: propertyBits, limit: Self.maximumCodes) { properties.insert($0) }
      propertyBits += 64
    case UInt8(ascii: "B"): try readCodes(text, &place, line)
    case UInt8(ascii: "A"): try readAxis(text, &place, line)
    default: try readState(text, &place, line)
    }
  }

  /// The description after all header lines have been parsed; `nil` if there were none.
  func description(line: Int) throws(EvemuError) -> PadDescription? {
    guard isStarted else { return nil }
    guard let name else { throw EvemuError(line: line, found: "no N: line before it", expected: "an N: line") }
    guard let id else { throw EvemuError(line: line, found: "no identity before it", expected: "an I: line") }
    var pad = PadDescription(name: name, id: id, axes: axes, properties: properties)
    for (type, set) in codes where !set.isEmpty {
      switch EventType(rawValue: type) {
      case .synchronization: break  // every device has it; evemu writes the same line for all of them
      case .key: pad.keys = Set(set.lazy.map(KeyCode.init(rawValue:)))
      case .absolute:
        for code in set where pad.axes[AxisCode(rawValue: code)] == nil {
          // An axis needs a range; like evemu, use 0...1 if it is missing.
          pad.axes[AxisCode(rawValue: code)] = AxisRange(minimum: 0, maximum: 1)
        }
      default: pad.otherCodes[EventType(rawValue: type)] = set
      }
    }
    return pad
  }

  private mutating func readName(_ text: Span<UInt8>, _ place: inout Int, _ line: Int) throws(EvemuError) {
    guard name == nil else { throw EvemuError(line: line, found: "a second N: line", expected: "only one name") }
    text.skipBlanks(&place)
    var end = text.count
    while end > place, text[end - 1] == 0x0d { end -= 1 }
    var bytes: [UInt8] = []
    for index in place..<end {
      guard text[index] != 0 else { throw EvemuError(line: line, found: "a NUL byte", expected: "a name of text") }
      bytes.append(text[index])
    }
    place = text.count
    name = String(decoding: bytes, as: UTF8.self)
  }

  private mutating func readIdentity(_ text: Span<UInt8>, _ place: inout Int, _ line: Int) throws(EvemuError) {
    guard id == nil else { throw EvemuError(line: line, found: "a second I: line", expected: "only one identity") }
    id = PadIdentity(
      bus: try hexadecimal(text, &place, line, digits: 4, "a bus"),
      vendor: try hexadecimal(text, &place, line, digits: 4, "a vendor"),
      product: try hexadecimal(text, &place, line, digits: 4, "a product"),
      version: try hexadecimal(text, &place, line, digits: 4, "a version"))
  }

  private mutating func readCodes(_ text: Span<UInt8>, _ place: inout Int, _ line: Int) throws(EvemuError) {
    let start = place
    let type = try hexadecimal(text, &place, line, digits: 2, "an event type")
    guard type < Self.types else {
      throw EvemuError(line: line, found: EvemuError.quote(text, from: start, to: place), expected: "a type up to 1f")
    }
    let limit = type == EventType.absolute.rawValue ? Self.maximumAxes : Self.maximumCodes
    var set = codes[type] ?? []
    try readMask(text, &place, line, from: codeBits[type] ?? 0, limit: limit) { set.insert($0) }
    codes[type] = set
    codeBits[type, default: 0] += 64
  }

  /// Eight bytes of a bit mask, the lowest first.
  private func readMask(
    _ text: Span<UInt8>, _ place: inout Int, _ line: Int, from first: Int, limit: Int, insert: (UInt16) -> Void
  ) throws(EvemuError) {
    guard first < limit else {
      throw EvemuError(line: line, found: "codes from \(first) on", expected: "codes up to \(limit - 1)")
    }
    for byte in 0..<8 {
      let bits = try hexadecimal(text, &place, line, digits: 2, "byte \(byte + 1) of 8")
      for bit in 0..<8 where bits & 1 << UInt16(bit) != 0 { insert(UInt16(first + byte * 8 + bit)) }
    }
  }

  private mutating func readAxis(_ text: Span<UInt8>, _ place: inout Int, _ line: Int) throws(EvemuError) {
    let number = try hexadecimal(text, &place, line, digits: 2, "an axis")
    let code = AxisCode(rawValue: number)
    guard number < Self.maximumAxes else {
      throw EvemuError(line: line, found: "axis \(String(number, radix: 16))", expected: "an axis up to 3f")
    }
    guard axes[code] == nil else {
      throw EvemuError(line: line, found: "a second A: line for \(code.name)", expected: "only one range")
    }
    var range = AxisRange(
      minimum: try decimal(text, &place, line, "a minimum"), maximum: try decimal(text, &place, line, "a maximum"),
      fuzz: try decimal(text, &place, line, "a fuzz"), flat: try decimal(text, &place, line, "a flat"))
    text.skipBlanks(&place)
    if !text.isEnd(place) { range.resolution = try decimal(text, &place, line, "a resolution") }
    guard range.minimum <= range.maximum else {
      throw EvemuError(
        line: line, found: "the range \(range.minimum)...\(range.maximum)", expected: "a minimum up to the maximum")
    }
    axes[code] = range
  }

  /// The state of a light or switch: checked and ignored.
  private func readState(_ text: Span<UInt8>, _ place: inout Int, _ line: Int) throws(EvemuError) {
    _ = try hexadecimal(text, &place, line, digits: 2, "a code")
    _ = try decimal(text, &place, line, "a state")
  }
}

/// A required hexadecimal field; `what` names it in errors.
func hexadecimal(
  _ text: Span<UInt8>, _ place: inout Int, _ line: Int, digits: Int, _ what: @autoclosure () -> String
) throws(EvemuError) -> UInt16 {
  text.skipBlanks(&place)
  if let number = text.hexadecimal(&place, digits: digits) { return number }
  throw EvemuError.field(text, at: place, line: line, expected: "\(what()) of 1 to \(digits) hexadecimal digits")
}

/// A required decimal field; `what` names it in errors.
func decimal(
  _ text: Span<UInt8>, _ place: inout Int, _ line: Int, _ what: @autoclosure () -> String
) throws(EvemuError) -> Int32 {
  text.skipBlanks(&place)
  if let number = text.decimal(&place) { return number }
  throw EvemuError.field(text, at: place, line: line, expected: "\(what()), a decimal number of 32 bits")
}
