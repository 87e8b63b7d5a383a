import EventLoop
import Weighing

/// A value to write.
indirect enum YAMLOutput {
  case text(String)
  case number(Double)
  case integer(Int)
  case hexadecimal(UInt16)
  case flag(Bool)
  case list([YAMLOutput])
  case map([(key: String, value: YAMLOutput)])

  /// A time in whole milliseconds.
  static func milliseconds(_ interval: Interval) -> YAMLOutput { .integer(Int(interval.nanoseconds / 1_000_000)) }

  /// The value on one line, in flow style.
  var flow: String {
    switch self {
    case .text(let text): return quoted(text)
    case .number(let number): return numberText(number)
    case .integer(let integer): return String(integer)
    case .hexadecimal(let number): return "0x" + HexadecimalText.fixed(number)
    case .flag(let flag): return flag ? "true" : "false"
    case .list(let items): return "[" + items.map(\.flow).joined(separator: ", ") + "]"
    case .map(let entries):
      return "{" + entries.map { "\(quoted($0.key)): \($0.value.flow)" }.joined(separator: ", ") + "}"
    }
  }

  /// The value after its key: a list of mappings takes one line per item, everything else a single line.
  func lines(key: String, indent: String) -> String {
    if case .list(let items) = self, case .map = items.first {
      return "\(indent)\(key):\n" + items.map { "\(indent)  - \($0.flow)\n" }.joined()
    }
    return "\(indent)\(key): \(flow)\n"
  }
}

/// A key and its value to write.
typealias YAMLEntry = (key: String, value: YAMLOutput)

/// The shortest decimal text that parses as the same number, without `.0` for integers.
package func numberText(_ number: Double) -> String {
  let text = number.description
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

/// A string in YAML: plain if that is safe, otherwise in double quotes with escapes.
private func quoted(_ text: String) -> String {
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
    case _ where isControl(scalar) || (0xfdd0...0xfdef).contains(scalar.value) || scalar.value & 0xfffe == 0xfffe:
      result += "\\U" + HexadecimalText.fixed(scalar.value)
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + "\""
}
