/// Why a text is not a recording: the line, what stands there and what should.
public struct EvemuError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line, counted from 1; the last one where the fault is that something is missing at the end.
  public var line: Int
  /// What was found, printable and short, whatever bytes the file held.
  public var found: String
  /// What would have been right there.
  public var expected: String

  /// Makes an error.
  public init(line: Int, found: String, expected: String) {
    self.line = line
    self.found = found
    self.expected = expected
  }

  /// `line 12: found 'x7', expected a code of 1 to 4 hexadecimal digits`
  public var description: String { "line \(line): found \(found), expected \(expected)" }

  /// How many bytes of a faulty field are shown.
  private static let shown = 40

  /// A field as an error shows it: quoted, other than printable ASCII as `\xNN`, cut after 40 bytes.
  static func quote(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> String {
    guard start < end else { return "the end of the line" }
    var text = "'"
    for index in start..<min(end, start + shown) {
      let byte = bytes[index]
      if (0x20...0x7e).contains(byte) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += byte < 16 ? "\\x0" : "\\x"
        text += String(byte, radix: 16)
      }
    }
    return text + (end - start > shown ? "...'" : "'")
  }
}
