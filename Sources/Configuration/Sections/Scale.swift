import Languages
import Weighing

extension ScaleSettings.Scale: ConfigurationSection {
  static var keys: [Key<Self>] {
    Key(
      "capacity_g", \.capacity, .grams(above: 0, through: Grams.maximum.value),
      settings: .page(.settingsCapacity, in: .scale),
      "Capacity in grams. The scale reports overload at or above it. Do not exceed what the pad can bear.")
    Key("division_g", \.division, .division, "Scale division in grams, no larger than the capacity.")
    Key(
      "minimum_g", \.minimum, .grams(0...Grams.maximum.value), settings: .page(.settingsMinimum, in: .scale),
      "Smallest net weight in grams that can be committed, below the capacity. It applies to the magnitude, so also to a "
        + "load that was removed. Set to 0 to allow any weight, including zero.")
    Key(
      "tare_on_release", \.tareOnRelease, .oneOf(ScaleSettings.TareOnRelease.self),
      "What happens to the tare when the load is removed. Use clear if every load has its own container.")
    Key(
      "zero_tracking", \.tracksZero, .flag,
      "Correct slow drift of the empty scale automatically. Set to false to observe the drift.")
    Key(
      "auto_commit", \.commitsAutomatically, .flag,
      "Record each load once when it comes to rest, and the next one only after the scale was back at zero. A load that "
        + "already lies on the scale at the start is not recorded.")
    Key(
      "unit", \.unit, .oneOf(MassUnit.self), example: .ounce, settings: .page(.settingsUnit, in: .scale),
      "Unit of the display: the fields printable and the topic display, the page and the terminal. The step is the smallest of "
        + "1, 2 or 5 times a power of ten that is not finer than the division. Masses in JSON, records and the configuration "
        + "stay in grams.")
  }

  func check(_ section: inout SectionReader) {
    let limits: [(key: String, mass: Grams, isExceeded: Bool, fault: TextKey)] = [
      ("division_g", division.step, division.step > capacity, .configAboveCapacity),
      ("minimum_g", minimum, minimum >= capacity, .configNotBelowCapacity),
    ]
    for (key, mass, isExceeded, fault) in limits where isExceeded {
      section.report(
        section.isGiven(key) ? key : "capacity_g", fault,
        ["key": key, "mass": numberText(mass.value), "capacity": numberText(capacity.value)])
    }
  }
}

extension ValueRule<Division> {
  /// 1, 2 or 5 times a power of ten, 0.001...1000 g.
  static var division: Self {
    let steps = (-3...3).flatMap { power in ["1", "2", "5"].compactMap { Double("\($0)e\(power)") } }
      .filter { $0 <= 1000 }
    let expected = Sentence(.acceptsDivision)
    return ValueRule(
      expected, schema: ["enum": .list(steps.map { .number($0) })], output: { .number($0.step.value) }
    ) { node, reporter in
      guard case .number(let value) = node.scalar else {
        return reporter.reportUnexpected(node, expected: Sentence(.acceptsGrams), suggestion: node.numberHint)
      }
      if steps.contains(value) { return Division(Grams(value)) }
      let nearest = steps.min { abs($0 - value) < abs($1 - value) }
      return reporter.reportUnexpected(node, expected: expected, suggestion: nearest.map(numberText))
    }
  }
}
