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

extension CalibrationError: CustomStringConvertible {
  /// The reason as text, with what to do about it.
  public var description: String {
    switch self {
    case .tooFew(let given):
      "too few masses: at least 3 different masses are required, including zero; \(Self.count(given)) given"
    case .invalid(let mass, let counts):
      "\(Self.text(counts)) counts at \(mass.text) g: counts must be 0 or more, masses 0 to \(Self.text(Grams.maximum.value)) g"
    case .pastTheAxis(let mass): "\(mass.text) g is above the range of the pad; leave it out"
    case .unstable(let mass, let moved):
      """
      unstable: the reading changed by \(moved.text) g during the measurement of \(mass.text) g; keep the table and the mass \
      still and measure again
      """
    case .drifted(let mass, let first, let last, let by):
      """
      the pad drifts: \(mass == .zero ? "the empty pad" : "\(mass.text) g") read \(Self.text(first)) counts at the start and \
      \(Self.text(last)) at the end, a difference of \(by.text) g; let the pad warm up, make sure that nothing touches it, and \
      start again
      """
    case .indistinct(let light, let heavy, let counts):
      """
      same reading for two masses: \(light.text) g and \(heavy.text) g both read \(Self.text(counts)) counts; was the mass \
      changed in between?
      """
    case .mistyped(let mass, let counts, let predicted):
      """
      \(mass.text) g at \(Self.text(counts)) counts is far from the curve of the other masses, which predicts about \
      \(Grams((predicted.value * 10).rounded() / 10).text) g. It is probably mistyped; correct it or measure it again
      """
    case .notEmpty(let counts, let fullScale):
      """
      the empty pad reads \(Self.text(counts)) counts of \(fullScale): something is on the pad or presses on it; remove it \
      and measure again
      """
    case .scattered(let mass, let predicted, let misfit):
      """
      the masses do not lie on one curve: the deviation is \(DecimalText.fixed(misfit, decimals: 1)) times what noise and \
      repeatability explain. The other masses predict about \(Grams((predicted.value * 10).rounded() / 10).text) g for \
      \(mass.text) g; check that mass or measure it again
      """
    case .notRising(let light, let heavy):
      """
      not monotone: \(heavy.mass.text) g reads \(Self.text(heavy.counts)) counts, but the lighter \(light.mass.text) g reads \
      \(Self.text(light.counts)); one of the two is mistyped or was measured while touching something
      """
    case .tooNarrow(let heaviest, let needed, let capacity):
      """
      range too small: the heaviest mass is \(heaviest.text) g and the capacity \(capacity.text) g; use a mass of at least \
      \(needed.text) g, or reduce scale.capacity_g
      """
    case .unusable(let reason): reason.description
    }
  }

  private static func text(_ counts: Double) -> String { DecimalText.fixed(counts, decimals: 2) }

  private static func count(_ number: Int) -> String { number == 1 ? "1 was" : "\(number) were" }
}

extension Grams {
  /// The number with as many decimals as needed, at most two.
  var text: String {
    let all = DecimalText.fixed(value, decimals: 2)
    guard all.hasSuffix("0") else { return all }
    let short = all.dropLast()
    return String(short.hasSuffix("0") ? short.dropLast(2) : short)
  }
}
