/// The raw series of a certificate: what was put on the pad, and what the scale indicated.
package struct CertificateMeasurements: Hashable, Sendable {
  /// Indications of one load that was put on repeatedly.
  package struct Series: Hashable, Sendable {
    /// The load.
    package var load: TestLoad
    /// The indications.
    package var indications: [Grams]

    /// Makes a series.
    package init(load: TestLoad, indications: [Grams] = []) { (self.load, self.indications) = (load, indications) }
  }

  /// The indication of a load at a position of the pad.
  package struct Placement: Hashable, Sendable {
    /// The name of the position: `centre`, `front left`.
    package var name: String
    /// The position that the pad reported; `nil` if it reports none.
    package var position: Position?
    /// The indication.
    package var indication: Grams

    /// Makes a placement.
    package init(name: String, position: Position? = nil, indication: Grams) {
      (self.name, self.position, self.indication) = (name, position, indication)
    }
  }

  /// A load at several positions.
  package struct Eccentricity: Hashable, Sendable {
    /// The load.
    package var load: TestLoad
    /// The placements, the centre first.
    package var placements: [Placement]

    /// Makes a series.
    package init(load: TestLoad, placements: [Placement] = []) { (self.load, self.placements) = (load, placements) }

    /// The difference of a placement from the centre.
    package func difference(of placement: Placement) -> Grams {
      placement.indication - (placements.first?.indication ?? .zero)
    }

    /// The largest difference from the centre.
    package var largestDifference: Grams { placements.map { difference(of: $0).magnitude }.max() ?? .zero }
  }

  /// The indications of a load with increasing and with decreasing load.
  package struct Step: Hashable, Sendable {
    /// The load.
    package var load: TestLoad
    /// The indication with increasing load.
    package var up: Grams?
    /// The indication with decreasing load.
    package var down: Grams?

    /// Makes a step.
    package init(load: TestLoad, up: Grams? = nil, down: Grams? = nil) {
      (self.load, self.up, self.down) = (load, up, down)
    }
  }

  /// A load that rested on the pad.
  package struct Creep: Hashable, Sendable {
    /// The load.
    package var load: TestLoad
    /// The indications since it came to rest.
    package var samples: [SelfTest.Sample]

    /// Makes a series.
    package init(load: TestLoad, samples: [SelfTest.Sample]) { (self.load, self.samples) = (load, samples) }

    /// The largest change from the first indication.
    package var change: Grams {
      guard let first = samples.first else { return .zero }
      return samples.map { ($0.mass - first.mass).magnitude }.max() ?? .zero
    }
  }

  /// The time of the measurement, RFC 3339 in UTC.
  package var date: String?
  /// Temperatures in degrees Celsius as entered by the person, at the start and at the end.
  package var temperatures: [Double] = []
  /// Place, operator and other conditions as entered by the person.
  package var conditions: String?
  /// The resolution of the indications.
  package var resolution: Grams
  /// Whether the scale was calibrated with masses directly before.
  package var isAdjusted = false
  /// The reference masses.
  package var masses: [ReferenceMass] = []
  /// The repeatability, at two loads.
  package var repeatability: [Series] = []
  /// The eccentricity.
  package var eccentricity: Eccentricity?
  /// The errors of indication, by increasing load.
  package var steps: [Step] = []
  /// The indications of the empty pad, before the first load and after each.
  package var zeros: [Grams] = []
  /// The creep.
  package var creep: Creep?

  /// Makes measurements without results.
  package init(resolution: Grams) { self.resolution = resolution }
}
