/// Why a calibration cannot be made from measured masses.
public enum CalibrationError: Error, Hashable, Sendable {
  /// A calibration requires at least three different masses, including zero.
  case tooFew(given: Int)
  /// An invalid mass or value: not finite, negative, or outside the range of an axis.
  case invalid(mass: Grams, counts: Double)
  /// The axis was at its end under this mass.
  case pastTheAxis(mass: Grams)
  /// The axis did not come to rest under this mass: how far it moved during the measurement, in grams.
  case unstable(mass: Grams, moved: Grams)
  /// The same mass gave a different value when it was measured again: the difference in grams.
  case drifted(mass: Grams, first: Double, last: Double, by: Grams)
  /// Two masses have the same value of the axis, within its resolution.
  case indistinct(Grams, Grams, counts: Double)
  /// One mass is far from the curve through all others, which predicts another mass: most likely it was mistyped.
  case mistyped(mass: Grams, counts: Double, predicted: Grams)
  /// Something is on the pad that should be empty: these counts, of `fullScale`.
  case notEmpty(counts: Double, fullScale: Int)
  /// No smooth response explains all masses; the others predict another mass for this one. The misfit, in expected
  /// misfits.
  case scattered(mass: Grams, predicted: Grams, misfit: Double)
  /// The heavier mass has the smaller value.
  case notRising(light: CalibrationPoint, heavy: CalibrationPoint)
  /// The heaviest mass covers too little of the capacity.
  case tooNarrow(heaviest: Grams, needed: Grams, capacity: Grams)
  /// The selected curve cannot be fitted.
  case unusable(UnusableCalibrationError)
}

extension CalibrationError {
  /// The mass to check first; `nil` if the error does not concern a single mass.
  public var suspect: Grams? {
    switch self {
    case .tooFew, .tooNarrow, .unusable: nil
    case .invalid(let mass, _), .pastTheAxis(let mass), .unstable(let mass, _), .drifted(let mass, _, _, _),
      .mistyped(let mass, _, _), .scattered(let mass, _, _):
      mass
    case .indistinct(_, let heavy, _): heavy
    case .notEmpty: .zero
    case .notRising(_, let heavy): heavy.mass
    }
  }
}

extension Grams {
  /// The number with as many decimals as needed, at most two.
  package var text: String {
    let all = DecimalText.fixed(value, decimals: 2)
    guard all.hasSuffix("0") else { return all }
    let short = all.dropLast()
    return String(short.hasSuffix("0") ? short.dropLast(2) : short)
  }
}
