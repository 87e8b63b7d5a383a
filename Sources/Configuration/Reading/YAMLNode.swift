import Languages
import Linux
import Weighing

/// A value in a YAML file with its position.
struct YAMLNode: Sendable {
  /// The content.
  var content: Content
  /// The position of its first character.
  var position: SourcePosition

  enum Content: Sendable {
    /// A scalar; only a plain one, without quotes, can be a number, a boolean or null.
    case scalar(String, isPlain: Bool)
    case sequence([YAMLNode])
    /// In the order of the file; may contain duplicate keys.
    case mapping([Entry])
  }

  struct Entry: Sendable {
    var key: String
    /// The position of the key.
    var position: SourcePosition
    var value: YAMLNode
  }
}

/// The meaning of a scalar in the core schema of YAML 1.2 (10.3.2), in which `no` is a string and not false.
enum ScalarValue: Equatable {
  case null
  case flag(Bool)
  case number(Double)
  /// Infinite, not a number, or out of range.
  case notFinite
  case text(String)

  init(plain text: String) {
    switch text {
    case "", "~", "null", "Null", "NULL": self = .null
    case "true", "True", "TRUE": self = .flag(true)
    case "false", "False", "FALSE": self = .flag(false)
    case ".nan", ".NaN", ".NAN", ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF":
      self = .notFinite
    default:
      guard let number = Self.number(text) else {
        self = .text(text)
        return
      }
      self = number.isFinite ? .number(number) : .notFinite
    }
  }

  /// Decimal numbers as in JSON, also `+1`, `.5` and `5.`, and hexadecimal integers, `0x06cb`.
  ///
  /// Not `0385`: it is 385 by YAML 1.2 and 257 by YAML 1.1.
  static func number(_ text: String) -> Double? {
    if text.hasPrefix("0x") {
      let digits = text.dropFirst(2)
      guard digits.utf8.count <= 12, digits.first != "+", digits.first != "-" else { return nil }
      return Int(digits, radix: 16).map(Double.init)
    }
    var rest = text.utf8[...]
    if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { rest = rest.dropFirst() }
    let whole = rest.prefix(while: isDigitByte)
    rest = rest.dropFirst(whole.count)
    guard whole.count < 2 || whole.first != UInt8(ascii: "0") else { return nil }
    var fractionCount = 0
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      fractionCount = rest.prefix(while: isDigitByte).count
      rest = rest.dropFirst(fractionCount)
    }
    guard whole.count + fractionCount > 0 else { return nil }
    if let letter = rest.first, letter == UInt8(ascii: "e") || letter == UInt8(ascii: "E") {
      rest = rest.dropFirst()
      if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { rest = rest.dropFirst() }
      guard let digit = rest.first, isDigitByte(digit) else { return nil }
      rest = rest.drop(while: isDigitByte)
    }
    return rest.isEmpty ? Double(text) : nil
  }
}

extension YAMLNode {
  /// The meaning of a scalar; `nil` for a list or a mapping.
  var scalar: ScalarValue? {
    guard case .scalar(let text, let isPlain) = content else { return nil }
    return isPlain ? ScalarValue(plain: text) : .text(text)
  }

  /// A description of the value for `expected ..., found ...`.
  var found: Sentence {
    switch content {
    case .sequence: return Sentence(.foundList)
    case .mapping: return Sentence(.foundMapping)
    case .scalar(let text, _):
      switch scalar {
      case .null: return Sentence(.foundNothing)
      case .flag: return .verbatim(text)
      case .number, .notFinite: return Sentence(.foundNumber, ["number": printable(text)])
      case .text, nil: return Sentence(.foundString, ["text": printable(text).debugDescription])
      }
    }
  }

  /// The number that a string was probably meant to be: in quotes, with a decimal comma, a unit or a leading zero.
  var numberHint: String? {
    guard case .text(let text) = scalar else { return nil }
    var digits = text.split(separator: " ", maxSplits: 1).first.map(String.init) ?? ""
    digits = String(digits.prefix { "0123456789.,+-_".contains($0) }).filter { $0 != "_" }
    digits = digits.replacing(",", with: ".", maxReplacements: 1)
    while digits.hasPrefix("0"), let second = digits.dropFirst().first, second.isNumber { digits.removeFirst() }
    return ScalarValue.number(digits).map(numberText)
  }

  /// A number or boolean in quotes, as a suggestion for a string.
  var numberAsText: String? {
    guard case .scalar(let text, _) = content else { return nil }
    switch scalar {
    case .flag, .number: return printable(text).debugDescription
    case .null, .notFinite, .text, nil: return nil
    }
  }
}
