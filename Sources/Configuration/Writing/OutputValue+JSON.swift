import Weighing

extension OutputValue {
  /// The value as JSON text (RFC 8259), over several lines where it does not fit one line of 120 characters.
  func json(indent: String = "", after key: String = "") -> String {
    let line = compactJSON
    if indent.count + key.count + line.count < Self.lineWidth { return line }
    let inner = indent + "  "
    switch self {
    case .list(let items):
      let texts = items.map { $0.json(indent: inner) }
      // Many short items share the lines.
      let lines =
        texts.contains { $0.contains("\n") } ? texts.joined(separator: ",\n" + inner) : Self.fill(texts, inner)
      return "[\n\(inner)\(lines)\n\(indent)]"
    case .map(let entries), .section(let entries):
      let lines = entries.map { entry in
        let key = Self.jsonText(entry.key) + ": "
        return key + entry.value.json(indent: inner, after: key)
      }
      return "{\n\(inner)\(lines.joined(separator: ",\n" + inner))\n\(indent)}"
    case .text, .number, .integer, .hexadecimal, .flag, .literal: return line
    }
  }

  private static let lineWidth = 120

  /// The value as JSON text on one line.
  var compactJSON: String {
    switch self {
    case .text(let text): Self.jsonText(text)
    case .number(let number): numberText(number)
    case .integer(let integer): String(integer)
    case .hexadecimal(let number): String(number)
    case .flag(let flag): flag ? "true" : "false"
    case .literal(let text): text
    case .list(let items): "[" + items.map(\.compactJSON).joined(separator: ", ") + "]"
    case .map(let entries), .section(let entries):
      "{" + entries.map { "\(Self.jsonText($0.key)): \($0.value.compactJSON)" }.joined(separator: ", ") + "}"
    }
  }

  static func jsonText(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\0"..<" ": result += "\\u" + HexadecimalText.fixed(UInt16(scalar.value))
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  private static func fill(_ texts: [String], _ indent: String) -> String {
    var lines = [""]
    for (index, text) in texts.enumerated() {
      let item = text + (index < texts.count - 1 ? "," : "")
      if lines[lines.count - 1].isEmpty {
        lines[lines.count - 1] = item
      } else if indent.count + lines[lines.count - 1].count + 1 + item.count < lineWidth {
        lines[lines.count - 1] += " " + item
      } else {
        lines.append(item)
      }
    }
    return lines.joined(separator: "\n" + indent)
  }
}
