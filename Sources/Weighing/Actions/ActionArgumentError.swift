/// A parameter that an action does not accept.
public struct ActionArgumentError: Error, Hashable, Sendable {
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

  init(_ parameter: String, _ problem: Problem) {
    (self.parameter, self.problem) = (parameter, problem)
  }
}
