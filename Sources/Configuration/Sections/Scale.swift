import Languages
import Weighing

extension Configuration {
  /// The properties of the scale (`scale`).
  package struct Scale: Hashable, Sendable {
    /// The load from which the scale is in overload.
    package var capacity = Grams(385)
    /// The displayed step: 1, 2 or 5 times a power of ten (OIML R 76-1, 3.2), from 1 mg to 1 kg and at most the capacity.
    package var division = Grams(1)
    /// The minimum net weight for a commit; 0 or more, below the capacity.
    package var minimum = Grams(2)
    /// What happens to the tare when the load is removed.
    package var tareOnRelease = TareOnRelease.keep
    /// Whether a slow drift of the empty scale is zeroed.
    package var zeroTracking = true
    /// Whether each load is recorded once when it comes to rest.
    package var autoCommit = false
    /// The unit of the display.
    package var unit = MassUnit.gram

    /// All defaults.
    package init() {}
  }

  /// What happens to the tare when the load is removed (`scale.tare_on_release`).
  package enum TareOnRelease: String, Hashable, Sendable, CaseIterable {
    /// It is kept for the next load.
    case keep
    /// It is cleared.
    case clear
  }
}

extension Configuration.Scale: ConfigurationSection {
  static var keys: [Key<Self>] {
    Key(
      "capacity_g", \.capacity, .grams(above: 0, through: Grams.maximum.value),
      "Capacity in grams. The scale reports overload at or above it. Do not exceed what the pad can bear.")
    Key("division_g", \.division, .division, "Scale division in grams, no larger than the capacity.")
    Key(
      "minimum_g", \.minimum, .grams(0...Grams.maximum.value), settings: .page,
      "Smallest net weight in grams that can be committed, below the capacity. It applies to the magnitude, so also to a "
        + "load that was removed. Set to 0 to allow any weight, including zero.")
    Key(
      "tare_on_release", \.tareOnRelease, .oneOf(Configuration.TareOnRelease.self),
      "What happens to the tare when the load is removed. Use clear if every load has its own container.")
    Key(
      "zero_tracking", \.zeroTracking, .flag,
      "Correct slow drift of the empty scale automatically. Set to false to observe the drift.")
    Key(
      "auto_commit", \.autoCommit, .flag,
      "Record each load once when it comes to rest, and the next one only after the scale was back at zero. A load that "
        + "already lies on the scale at the start is not recorded.")
    Key(
      "unit", \.unit, .oneOf(MassUnit.self), example: .ounce, settings: .page,
      "Unit of the display: the fields printable and the topic display, the page and the terminal. The step is the smallest of "
        + "1, 2 or 5 times a power of ten that is not finer than the division. Masses in JSON, records and the configuration "
        + "stay in grams.")
  }

  func check(_ section: inout SectionReader) {
    let limits: [(key: String, mass: Grams, isExceeded: Bool, fault: TextKey)] = [
      ("division_g", division, division > capacity, .configAboveCapacity),
      ("minimum_g", minimum, minimum >= capacity, .configNotBelowCapacity),
    ]
    for (key, mass, isExceeded, fault) in limits where isExceeded {
      section.report(
        section.isGiven(key) ? key : "capacity_g", fault,
        ["key": key, "mass": numberText(mass.value), "capacity": numberText(capacity.value)])
    }
  }
}

extension ValueRule<Grams> {
  /// 1, 2 or 5 times a power of ten, 0.001...1000 g.
  static var division: Self {
    let steps = (-3...3).flatMap { power in ["1", "2", "5"].compactMap { Double("\($0)e\(power)") } }
      .filter { $0 <= 1000 }
    let expected = Sentence(.acceptsDivision)
    return ValueRule(
      expected, schema: ["enum": .list(steps.map { .number($0) })], output: { .number($0.value) }
    ) { node, reporter in
      guard case .number(let value) = node.scalar else {
        return reporter.reportUnexpected(node, expected: Sentence(.acceptsGrams), suggestion: node.numberHint)
      }
      if steps.contains(value) { return Grams(value) }
      let nearest = steps.min { abs($0 - value) < abs($1 - value) }
      return reporter.reportUnexpected(node, expected: expected, suggestion: nearest.map(numberText))
    }
  }
}
