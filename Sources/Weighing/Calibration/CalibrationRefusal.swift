/// Why measured masses cannot be made a calibration.
public enum CalibrationRefusal: Error, Hashable, Sendable {
  /// A calibration needs at least three different masses, nothing being one of them.
  case tooFew(given: Int)
  /// A mass or a value that is none: not finite, negative, or past what an axis can say.
  case invalid(mass: Grams, counts: Double)
  /// The axis was at its end under this mass.
  case pastTheAxis(mass: Grams)
  /// The axis did not come to rest under this mass: how far it moved while it was looked at, in grams.
  case unstable(mass: Grams, moved: Grams)
  /// The same mass said something else when it was observed again, by so many grams.
  case drifted(mass: Grams, first: Double, last: Double, by: Grams)
  /// Two masses have one value of the axis, as nearly as it can be told.
  case indistinct(Grams, Grams, counts: Double)
  /// One mass is far off the curve of all the others, which foretells another: most likely it was mistyped.
  case mistyped(mass: Grams, counts: Double, foretold: Grams)
  /// Something lies on the pad where there should be nothing: these counts, of `fullScale`.
  case notEmpty(counts: Double, fullScale: Int)
  /// No smooth response explains all masses: by the others, this one is another. How far off they are, in expected misfits.
  case scattered(mass: Grams, predicted: Grams, misfit: Double)
  /// The heavier mass has the smaller value.
  case notRising(light: CalibrationPoint, heavy: CalibrationPoint)
  /// The heaviest mass covers too little of the capacity.
  case tooNarrow(heaviest: Grams, needed: Grams, capacity: Grams)
  /// The curve asked for cannot be laid.
  case unusable(UnusableCalibration)
}

extension CalibrationRefusal {
  /// The mass to look at first; `nil` where it is not about one mass.
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

extension CalibrationRefusal: CustomStringConvertible {
  /// The reason in words, with what to do about it.
  public var description: String {
    switch self {
    case .tooFew(let given):
      "too few: a calibration needs at least 3 different masses, nothing being one of them; \(Self.count(given)) given"
    case .invalid(let mass, let counts):
      "\(Self.text(counts)) counts under \(mass.text) g: counts are 0 or more, masses 0 to 100000 g"
    case .pastTheAxis(let mass): "\(mass.text) g is more than the pad can tell: its axis is at the end; leave it out"
    case .unstable(let mass, let moved):
      """
      unstable: under \(mass.text) g the reading moved by \(moved.text) g while it was looked at; keep table and mass \
      still and measure it again
      """
    case .drifted(let mass, let first, let last, let by):
      """
      the pad drifts: \(mass == .zero ? "nothing" : "\(mass.text) g") was \(Self.text(first)) counts at first and \
      \(Self.text(last)) at last, \(by.text) g apart; let it warm up, see that nothing touches it, and begin again
      """
    case .indistinct(let light, let heavy, let counts):
      """
      two masses, one value: \(light.text) g and \(heavy.text) g both say \(Self.text(counts)) counts; was the mass \
      changed in between?
      """
    case .mistyped(let mass, let counts, let foretold):
      """
      \(mass.text) g at \(Self.text(counts)) counts is far off all the others, by which it would be about \
      \(Grams((foretold.value * 10).rounded() / 10).text) g: mistyped, most likely; correct it, or measure it again
      """
    case .notEmpty(let counts, let fullScale):
      """
      with nothing on it the pad says \(Self.text(counts)) counts of \(fullScale): something lies on it or presses it; take \
      it off and measure again
      """
    case .scattered(let mass, let predicted, let misfit):
      """
      the masses do not lie on one curve: they are \(DecimalText.fixed(misfit, decimals: 1)) times further off than noise and \
      repeatability explain. By the others, \(mass.text) g is about \
      \(Grams((predicted.value * 10).rounded() / 10).text) g; check that mass, or measure it again
      """
    case .notRising(let light, let heavy):
      """
      not monotone: \(heavy.mass.text) g says \(Self.text(heavy.counts)) counts, but \(light.mass.text) g, which is \
      less, says \(Self.text(light.counts)); one of the two is mistyped or touches something
      """
    case .tooNarrow(let heaviest, let needed, let capacity):
      """
      too little of the range: the heaviest mass is \(heaviest.text) g and the capacity \(capacity.text) g; take one of \
      at least \(needed.text) g, or lower scale.capacity_g
      """
    case .unusable(let reason): reason.description
    }
  }

  private static func text(_ counts: Double) -> String { DecimalText.fixed(counts, decimals: 2) }

  private static func count(_ number: Int) -> String { number == 1 ? "1 was" : "\(number) were" }
}

extension Grams {
  /// The number with as many decimals as it needs, two at most.
  var text: String {
    let all = DecimalText.fixed(value, decimals: 2)
    guard all.hasSuffix("0") else { return all }
    let short = all.dropLast()
    return String(short.hasSuffix("0") ? short.dropLast(2) : short)
  }
}
