/// The lines of `grampad replay` in columns: time, topic, payload.
///
/// Nothing is lost: `{"t":0.1,"topic":"display","payload":"88 g"}` is `0.1       display       "88 g"`.
enum ReplayColumns {
  /// A line without its three parts.
  struct LineError: Error, CustomStringConvertible {
    let line: String

    var description: String { "not a line of replay: \(line)" }
  }

  /// The lines of `replay` as columns.
  static func columns(_ json: String) throws(LineError) -> String {
    try convert(json) { line throws(LineError) in
      guard let match = line.wholeMatch(of: /\{"t":([0-9.e-]+),"topic":"([^"\\]+)","payload":(.+)\}/) else {
        throw LineError(line: String(line))
      }
      return "\(padded(match.1, to: 9)) \(padded(match.2, to: 13)) \(match.3)"
    }
  }

  /// The columns as lines of `replay`.
  static func json(_ columns: String) throws(LineError) -> String {
    try convert(columns) { line throws(LineError) in
      let parts = line.split(separator: " ", maxSplits: 2)
      guard parts.count == 3 else { throw LineError(line: String(line)) }
      return #"{"t":\#(parts[0]),"topic":"\#(parts[1])","payload":\#(parts[2].drop { $0 == " " })}"#
    }
  }

  private static func convert(
    _ text: String, _ body: (Substring) throws(LineError) -> String
  ) throws(LineError) -> String {
    var converted = ""
    for line in text.split(separator: "\n") { converted += try body(line) + "\n" }
    return converted
  }

  private static func padded(_ text: Substring, to width: Int) -> String {
    text + String(repeating: " ", count: max(width - text.count, 0))
  }
}
