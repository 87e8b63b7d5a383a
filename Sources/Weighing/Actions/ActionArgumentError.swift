/// A parameter that an action does not accept.
public struct ActionArgumentError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong with a parameter.
  public enum Problem: Hashable, Sendable {
    /// The action requires it.
    case missing
    /// It cannot be given together with this one.
    case excludes(String)
    /// It requires one of these.
    case requires([String])
    /// It is not a mass that is possible.
    case notAMass(isZeroAllowed: Bool)
    /// It is not a number in this range.
    case notANumber(ClosedRange<Double>)
    /// It is not an integer in this range.
    case notAnInteger(ClosedRange<Int>)
    /// It is neither true nor false.
    case notAFlag
    /// It is none of these words.
    case notAWord([String])
    /// It is not a line of text with 1 to this number of bytes.
    case notALine(maximumBytes: Int)
  }

  /// The name of the parameter.
  public let parameter: String
  /// What is wrong with it.
  public let problem: Problem

  /// `target_g: expected a number of grams above 0`
  public var description: String { "\(parameter): \(message)" }

  private var message: String {
    switch problem {
    case .missing: "missing"
    case .excludes(let other): "not together with \(other)"
    case .requires(let others): "requires \(others.joined(separator: " or "))"
    case .notAMass(let isZeroAllowed): "expected a number of grams \(isZeroAllowed ? "from" : "above") 0"
    case .notANumber(let range):
      "expected a number from \(Self.text(range.lowerBound)) to \(Self.text(range.upperBound))"
    case .notAnInteger(let range): "expected an integer from \(range.lowerBound) to \(range.upperBound)"
    case .notAFlag: "expected true or false"
    case .notAWord(let words): "expected one of \(words.joined(separator: ", "))"
    case .notALine(let maximum): "expected a line of text of 1 to \(maximum) bytes"
    }
  }

  private static func text(_ number: Double) -> String { DecimalText.trimmed(number, decimals: 3) }

  init(_ parameter: String, _ problem: Problem) {
    self.parameter = parameter
    self.problem = problem
  }
}
