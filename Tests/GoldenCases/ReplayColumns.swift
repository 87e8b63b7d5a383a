/// The lines of `grampad replay` in columns: time, topic, payload.
///
/// Of a payload with the fields of the one before it on the same topic, only those that differ are written, after `~`, so that a reader
/// sees what has changed:
/// ```
/// 0         live          {"state":"settling","gross_g":1,"stable":false}
/// 0.9       live          ~{"state":"stable","stable":true}
/// ```
/// Nothing is lost: the lines of `replay` follow from the columns.
enum ReplayColumns {
  /// A line without its three parts.
  struct LineError: Error, CustomStringConvertible {
    let line: String

    var description: String { "not a line of replay: \(line)" }
  }

  /// The lines of `replay` as columns.
  static func columns(_ json: String) throws(LineError) -> String {
    var last: [Substring: [Field]] = [:]
    return try convert(json) { line throws(LineError) in
      guard let match = line.wholeMatch(of: /\{"t":([0-9.e-]+),"topic":"([^"\\]+)","payload":(.+)\}/) else {
        throw LineError(line: String(line))
      }
      var payload = String(match.3)
      if let fields = fields(match.3) {
        if let old = last[match.2], old.map(\.name) == fields.map(\.name) {
          payload = "~\(text(zip(old, fields).filter { $0 != $1 }.map(\.1)))"
        }
        last[match.2] = fields
      }
      return "\(padded(match.1, to: 9)) \(padded(match.2, to: 13)) \(payload)"
    }
  }

  /// The columns as lines of `replay`.
  static func json(_ columns: String) throws(LineError) -> String {
    var last: [Substring: [Field]] = [:]
    return try convert(columns) { line throws(LineError) in
      let parts = line.split(separator: " ", maxSplits: 2)
      guard parts.count == 3 else { throw LineError(line: String(line)) }
      var payload = parts[2].drop { $0 == " " }
      if payload.first == "~" {
        guard let changes = fields(payload.dropFirst()), let old = last[parts[1]] else {
          throw LineError(line: String(line))
        }
        payload = Substring(text(old.map { field in changes.first { $0.name == field.name } ?? field }))
      }
      if let fields = fields(payload) { last[parts[1]] = fields }
      return #"{"t":\#(parts[0]),"topic":"\#(parts[1])","payload":\#(payload)}"#
    }
  }

  /// A field of a payload, as text.
  private struct Field: Equatable {
    let name: Substring
    let value: Substring
  }

  private static func text(_ fields: [Field]) -> String {
    "{" + fields.map { "\($0.name):\($0.value)" }.joined(separator: ",") + "}"
  }

  /// The fields of an object; `nil` for another payload.
  private static func fields(_ payload: Substring) -> [Field]? {
    guard payload.first == "{", payload.last == "}" else { return nil }
    var fields: [Field] = []
    var (depth, isInString, isEscaped) = (0, false, false)
    let body = payload.dropFirst().dropLast()
    var (start, colon) = (body.startIndex, body.startIndex)
    func append(upTo end: Substring.Index) {
      if start < end { fields.append(Field(name: body[start..<colon], value: body[body.index(after: colon)..<end])) }
    }
    for index in body.indices {
      switch body[index] {
      case _ where isEscaped: isEscaped = false
      case "\\": isEscaped = true
      case "\"": isInString.toggle()
      case _ where isInString: break
      case "{", "[": depth += 1
      case "}", "]": depth -= 1
      case ":" where depth == 0: colon = index
      case "," where depth == 0:
        append(upTo: index)
        start = body.index(after: index)
      default: break
      }
    }
    append(upTo: body.endIndex)
    return fields
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
