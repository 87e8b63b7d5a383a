/// Why a text is not a valid recording: the line, what was found and what was expected.
public struct EvemuError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number of the line, from 1; the last line if something is missing at the end.
  public var line: Int
  /// What was found: printable and short, whatever bytes the file contains.
  public var found: String
  /// What was expected.
  public var expected: String

  /// `line 12: found 'x7', expected a code of 1 to 4 hexadecimal digits`
  public var description: String { "line \(line): found \(found), expected \(expected)" }

  /// An error about the field at a position of a line.
  static func field(_ text: Span<UInt8>, at place: Int, line: Int, expected: String) -> EvemuError {
    EvemuError(line: line, found: quote(text, from: place, to: text.fieldEnd(place)), expected: expected)
  }

  /// The number of bytes of an invalid field to show.
  private static let shown = 40

  /// A field as shown in an error: quoted, with anything but printable ASCII as `\xNN`, truncated after 40 bytes.
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
