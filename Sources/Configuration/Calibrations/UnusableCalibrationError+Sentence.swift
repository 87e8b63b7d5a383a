import Languages
import Weighing

extension UnusableCalibrationError {
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
        [
          "least": numberText(PowerLaw.exponents.lowerBound),
          "most": numberText(PowerLaw.exponents.upperBound),
        ])
    }
  }
}
