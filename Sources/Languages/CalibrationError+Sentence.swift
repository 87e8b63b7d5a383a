import Weighing

extension CalibrationError: SentenceError {
  /// The reason in English.
  public var description: String { sentence.description }

  /// The reason, with what to do about it.
  package var sentence: Sentence {
    func text(_ counts: Double) -> String { DecimalText.fixed(counts, decimals: 2) }
    func rounded(_ mass: Grams) -> String { Grams((mass.value * 10).rounded() / 10).text }
    return switch self {
    case .tooFew(let given): Sentence(.faultTooFew, count: given)
    case .invalid(let mass, let counts):
      Sentence(.faultInvalid, ["counts": text(counts), "mass": mass.text, "most": text(Grams.maximum.value)])
    case .pastTheAxis(let mass): Sentence(.faultPastRange, ["mass": mass.text])
    case .unstable(let mass, let moved): Sentence(.faultUnstable, ["change": moved.text, "mass": mass.text])
    case .drifted(.zero, let first, let last, let by):
      Sentence(.faultDriftEmpty, ["first": text(first), "last": text(last), "change": by.text])
    case .drifted(let mass, let first, let last, let by):
      Sentence(
        .faultDrift, ["load": "\(mass.text) g", "first": text(first), "last": text(last), "change": by.text])
    case .indistinct(let light, let heavy, let counts):
      Sentence(.faultSame, ["light": light.text, "heavy": heavy.text, "counts": text(counts)])
    case .mistyped(let mass, let counts, let predicted):
      Sentence(.faultMistyped, ["mass": mass.text, "counts": text(counts), "predicted": rounded(predicted)])
    case .notEmpty(let counts, let fullScale):
      Sentence(.faultNotEmpty, ["counts": text(counts), "full": fullScale])
    case .scattered(let mass, let predicted, let misfit):
      Sentence(
        .faultScattered,
        ["misfit": DecimalText.fixed(misfit, decimals: 1), "predicted": rounded(predicted), "mass": mass.text])
    case .notRising(let light, let heavy):
      Sentence(
        .faultNotRising,
        ["heavy": heavy.mass.text, "more": text(heavy.counts), "light": light.mass.text, "less": text(light.counts)])
    case .tooNarrow(let heaviest, let needed, let capacity):
      Sentence(.faultNarrow, ["mass": heaviest.text, "capacity": capacity.text, "needed": needed.text])
    case .unusable(let reason): reason.sentence
    }
  }
}

extension UnusableCalibrationError: SentenceError {
  /// The reason in English.
  public var description: String { sentence.description }

  /// The reason, with what to do about it.
  package var sentence: Sentence {
    switch self {
    case .tooFewPoints(let needed, let given): Sentence(.curveTooFewPoints, count: given, ["needed": needed])
    case .invalidPoint: Sentence(.curveInvalidPoint)
    case .repeatedRaw(_, let counts): Sentence(.curveRepeated, ["counts": numberText(counts)])
    case .notRising(_, let from, let to):
      Sentence(
        .curveNotRising,
        [
          "mass": numberText(to.mass.value), "counts": numberText(to.counts),
          "lighter": numberText(from.mass.value), "less": numberText(from.counts),
        ])
    case .polynomialNotMonotone: Sentence(.curvePolynomial)
    case .notAPowerLaw:
      Sentence(
        .curvePowerLaw,
        ["least": numberText(PowerLaw.exponents.lowerBound), "most": numberText(PowerLaw.exponents.upperBound)])
    }
  }
}
