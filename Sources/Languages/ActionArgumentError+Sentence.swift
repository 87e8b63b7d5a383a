import Weighing

extension ActionArgumentError: SentenceError {
  /// The sentence in English.
  public var description: String { sentence.description }

  /// The parameter, and what is wrong with it: `target_g: expected a number of grams above 0`.
  package var sentence: Sentence { sentence { $0 } }

  /// The same for a parameter in an object at this path.
  package func sentence(in path: String) -> Sentence { message { $0 }.about("\(path).\(parameter)") }

  /// The same with other names for the parameters, such as those of options: `--grams: expected a number of grams from 0`.
  package func sentence(named name: (String) -> String) -> Sentence { message(name).about(name(parameter)) }

  private func message(_ name: (String) -> String) -> Sentence {
    switch problem {
    case .missing: Sentence(.parameterMissing)
    case .excludes(let other): Sentence(.parameterExcludes, ["other": name(other)])
    case .requires(let others): Sentence(.configRequires, ["key": Sentence.oneOf(others.map(name))])
    case .notAMass(let isZeroAllowed): .expected(isZeroAllowed ? .acceptsGramsFromZero : .acceptsGramsAboveZero)
    case .notANumber(let range):
      .expected(.acceptsNumber, ["least": numberText(range.lowerBound), "most": numberText(range.upperBound)])
    case .notAnInteger(let range): .expected(.acceptsInteger, ["least": range.lowerBound, "most": range.upperBound])
    case .notAFlag: .expected(Sentence.oneOf(["true", "false"]))
    case .notAWord(let words): .expected(Sentence.oneOf(words))
    case .notALine(let maximum): .expected(.acceptsLine, ["maximum": maximum])
    }
  }
}

extension Sentence {
  /// `expected a number from 0 to 9`
  package static func expected(_ accepted: Sentence) -> Sentence { Sentence(.configExpected, ["accepts": accepted]) }

  /// The same for a text with its values.
  package static func expected(
    _ accepted: TextKey, _ values: KeyValuePairs<String, any CustomStringConvertible> = [:]
  ) -> Sentence { expected(Sentence(accepted, values)) }
}
