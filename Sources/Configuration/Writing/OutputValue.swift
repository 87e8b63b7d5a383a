import Linux
import Weighing

/// A value to write, as YAML or as JSON.
indirect enum OutputValue: Equatable {
  case text(String)
  case number(Double)
  case integer(Int)
  case hexadecimal(UInt16)
  case flag(Bool)
  /// A plain scalar as it was read: `null`, a flag or a number.
  case literal(String)
  case list([OutputValue])
  case map([OutputEntry])
  /// A mapping with one line per key.
  case section([OutputEntry])

  /// A mapping without the entries that have no value.
  static func record(_ entries: KeyValuePairs<String, OutputValue?>) -> OutputValue {
    .map(entries.compactMap { key, value in value.map { OutputEntry(key, $0) } })
  }

  /// The entries of a mapping; empty for other values.
  var entries: [OutputEntry] {
    switch self {
    case .map(let entries), .section(let entries): entries
    case .text, .number, .integer, .hexadecimal, .flag, .literal, .list: []
    }
  }

  /// The value on one line, in YAML's flow style.
  var flow: String {
    switch self {
    case .text(let text): return quoted(text)
    case .number(let number): return numberText(number)
    case .integer(let integer): return String(integer)
    case .hexadecimal(let number): return "0x" + HexadecimalText.fixed(number)
    case .flag(let flag): return flag ? "true" : "false"
    case .literal(let text): return text
    case .list(let items): return "[" + items.map(\.flow).joined(separator: ", ") + "]"
    case .map(let entries), .section(let entries):
      return "{" + entries.map { "\(quoted($0.key)): \($0.value.flow)" }.joined(separator: ", ") + "}"
    }
  }

  /// The value after its key: a section and a list of mappings take one line per item, everything else a single line.
  func lines(key: String, indent: String) -> String {
    switch self {
    case .section(let entries):
      "\(indent)\(key):\n" + entries.map { $0.value.lines(key: $0.key, indent: indent + "  ") }.joined()
    case .list(let items) where items.first?.isMap == true:
      "\(indent)\(key):\n" + items.map { "\(indent)  - \($0.flow)\n" }.joined()
    case .text, .number, .integer, .hexadecimal, .flag, .literal, .list, .map: "\(indent)\(key): \(flow)\n"
    }
  }

  private var isMap: Bool { if case .map = self { true } else { false } }
}

extension OutputValue {
  /// A value as it was read.
  init(_ node: YAMLNode) {
    switch node.content {
    case .scalar(let text, let isPlain):
      if isPlain, ScalarValue(plain: text) != .text(text) {
        self = .literal(text.isEmpty ? "null" : text)
      } else {
        self = .text(text)
      }
    case .sequence(let items): self = .list(items.map(OutputValue.init))
    case .mapping(let entries): self = .map(entries.map { OutputEntry($0.key, OutputValue($0.value)) })
    }
  }
}

/// A key and its value to write.
struct OutputEntry: Equatable {
  var key: String
  var value: OutputValue

  init(_ key: String, _ value: OutputValue) {
    (self.key, self.value) = (key, value)
  }
}

extension OutputValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  init(stringLiteral text: String) { self = .text(text) }
  init(integerLiteral integer: Int) { self = .integer(integer) }
  init(booleanLiteral flag: Bool) { self = .flag(flag) }
  init(arrayLiteral items: OutputValue...) { self = .list(items) }
  init(dictionaryLiteral entries: (String, OutputValue)...) { self = .map(entries.map { OutputEntry($0, $1) }) }
}

/// A string in YAML: plain if that is safe, otherwise in double quotes with escapes.
func quoted(_ text: String) -> String {
  let first = text.utf8.first
  let isWord = text.utf8.allSatisfy { isWordByte($0) || [UInt8(ascii: "."), UInt8(ascii: "/")].contains($0) }
  if let first, isWord, first != UInt8(ascii: "-"), case .text = ScalarValue(plain: text),
    !["yes", "no", "on", "off"].contains(text.lowercased())
  {
    // A YAML 1.1 parser would read some plain words of digits as numbers in other bases or as sexagesimal numbers.
    if !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
      || text.contains(".") && text.split(separator: ".").count > 2
    {
      return text
    }
  }
  var result = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": result += "\\\""
    case "\\": result += "\\\\"
    case "\n": result += "\\n"
    case "\t": result += "\\t"
    case _ where isControl(scalar) || (0xfdd0...0xfdef).contains(scalar.value) || scalar.value & 0xfffe == 0xfffe:
      result += "\\U" + HexadecimalText.fixed(scalar.value)
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + "\""
}
