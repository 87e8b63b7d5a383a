import Weighing

extension Configuration {
  /// The properties of the scale (`scale`).
  package struct Scale: Hashable, Sendable {
    /// The load from which the scale is in overload; above 0, up to 100 kg.
    package var capacity = Grams(385)
    /// The displayed step: 1, 2 or 5 times a power of ten (OIML R 76-1, 3.2), from 1 mg to 1 kg and at most the capacity.
    package var division = Grams(1)
    /// The minimum net weight for a commit; 0 or more, below the capacity.
    package var minimum = Grams(2)
    /// What happens to the tare when the load is removed.
    package var tareOnRelease = TareOnRelease.keep
    /// Whether a slow drift of the empty scale is zeroed.
    package var zeroTracking = true

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
  init(from section: inout SectionReader) {
    section.read("capacity_g", .grams(above: 0, through: 100_000), into: &capacity)
    section.read("division_g", .division, into: &division)
    section.read("minimum_g", .grams(0...100_000), into: &minimum)
    section.read("tare_on_release", .oneOf(Configuration.TareOnRelease.self), into: &tareOnRelease)
    section.read("zero_tracking", .flag, into: &zeroTracking)
    let limits = [
      ("division_g", division, division > capacity, "exceeds"),
      ("minimum_g", minimum, minimum >= capacity, "is not below"),
    ]
    for (key, mass, isExceeded, relation) in limits where isExceeded {
      section.report(
        section.isGiven(key) ? key : "capacity_g",
        "\(key) of \(numberText(mass.value)) g \(relation) capacity_g of \(numberText(capacity.value)) g")
    }
  }

  var entries: [YAMLEntry] {
    [
      ("capacity_g", .number(capacity.value)), ("division_g", .number(division.value)),
      ("minimum_g", .number(minimum.value)), ("tare_on_release", .text(tareOnRelease.rawValue)),
      ("zero_tracking", .flag(zeroTracking)),
    ]
  }
}

extension ValueRule<Grams> {
  /// 1, 2 or 5 times a power of ten, 0.001...1000 g.
  static var division: Self {
    ValueRule { node, reporter in
      let steps = (-3...3).flatMap { power in ["1", "2", "5"].compactMap { Double("\($0)e\(power)") } }
        .filter { $0 <= 1000 }
      guard case .number(let value) = node.scalar else {
        return reporter.reportUnexpected(node, expected: "a number of grams", suggestion: node.numberHint)
      }
      if steps.contains(value) { return Grams(value) }
      let nearest = steps.min { abs($0 - value) < abs($1 - value) }
      return reporter.reportUnexpected(
        node, expected: "1, 2 or 5 times a power of ten, from 0.001 to 1000", suggestion: nearest.map(numberText))
    }
  }
}
