/// Rounds to the division with hysteresis, so that the last digit never flickers between two values.
///
/// The displayed digit remains until the mass is further from it than half a division plus a margin. The margin follows
/// the uncertainty of the mass: a quarter of a division while little is known, almost nothing after a long average. The
/// digit that finally remains is therefore the nearest one.
///
/// At rest the digit only changes when another one is clearly nearer, and returns to the previous one only beyond a
/// margin: a settled display is corrected once, if at all. The displayed value stays within a division of the mass.
struct DivisionRounding: Sendable {
  private var shown: Int?
  /// The previous digit since the load came to rest.
  private var left: Int?
  private var wasResting = false

  /// The standard deviations that the margin covers, and the narrowest margin in divisions. Chosen.
  private static let deviations = 3.0
  private static let narrowest = 0.02
  /// The widest margin while the load moves, and at rest for a further change in the same direction.
  private static let widest = 0.25
  /// The widest margin for the first change at rest, and for a return to the previous digit, there at least `widest`.
  private static let widestAtRest = 0.45

  /// Forgets the displayed digit.
  mutating func reset() {
    shown = nil
    left = nil
    wasResting = false
  }

  /// Rounds a mass whose standard deviation is given in grams; returns the number of divisions.
  mutating func steps(for mass: Grams, deviation: Double, isResting: Bool, division: Division) -> Int {
    let nearest = division.steps(nearest: mass)
    if isResting != wasResting {
      left = nil
      // A load that has just settled is displayed with the nearest digit.
      if isResting { shown = nil }
    }
    wasResting = isResting
    if let shown {
      let step = division.step.value
      let doubt = Self.deviations * deviation / step
      let margin =
        switch left {
        case let left? where (left < shown) == (nearest < shown):
          min(max(doubt, Self.widest), Self.widestAtRest)
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
