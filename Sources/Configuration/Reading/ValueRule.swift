import Weighing

/// The rule for the value of a key: converts the node to the value, or reports an error.
struct ValueRule<Value> {
  /// The value; `nil` if it was rejected, in which case at least one error was reported.
  let read: (YAMLNode, DiagnosticReporter) -> Value?

  init(_ read: @escaping (YAMLNode, DiagnosticReporter) -> Value?) {
    self.read = read
  }

  /// The same rule with its value converted to another type.
  func map<Other>(_ transform: @escaping (Value) -> Other) -> ValueRule<Other> {
    ValueRule<Other> { node, reporter in read(node, reporter).map(transform) }
  }
}

extension ValueRule {
  /// A whole section; an empty one has all defaults.
  static func section() -> Self where Value: ConfigurationSection {
    ValueRule { node, reporter in
      var section = SectionReader(section: node, reporter)
      let value = Value(from: &section)
      _ = section.finish()
      return value
    }
  }

  /// A list with a maximum number of items; one without content is empty.
  static func list<Item>(
    atMost limit: Int, _ item: @escaping (YAMLNode, DiagnosticReporter) -> Item?
  ) -> Self where Value == [Item] {
    ValueRule { node, reporter in
      if node.scalar == .null { return [] }
      guard case .sequence(let nodes) = node.content else { return reporter.reportUnexpected(node, expected: "a list") }
      if nodes.count > limit {
        reporter.report("too many entries: \(nodes.count), maximum \(limit)", at: nodes[limit].position)
      }
      let items = nodes.prefix(limit).enumerated().compactMap { item($1, reporter.below("[\($0)]")) }
      return items.count == nodes.count ? items : nil
    }
  }

  /// One of the cases of an enumeration.
  static func oneOf(_ type: Value.Type) -> Self where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    ValueRule { node, reporter in
      let names = Value.allCases.map(\.rawValue)
      let expected = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
      guard case .text(let name) = node.scalar else { return reporter.reportUnexpected(node, expected: expected) }
      return Value(rawValue: name)
        ?? reporter.reportUnexpected(node, expected: expected, suggestion: closest(to: name, in: names))
    }
  }
}

extension ValueRule<Bool> {
  /// `true` or `false`. The other booleans of YAML 1.1 are rejected, so that the YAML version does not matter.
  static var flag: Self {
    ValueRule { node, reporter in
      if case .flag(let flag) = node.scalar { return flag }
      var suggestion: String?
      if case .text(let word) = node.scalar {
        switch word.lowercased() {
        case "yes", "y", "on", "true": suggestion = "true"
        case "no", "n", "off", "false": suggestion = "false"
        default: suggestion = closest(to: word, in: ["true", "false"])
        }
      }
      if case .number(let number) = node.scalar, number == 0 || number == 1 {
        suggestion = number == 1 ? "true" : "false"
      }
      return reporter.reportUnexpected(node, expected: "true or false", suggestion: suggestion)
    }
  }
}

extension ValueRule<Double> {
  /// A number for which `contains` holds.
  private static func number(_ expected: String, where contains: @escaping (Double) -> Bool) -> Self {
    ValueRule { node, reporter in
      if case .number(let number) = node.scalar, contains(number) { return number }
      return reporter.reportUnexpected(node, expected: expected, suggestion: node.numberHint)
    }
  }

  /// A number in a closed range.
  static func number(_ range: ClosedRange<Double>) -> Self {
    let bounds = "from \(numberText(range.lowerBound)) to \(numberText(range.upperBound))"
    return number("a number \(bounds)", where: range.contains)
  }

  /// A number in a range that excludes its lower bound.
  static func number(above lower: Double, through upper: Double) -> Self {
    number("a number greater than \(numberText(lower)) and at most \(numberText(upper))") { lower < $0 && $0 <= upper }
  }
}

extension ValueRule<Int> {
  /// An integer in a range.
  static func integer(_ range: ClosedRange<Int>) -> Self {
    ValueRule { node, reporter in
      if case .number(let number) = node.scalar, let whole = Int(exactly: number), range.contains(whole) {
        return whole
      }
      return reporter.reportUnexpected(
        node, expected: "an integer from \(range.lowerBound) to \(range.upperBound)", suggestion: node.numberHint)
    }
  }
}

extension ValueRule<Grams> {
  /// A mass in grams in a closed range.
  static func grams(_ range: ClosedRange<Double>) -> Self { ValueRule<Double>.number(range).map(Grams.init) }

  /// A mass in grams in a range that excludes its lower bound.
  static func grams(above lower: Double, through upper: Double) -> Self {
    ValueRule<Double>.number(above: lower, through: upper).map(Grams.init)
  }
}

extension ValueRule<Interval> {
  /// A time in whole milliseconds.
  static func milliseconds(_ range: ClosedRange<Int>) -> Self {
    ValueRule<Int>.integer(range).map(Interval.milliseconds)
  }
}
