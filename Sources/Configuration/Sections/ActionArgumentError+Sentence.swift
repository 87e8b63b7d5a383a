import Languages
import Weighing

extension ActionArgumentError {
  /// The parameter, and what is wrong with it.
  package var sentence: Sentence {
    let message =
      switch problem {
      case .missing: Sentence(.parameterMissing)
      case .excludes(let other): Sentence(.parameterExcludes, ["other": other])
      case .requires(let others): Sentence(.configRequires, ["key": Self.oneOf(others)])
      case .notAMass(let isZeroAllowed):
        Sentence(.configExpected, ["accepts": Sentence(isZeroAllowed ? .acceptsGramsFromZero : .acceptsGramsAboveZero)])
      case .notANumber(let range):
        Sentence(
          .configExpected,
          [
            "accepts": Sentence(
              .acceptsNumber, ["least": numberText(range.lowerBound), "most": numberText(range.upperBound)])
          ])
      case .notAnInteger(let range):
        Sentence(
          .configExpected,
          ["accepts": Sentence(.acceptsInteger, ["least": range.lowerBound, "most": range.upperBound])])
      case .notAFlag: Sentence(.configExpected, ["accepts": Self.oneOf(["true", "false"])])
      case .notAWord(let words): Sentence(.configExpected, ["accepts": Self.oneOf(words)])
      case .notALine(let maximum):
        Sentence(.configExpected, ["accepts": Sentence(.acceptsLine, ["maximum": maximum])])
      }
    return message.prefixed("\(parameter): ")
  }

  /// `start, stop or reset`
  private static func oneOf(_ words: [String]) -> Sentence {
    guard words.count > 1, let last = words.last else { return .verbatim(words.joined()) }
    return Sentence(.acceptsOneOf, ["others": words.dropLast().joined(separator: ", "), "last": last])
  }
}
