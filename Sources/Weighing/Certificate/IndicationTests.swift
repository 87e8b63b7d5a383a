/// The results of the tests that apply to all loads: resolution, repeatability and eccentricity.
package struct IndicationTests: Hashable, Sendable {
  /// The repeatability of a load.
  package struct Repeatability: Hashable, Sendable {
    /// The load.
    package let load: Grams
    /// The standard deviation of one indication.
    package let deviation: Grams
    /// The number of indications; `nil` if it is not known.
    package let count: Int?

    /// Makes a result.
    package init(load: Grams, deviation: Grams, count: Int?) {
      (self.load, self.deviation, self.count) = (load, deviation, count)
    }

    /// Evaluates a series (EURAMET cg-18, 6.1).
    package init(load: Grams, indications: [Grams]) {
      self.init(load: load, deviation: indications.standardDeviation, count: indications.count)
    }
  }

  /// The effect of the position of a load.
  package struct Eccentricity: Hashable, Sendable {
    /// The load.
    package let load: Grams
    /// The largest difference from the indication at the centre.
    package let largestDifference: Grams

    /// The standard uncertainty as a fraction of the indication (EURAMET cg-18, 7.1.1).
    var share: Double { load > .zero ? largestDifference.value / (2 * load.value * 3.squareRoot()) : 0 }
  }

  /// The resolution of the indications, at zero and at load.
  package var resolution: Grams
  /// The repeatability at one or more loads.
  package var repeatability: [Repeatability]
  /// The effect of the position; `nil` if it was not tested.
  package var eccentricity: Eccentricity?

  /// The repeatability at an indication: the worse of the two series with the nearest loads.
  func repeatability(at indication: Grams) -> Repeatability? {
    let nearest = repeatability.sorted { ($0.load - indication).magnitude < ($1.load - indication).magnitude }
    return nearest.prefix(2).max { $0.deviation < $1.deviation }
  }

  /// The contributions of the indication (EURAMET cg-18, 7.1.1): the resolution is a rectangular distribution of half a
  /// step to both sides.
  func lines(at indication: Grams) -> [UncertaintyBudget.Line] {
    let rounding = Grams(resolution.value / 12.squareRoot())
    let repeatability = repeatability(at: indication)
    return [
      .init(.zeroResolution, rounding), .init(.loadResolution, rounding),
      .init(
        .repeatability, repeatability?.deviation ?? .zero,
        degreesOfFreedom: repeatability?.count.map { max($0 - 1, 1) }),
      .init(.eccentricity, Grams((eccentricity?.share ?? 0) * indication.value.magnitude)),
    ]
  }

  /// The budget of the error of an indication under a load (EURAMET cg-18, 7.1).
  ///
  /// Convection matters only for weights of class F1 and better that have another temperature than the scale (7.1.2); the
  /// masses have to be acclimatised.
  ///
  /// - Parameter isAdjusted: Whether the scale was adjusted directly before the measurement.
  package func budget(at indication: Grams, of load: TestLoad, isAdjusted: Bool) -> UncertaintyBudget {
    UncertaintyBudget(
      lines: lines(at: indication) + [
        .init(.masses, load.sum(\.valueUncertainty)), .init(.massDrift, load.sum(\.driftUncertainty)),
        .init(.buoyancy, load.sum { $0.buoyancyUncertainty(isAdjusted: isAdjusted) }), .init(.convection, .zero),
      ])
  }
}
