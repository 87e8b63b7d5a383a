public import Weighing

/// Reads the text format of evemu, chunk by chunk, in bounded memory.
///
/// The format is that of evemu 1.0 to 1.3 (its README and `src/evemu.c`): one item a line, comments from `#` on.
/// ```
/// N: name                                    the device
/// I: bus vendor product version              hexadecimal
/// P: 8 bytes                                 properties, 64 a line
/// B: type 8 bytes                            codes of a type, 64 a line
/// A: axis minimum maximum fuzz flat [resolution]
/// L: light state      S: switch state        checked, not kept
/// E: seconds.microseconds type code value    type and code hexadecimal, value decimal
/// ```
/// **Tolerated**: CRLF, blanks around fields, blank lines, comments anywhere, any text in them, header lines in any
/// order, no header at all, `A:` lines without a resolution (up to 1.1), or for an axis that no `B:` line has, an axis
/// without an `A:` line (0...1, as in evemu), an empty name, a name that is not UTF-8 (repaired), times that step back
/// (reported as they are; `Recording` makes them monotone).
///
/// **Malformed**, an `EvemuError` with its line: any other line; a field that is missing, too many, not a number or out
/// of range (values 32 bits, types up to 1f, codes up to 2ff, axes up to 3f, times up to `maximumSeconds`); more `B:`
/// bytes than a type has codes; a minimum above its maximum; a second `N:`, `I:` or `A:` of one axis; a header line
/// after an event; a header without `N:` or `I:`; a line above `longestLine`.
///
/// **Microseconds** are a count, not a fraction: evemu reads `%lu.%06u`, so `1.5` is 1 s and 5 us, and a seventh digit
/// is malformed. evemu itself always writes six digits.
///
/// **Truncation**: evemu ends every line with a line break, so a last line without one has been cut, and a number at
/// the cut may be short of digits without looking so. Such a line is malformed unless nothing that matters can be
/// missing: an `EV_SYN` event of value 0 without a comment, as editors and scripts leave at the end; a header line
/// whose last number is 0 or has all its hexadecimal digits; a comment.
public struct EvemuReader: Sendable {
  /// The maximum length of a line in bytes; the longest line of evemu, `# DMI:`, has up to 2,048.
  public static let longestLine = 65_536
  /// The latest time in seconds, half of what `Instant` can hold, so that differences cannot overflow.
  public static let maximumSeconds: Int64 = Int64.max / 2 / 1_000_000_000 - 1

  /// The maximum time between two events; a longer one means that the clock was set, or that the line is garbled.
  public static let longestSilence = Interval.seconds(7 * 86_400)

  /// The device; complete after the first event or the end of the file, `nil` for a file without a header.
  public private(set) var description: PadDescription?
  /// The number of lines read so far.
  public private(set) var line = 0

  private var builder = DescriptionBuilder()
  private var sawEvent = false
  private var lastTime: Instant?
  /// The incomplete line at the end of the last chunk.
  private var rest: [UInt8] = []

  /// Makes a reader at the start of a file.
  public init() {}

  /// Reads the next bytes of the file and passes each event to the closure.
  public mutating func read(_ bytes: Span<UInt8>, event: (InputEvent) -> Void) throws(EvemuError) {
    var start = 0
    while start < bytes.count {
      var end = start
      while end < bytes.count, bytes[end] != 0x0a { end += 1 }
      guard rest.count + (end - start) <= Self.longestLine else { throw tooLong() }
      let piece = bytes.extracting(start..<end)
      guard end < bytes.count else {
        for index in piece.indices { rest.append(piece[index]) }
        return
      }
      if rest.isEmpty {
        try read(line: piece, isWhole: true, event)
      } else {
        for index in piece.indices { rest.append(piece[index]) }
        try readRest(isWhole: true, event)
      }
      start = end + 1
    }
  }

  /// Ends the file; passes the event of a last line without a line break to the closure.
  public mutating func end(event: (InputEvent) -> Void) throws(EvemuError) {
    if !rest.isEmpty { try readRest(isWhole: false, event) }
    if !sawEvent { description = try builder.description(line: max(line, 1)) }
  }

  private mutating func readRest(isWhole: Bool, _ event: (InputEvent) -> Void) throws(EvemuError) {
    let whole = rest
    rest.removeAll(keepingCapacity: true)
    try read(line: whole.span, isWhole: isWhole, event)
  }

