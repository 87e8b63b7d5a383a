import Testing

@testable import Weighing

/// The parts of a certificate: tables, budgets, and results of series.
@Suite struct CertificateResultsTests {
  @Test(arguments: [
    (WeightClass.e2, 100.0, 0.16 as Double?), (.e1, 0.001, 0.003), (.m1, 200, 10), (.m3, 1, 10), (.m3, 0.5, nil),
    (.f1, 20, 0.25), (.m2, 0.05, nil), (.m1, 3, nil),
  ])
  func permissibleErrors(_ own: WeightClass, nominal: Double, milligrams: Double?) {
    #expect(own.maximumPermissibleError(of: Grams(nominal)) == milligrams.map { Grams($0 / 1000) })
  }

  @Test(arguments: [(0.5, 13.97), (4, 2.87), (4.9, 2.87), (5, 2.65), (49, 2.06), (99, 2.05), (100, 2), (.infinity, 2)])
  func coverageFactors(degreesOfFreedom: Double, factor: Double) {
    #expect(CoverageFactor.value(degreesOfFreedom: degreesOfFreedom) == factor)
  }

  /// Tanaka et al., table 1: 999.8426, 999.7027, 998.2067, 997.0470 and 992.2152 kg/m3.
  @Test(arguments: [(0, 0.9998426), (10, 0.9997027), (20, 0.9982067), (25, 0.9970470), (40, 0.9922152)])
  func waterDensity(celsius: Double, density: Double) {
    #expect((HouseholdMass.waterDensity(celsius: celsius) - density).magnitude < 3e-6)
  }

  /// A litre of water at 20 °C has a mass of 998.207 g; a scale shows 0.105 % less.
  @Test func aScaleShowsLessThanTheMassOfWater() {
    let shown = HouseholdMass.water(millilitres: 1000, celsius: 20).value
    #expect((shown - 998.207 * (1 - 1.2 / 998.207) / (1 - 1.2 / 8000)).magnitude < 0.003)
  }

  @Test func fewIndicationsHaveALargerFactor() {
    let tests = IndicationTests(
      resolution: Grams(1e-9),
      repeatability: [.init(load: Grams(100), indications: [99, 100, 101, 100, 100].map { Grams($0) })],
      eccentricity: nil)
    let budget = tests.budget(at: Grams(100), of: TestLoad([]), isAdjusted: true)
    #expect((budget.combined.value - 0.5.squareRoot()).magnitude < 1e-9)
    #expect((budget.degreesOfFreedom - 4).magnitude < 1e-6)
    #expect((budget.expanded.value - 2.87 * 0.5.squareRoot()).magnitude < 1e-6)
  }

  @Test func minimumWeight() throws {
    let linear = UncertaintyInUse.Linear(alpha: Grams(0.4), beta: 0.002)
    #expect((try #require(linear.minimumWeight(share: 0.01)).value - 50).magnitude < 1e-9)
    #expect(linear.minimumWeight(share: 0.002) == nil)
    #expect(linear.minimumWeight(share: 0.001) == nil)
  }

  private static let masses = [50.0, 100].map {
    ReferenceMass(name: "\($0)", nominal: Grams($0), evidence: .weightClass(.m1, certificate: nil))
  }

  /// Readings of a scale that shows 1 % too much, with a hysteresis of 0.2 g at 50 g.
  private static var measurements: CertificateMeasurements {
    var measurements = CertificateMeasurements(resolution: Grams(0.1))
    measurements.temperatures = [20]
    measurements.masses = masses
    measurements.repeatability = masses.map {
      .init(load: TestLoad([$0]), indications: [Grams](repeating: Grams($0.nominal.value * 1.01), count: 5))
    }
    measurements.eccentricity = .init(
      load: TestLoad([masses[0]]),
      placements: [50.5, 50.7, 50.4, 50.5, 50.1].enumerated().map {
        .init(name: "position \($0.offset)", indication: Grams($0.element))
      })
    measurements.steps = [
      .init(load: TestLoad([]), up: .zero, down: .zero),
      .init(load: TestLoad([masses[0]]), up: Grams(50.4), down: Grams(50.6)),
      .init(load: TestLoad(masses), up: Grams(151.5), down: Grams(151.5)),
    ]
    measurements.zeros = [.zero, Grams(0.1), Grams(-0.2)]
    measurements.creep = .init(
      load: TestLoad([masses[1]]),
      samples: [(0.0, 101.0), (30, 101.1), (60, 101.3)].map { .init(after: .seconds($0.0), mass: Grams($0.1)) })
    return measurements
  }

  @Test func resultsOfSeries() throws {
    let results = try CertificateResults(Self.measurements, division: Grams(1), capacity: Grams(200))
    #expect(results.errors.map { ($0.error.value * 1e6).rounded() / 1e6 } == [0, 0.5, 1.5])
    #expect(results.zeroReturn == Grams(0.2))
    #expect((results.measurements.creep?.change.value ?? 0) - 0.3 < 1e-9)
    #expect((try #require(results.tests.eccentricity).largestDifference.value - 0.4).magnitude < 1e-9)
    #expect((results.inUse.errorGain - 0.01).magnitude < 1e-3)
    // Eccentricity 0.4 g at 50 g, hysteresis 0.2 g at 50 g, creep 0.3 g at 100 g, at a reading of 100 g.
    let lines = results.inUse.budget(at: Grams(100)).lines
    func uncertainty(_ source: UncertaintyBudget.Line.Source) -> Double {
      lines.first { $0.source == source }?.uncertainty.value ?? .nan
    }
    #expect((uncertainty(.loadResolution) - 1 / 12.squareRoot()).magnitude < 1e-9)
    #expect((uncertainty(.eccentricity) - 0.4 / 12.squareRoot() * 2).magnitude < 1e-9)
    #expect((uncertainty(.hysteresis) - 0.2 / 12.squareRoot() * 2).magnitude < 1e-9)
    #expect((uncertainty(.creep) - 0.3 / 3.squareRoot()).magnitude < 1e-9)
    #expect(results.inUse.minimumWeight(share: 0.001) == nil)
    #expect(!results.isTraceable)
  }

  @Test func whatIsMissingIsNamed() {
    var measurements = Self.measurements
    measurements.temperatures = []
    measurements.repeatability[0].indications.removeLast()
    measurements.steps[1].down = nil
    measurements.creep = nil
    let error = #expect(throws: CertificateError.self) {
      try CertificateResults(measurements, division: Grams(1), capacity: Grams(200))
    }
    #expect(error?.missing.count == 4)
    for words in ["no temperature", "repeatability of 50.0: 4 of 5", "error of 50.0: indication down", "creep"] {
      #expect(error?.description.contains(words) == true, "\(words)")
    }
  }
}
