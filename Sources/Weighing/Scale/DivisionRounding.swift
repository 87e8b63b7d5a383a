/// Rounds to the division with hysteresis, so that a last digit never flickers between two values.
///
/// The digit that is shown stands until the mass is further from it than half a division and a margin. The margin
/// follows the certainty of the mass: a quarter of a division while little is known, next to nothing once a long
/// average stands behind it, so that what is shown for good is the nearest digit.
///
/// At rest a digit is only left when another is clearly nearer, as far as is known, and one that was left comes back only
/// beyond a margin: what a reader takes for settled is corrected once, if at all. What is shown stays within a division of
/// the mass.
struct DivisionRounding: Sendable {
  private var shown: Int?
  /// The digit that was left last since the load came to rest.
  private var left: Int?
  private var wasResting = false

  /// Deviations of the mass that the margin covers.
  private static let deviations = 3.0
  private static let narrowest = 0.02
  /// The widest margin while the load moves, and at rest for a change that goes on in the direction of the last.
  private static let widest = 0.25
  /// The widest margin for the first change at rest.
  private static let widestAtRest = 0.45
  /// The margins for going back at rest.
  private static let back = 0.25...0.45

  /// Forgets what was shown.
  mutating func reset() {
    shown = nil
    left = nil
    wasResting = false
  }

  /// The steps to show for a mass that is uncertain by one standard deviation, in grams.
  mutating func steps(for mass: Grams, deviation: Double, isResting: Bool, division: Division) -> Int {
    let nearest = division.steps(nearest: mass)
    if isResting != wasResting {
      left = nil
      // What is announced as settled is the nearest digit.
      if isResting { shown = nil }
    }
    wasResting = isResting
    if let shown {
      let step = division.step.value
      let doubt = Self.deviations * deviation / step
      let margin =
        switch left {
        case let left? where (left < shown) == (nearest < shown):
          min(max(doubt, Self.back.lowerBound), Self.back.upperBound)
        case nil where isResting: min(max(doubt, Self.narrowest), Self.widestAtRest)
        default: min(max(doubt, Self.narrowest), Self.widest)
        }
      if (mass.value / step - Double(shown)).magnitude <= 0.5 + margin { return shown }
      if isResting, nearest != shown { left = shown }
    }
    shown = nearest
    return nearest
  }
}
