import Languages
import Weighing

extension ValueRule<Double> {
  /// A number in a closed range.
  static func number(_ range: ClosedRange<Double>) -> Self {
    number(
      Sentence(.acceptsNumber, ["least": numberText(range.lowerBound), "most": numberText(range.upperBound)]),
      minimum: ("minimum", range.lowerBound), maximum: range.upperBound)
  }

  /// A number in a range that excludes its lower bound.
  static func number(above lower: Double, through upper: Double) -> Self {
    number(
      Sentence(.acceptsNumberAbove, ["least": numberText(lower), "most": numberText(upper)]),
      minimum: ("exclusiveMinimum", lower), maximum: upper)
  }

  private static func number(
    _ expected: Sentence, minimum: (keyword: String, value: Double), maximum: Double
  ) -> Self {
    let isExclusive = minimum.keyword == "exclusiveMinimum"
    return ValueRule(
      expected,
      schema: .map([
        OutputEntry("type", "number"), OutputEntry(minimum.keyword, .number(minimum.value)),
        OutputEntry("maximum", .number(maximum)),
      ]),
      output: { .number($0) }
    ) { node, reporter in
      if case .number(let number) = node.scalar, number <= maximum,
        isExclusive ? number > minimum.value : number >= minimum.value
      {
        return number
      }
      return reporter.reportUnexpected(node, expected: expected, suggestion: node.numberHint)
    }
  }
}

extension ValueRule<Int> {
  /// An integer in a range.
  static func integer(_ range: ClosedRange<Int>) -> Self {
    let expected = Sentence(.acceptsInteger, ["least": range.lowerBound, "most": range.upperBound])
    return ValueRule(
      expected,
      schema: ["type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)],
      output: { .integer($0) }
    ) { node, reporter in
      if case .number(let number) = node.scalar, let whole = Int(exactly: number), range.contains(whole) {
        return whole
      }
      return reporter.reportUnexpected(node, expected: expected, suggestion: node.numberHint)
    }
  }
}

extension ValueRule<Grams> {
  /// A mass in grams in a closed range.
  static func grams(_ range: ClosedRange<Double>) -> Self { ValueRule<Double>.number(range).map(Grams.init, \.value) }

  /// A mass in grams in a range that excludes its lower bound.
  static func grams(above lower: Double, through upper: Double) -> Self {
    ValueRule<Double>.number(above: lower, through: upper).map(Grams.init, \.value)
  }
}

extension ValueRule<Interval> {
  /// A time in whole milliseconds.
  static func milliseconds(_ range: ClosedRange<Int>) -> Self {
    ValueRule<Int>.integer(range).map(Interval.milliseconds, { Int($0.nanoseconds / 1_000_000) })
  }

  /// A time in whole seconds.
  static func seconds(_ range: ClosedRange<Int>) -> Self {
    ValueRule<Int>.integer(range).map({ .milliseconds($0 * 1000) }, { Int($0.nanoseconds / 1_000_000_000) })
  }
}

extension ValueRule<SampleRate> {
  /// A rate in hertz.
  static func rate(_ range: ClosedRange<Double>) -> Self {
    ValueRule<Double>.number(range).map(SampleRate.init(_:), \.perSecond)
  }
}
