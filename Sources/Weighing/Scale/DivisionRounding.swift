/// Rounds to the division with hysteresis, so that a last digit never flickers between two values.
///
/// The digit that is shown stands until the mass is further from it than half a division and a margin. The margin
/// follows the certainty of the mass: a quarter of a division while little is known, next to nothing once a long
/// average stands behind it, so that what is shown for good is the nearest digit.
struct DivisionRounding: Sendable {
  private var shown: Int?

  /// Deviations of the mass that the margin covers.
  private static let deviations = 3.0
  private static let widest = 0.25
  private static let narrowest = 0.02

  /// Forgets what was shown.
  mutating func reset() {
    shown = nil
  }

  /// The steps to show for a mass that is uncertain by one standard deviation, in grams.
  mutating func steps(for mass: Grams, deviation: Double, division: Division) -> Int {
    let nearest = division.steps(nearest: mass)
    if let shown {
      let step = division.step.value
      let margin = min(max(Self.deviations * deviation / step, Self.narrowest), Self.widest)
      if (mass.value / step - Double(shown)).magnitude <= 0.5 + margin { return shown }
    }
    shown = nearest
    return nearest
  }
}
