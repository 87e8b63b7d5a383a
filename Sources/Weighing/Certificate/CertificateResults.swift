/// The results of a certificate after EURAMET cg-18 v4.0, computed from the raw series.
package struct CertificateResults: Hashable, Sendable {
  /// The error of indication at a load.
  package struct ErrorOfIndication: Hashable, Sendable {
    /// The load.
    package let load: TestLoad
    /// The indication with increasing load.
    package let up: Grams?
    /// The indication with decreasing load.
    package let down: Grams?
    /// The budget of the error.
    package let budget: UncertaintyBudget

    /// The mean indication.
    package var indication: Grams {
      let known = [up, down].compactMap(\.self)
      return Grams(known.reduce(0) { $0 + $1.value } / Double(max(known.count, 1)))
    }

    /// The mean error.
    package var error: Grams { indication - load.value }
    /// The error with increasing load.
    package var errorUp: Grams? { up.map { $0 - load.value } }
    /// The error with decreasing load.
    package var errorDown: Grams? { down.map { $0 - load.value } }
    /// The difference between the indications down and up.
    package var hysteresis: Grams? { up.flatMap { up in down.map { $0 - up } } }
  }

  /// The relative uncertainties for which the minimum weight is stated.
  package static let minimumWeightShares = [0.01, 0.001]

  /// The raw series.
  package let measurements: CertificateMeasurements
  /// The division of the scale in use.
  package let division: Grams
  /// The capacity of the scale.
  package let capacity: Grams
  /// Repeatability and eccentricity, with the resolution of the measurements.
  package let tests: IndicationTests
  /// The errors of indication.
  package let errors: [ErrorOfIndication]
  /// The uncertainty of a weighing in use.
  package let inUse: UncertaintyInUse

  /// Evaluates measurements.
  ///
  /// - Throws: `CertificateError` if a series is missing.
  package init(
    _ measurements: CertificateMeasurements, division: Grams, capacity: Grams
  ) throws(CertificateError) {
    let missing = measurements.missing
    guard missing.isEmpty else { throw CertificateError(missing: missing) }
    (self.measurements, self.division, self.capacity) = (measurements, division, capacity)
    let tests = IndicationTests(
      resolution: measurements.resolution,
      repeatability: measurements.repeatability.map { .init(load: $0.load.value, indications: $0.indications) },
      eccentricity: measurements.eccentricity.map {
        .init(load: $0.load.value, largestDifference: $0.largestDifference)
      })
    let errors = measurements.steps.map { step in
      let indications = [step.up, step.down].compactMap(\.self)
      let indication = indications.max() ?? .zero
      return ErrorOfIndication(
        load: step.load, up: step.up, down: step.down,
        budget: tests.budget(at: indication, of: step.load, isAdjusted: measurements.isAdjusted))
    }
    (self.tests, self.errors) = (tests, errors)
    var testsInUse = tests
    testsInUse.resolution = division
    let worst = errors.filter { $0.load.value > .zero && $0.hysteresis != nil }
      .max { Self.hysteresisShare($0) < Self.hysteresisShare($1) }
    inUse = UncertaintyInUse(
      testsInUse,
      points: errors.map { .init(indication: $0.indication, error: $0.error, uncertainty: $0.budget.combined) },
      capacity: capacity, creep: measurements.creep.map { ($0.change, $0.load.value) },
      hysteresis: worst.flatMap { worst in worst.hysteresis.map { ($0, worst.load.value) } })
  }

  private static func hysteresisShare(_ error: ErrorOfIndication) -> Double {
    (error.hysteresis?.value.magnitude ?? 0) / error.load.value.value
  }

  /// The largest difference of the empty pad from its first indication.
  package var zeroReturn: Grams {
    guard let first = measurements.zeros.first else { return .zero }
    return measurements.zeros.map { ($0 - first).magnitude }.max() ?? .zero
  }

  /// Whether all reference masses can be traced to national standards.
  package var isTraceable: Bool { measurements.masses.allSatisfy(\.isTraceable) }
}

/// Why measurements do not make a certificate.
package struct CertificateError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is missing, in words.
  package let missing: [String]

  /// The reason, with what to do about it.
  package var description: String {
    "incomplete: \(missing.joined(separator: "; ")). Measure it with --series, or add it to the file"
  }
}

extension CertificateMeasurements {
  /// The least number of indications of a repeatability series (EURAMET cg-18, 5.1: five below 100 kg).
  package static let leastIndications = 5
  /// The number of placements: the centre and four corners (EURAMET cg-18, 5.3).
  package static let leastPlacements = 5

  /// What a certificate requires and the measurements lack, in words.
  package var missing: [String] {
    var missing: [String] = []
    if temperatures.isEmpty { missing.append("no temperature") }
    if repeatability.count < 2 {
      missing.append("repeatability at two loads is required, \(repeatability.count) given")
    }
    for series in repeatability where series.indications.count < Self.leastIndications {
      missing.append(
        "repeatability of \(series.load.name): \(series.indications.count) of \(Self.leastIndications) indications")
    }
    let placements = eccentricity?.placements.count ?? 0
    if placements < Self.leastPlacements {
      missing.append("eccentricity: \(placements) of \(Self.leastPlacements) positions")
    }
    if steps.count(where: { $0.up != nil && $0.load.value > .zero }) < 2 {
      missing.append("errors of indication at two loads are required")
    }
    for step in steps where step.up == nil || step.down == nil {
      missing.append("error of \(step.load.name): indication \(step.up == nil ? "up" : "down")")
    }
    if zeros.count < 2 { missing.append("zero return: two indications of the empty pad are required") }
    if creep?.samples.count ?? 0 < 2 { missing.append("creep: two samples are required") }
    return missing
  }
}