  private mutating func read(
    line text: Span<UInt8>, isWhole: Bool, _ event: (InputEvent) -> Void
  ) throws(EvemuError) {
    line += 1
    var place = 0
    text.skipBlanks(&place)
    guard !text.isEnd(place) else { return }
    guard place + 1 < text.count, text[place + 1] == UInt8(ascii: ":") else { throw unknown(text, place) }
    let letter = text[place]
    place += 2
    switch letter {
    case UInt8(ascii: "E"):
      if !sawEvent {
        description = try builder.description(line: line)
        sawEvent = true
      }
      let parsed = try readEvent(text, &place)
      guard isWhole || parsed.type == .synchronization && parsed.value == 0 && place == text.count else { throw cut() }
      if let lastTime, lastTime + Self.longestSilence < parsed.time {
        throw EvemuError(
          line: line, found: "a time more than a week after the one before", expected: "at most one week")
      }
      lastTime = parsed.time
      event(parsed)
    case UInt8(ascii: "N"), UInt8(ascii: "I"), UInt8(ascii: "P"), UInt8(ascii: "B"), UInt8(ascii: "A"),
      UInt8(ascii: "L"), UInt8(ascii: "S"):
      guard !sawEvent else {
        throw EvemuError(line: line, found: "a header line after an event", expected: "E: lines only")
      }
      try builder.read(letter, text, &place, line: line)
      try checkEnd(text, &place)
      guard isWhole || isComplete(letter, text) else { throw cut() }
    default: throw unknown(text, place - 2)
    }
  }

  private func readEvent(_ text: Span<UInt8>, _ place: inout Int) throws(EvemuError) -> InputEvent {
    text.skipBlanks(&place)
    guard let time = text.time(&place, maximumSeconds: Self.maximumSeconds) else {
      throw EvemuError.field(
        text, at: place, line: line, expected: "a time, seconds.microseconds with up to six digits after the dot")
    }
    let type = try hexadecimal(text, &place, line, digits: 4, "an event type")
    guard type < DescriptionBuilder.types else {
      throw EvemuError(line: line, found: "type \(String(type, radix: 16))", expected: "a type up to 1f")
    }
    let code = try hexadecimal(text, &place, line, digits: 4, "a code")
    guard code < DescriptionBuilder.maximumCodes else {
      throw EvemuError(line: line, found: "code \(String(code, radix: 16))", expected: "a code up to 2ff")
    }
    let value = try decimal(text, &place, line, "a value")
    try checkEnd(text, &place)
    return InputEvent(
      time: Instant(seconds: time.seconds, microseconds: time.microseconds), type: EventType(rawValue: type),
      code: code, value: value)
  }

  /// Rejects anything but blanks and a comment.
  private func checkEnd(_ text: Span<UInt8>, _ place: inout Int) throws(EvemuError) {
    text.skipBlanks(&place)
    guard text.isEnd(place) else {
      throw EvemuError.field(text, at: place, line: line, expected: "the end of the line or a comment")
    }
  }

  /// Whether a header line without a line break is certainly complete.
  private func isComplete(_ letter: UInt8, _ text: Span<UInt8>) -> Bool {
    guard let last = text.indices.last else { return false }
    func isHexadecimal(_ byte: UInt8) -> Bool {
      var place = 0
      let one = [byte]
      return one.span.hexadecimal(&place, digits: 1) != nil
    }
    switch letter {
    case UInt8(ascii: "A"), UInt8(ascii: "L"), UInt8(ascii: "S"):
      return last > 0 && text[last] == UInt8(ascii: "0") && text[last - 1] == 0x20
    case UInt8(ascii: "I"): return (0..<4).allSatisfy { last >= 4 && isHexadecimal(text[last - $0]) }
    case UInt8(ascii: "P"), UInt8(ascii: "B"):
      return last >= 2 && isHexadecimal(text[last]) && isHexadecimal(text[last - 1])
    default: return false
    }
  }

  /// The beginnings of lines of other formats that are attached to reports.
  private static let others: [(beginning: String, format: String)] = [
    ("Input driver version", "the text of evtest"), ("Input device", "the text of evtest"),
    ("Event: time", "the text of evtest"), ("No device specified", "the text of evtest"),
    ("version:", "the YAML of libinput record"), ("ndevices:", "the YAML of libinput record"),
    ("libinput:", "the YAML of libinput record"), ("devices:", "the YAML of libinput record"),
  ]

  private func unknown(_ text: Span<UInt8>, _ place: Int) -> EvemuError {
    var start: [UInt8] = []
    for index in place..<min(place + 24, text.count) { start.append(text[index]) }
    if let other = Self.others.first(where: { start.starts(with: $0.beginning.utf8) }) {
      return EvemuError(
        line: line, found: other.format, expected: "a recording by `grampad record` or evemu-record")
    }
    return EvemuError(
      line: line, found: EvemuError.quote(text, from: place, to: text.count),
      expected: "a line of N:, I:, P:, B:, A:, L:, S: or E:, or a comment")
  }

  private func tooLong() -> EvemuError {
    EvemuError(
      line: line + 1, found: "more than \(Self.longestLine) bytes",
      expected: "a line break; the file is not a recording")
  }

  private func cut() -> EvemuError {
    EvemuError(
      line: line, found: "the end of the file within the line",
      expected: "a line break; if the file is complete, add one at its end")
  }
}
