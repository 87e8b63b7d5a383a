import Weighing

extension CurveChoice {
  /// Why the curve was chosen, with the formula of a power law.
  package var sentence: Sentence {
    curve.powerLaw.map { Sentence(.curveFormula, ["explanation": reasonSentence, "formula": $0.formula]) }
      ?? reasonSentence
  }

  private var reasonSentence: Sentence {
    let curve = Sentence(Self.word(for: curve.shape))
    let key: TextKey =
      switch reason {
      case .asked: .curveAsked
      case .tooFewToTell: .curveFewMasses
      case .best: .curveBest
      case .asGoodAsAny: .curveAsGood
      }
    return reason == .tooFewToTell
      ? Sentence(key, ["curve": curve]) : Sentence(key, ["curve": curve, "errors": errors])
  }

  private var errors: Sentence {
    func error(_ shape: CurveShape) -> String { scores.first { $0.shape == shape }?.errorText ?? "-" }
    return Sentence(
      .curveErrors,
      [
        "linear": error(.linear), "monotone": error(.monotone), "polynomial": error(.polynomial),
        "power": error(.power),
      ])
  }

  private static func word(for shape: CurveShape) -> TextKey {
    switch shape {
    case .linear: .shapeLinear
    case .monotone: .shapeMonotone
    case .polynomial: .shapePolynomial
    case .power: .shapePower
    }
  }
}
