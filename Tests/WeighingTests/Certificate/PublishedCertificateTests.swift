import Testing

@testable import Weighing

/// The arithmetic reproduces published figures: calibration certificate 5143 of a Mettler Toledo XPE 204 by the mass
/// laboratory of the Instituto Nacional de Metrología de Colombia, 2021-03-18, as published in the R package masscor (data
/// set `MT.XPE.204`), and what its vignette prints for a reading of 211.1342 g on this balance.
@Suite struct PublishedCertificateTests {
  /// The published table: loads in grams, errors and expanded uncertainties (k = 2) in milligrams.
  static let table: [(load: Double, error: Double, expanded: Double)] = [
    (0.01, 0, 0.1), (0.5, 0, 0.1), (1, 0, 0.1), (10, 0, 0.1), (20, 0, 0.1), (50, 0, 0.2), (100, 0, 0.2), (120, 0, 0.3),
    (150, 0, 0.3), (200, -0.2, 0.4), (220, -0.2, 0.5),
  ]

  /// Division 0.1 mg; standard deviations at three loads; 0.1 mg of eccentricity at 100 g.
  private static let tests = IndicationTests(
    resolution: Grams(1e-4),
    repeatability: [(0.1, 0.0), (100, 4e-5), (220, 3e-5)].map {
      .init(load: Grams($0.0), deviation: Grams($0.1), count: nil)
    }, eccentricity: .init(load: Grams(100), largestDifference: Grams(1e-4)))

  /// Weights of class E2; combined where a set has none of the nominal value.
  private static func load(_ grams: Double) -> TestLoad {
    let parts: [Double] = [120: [100, 20], 150: [100, 50], 220: [200, 20]][grams] ?? [grams]
    return TestLoad(
      parts.map {
        ReferenceMass(
          name: "\($0) g", nominal: Grams($0), evidence: .weightClass(.e2, certificate: "1473 D-K 17296, 2019-05-10"))
      })
  }

  /// The published expanded uncertainties follow from the budget of EURAMET cg-18 with the published data and the maximum
  /// permissible errors of class E2 alone: nothing is adjusted.
  @Test(arguments: table)
  func expandedUncertainties(load: Double, error: Double, expanded: Double) {
    let indication = Grams(load + error / 1000)
    let reference = Self.load(load)
    #expect((((indication - reference.value).value * 1e4).rounded() / 10 - error).magnitude < 1e-9)
    let budget = Self.tests.budget(at: indication, of: reference, isAdjusted: true)
    #expect(budget.coverage == 2)
    // In milligrams, rounded to the published digit.
    #expect(
      ((budget.expanded.value * 1e4).rounded() / 10 - expanded).magnitude < 1e-9, "\(budget.expanded.value * 1000) mg")
  }

  private static var inUse: UncertaintyInUse {
    UncertaintyInUse(
      tests,
      points: table.map {
        .init(
          indication: Grams($0.load), error: Grams($0.error / 1000), uncertainty: Grams($0.expanded / 2000))
      }, capacity: Grams(220))
  }

  /// The vignette of masscor: 211.1344, 0.0002278355, 8.35552e-05 and 0.0002426736.
  @Test func aWeighingInUse() {
    let reading = Grams(211.1342)
    #expect(((reading - Self.inUse.error(at: reading)).value - 211.1344).magnitude < 5e-9)
    #expect((Self.inUse.errorUncertainty(at: reading).value - 0.0002278355).magnitude < 5e-11)
    #expect((Self.inUse.readingUncertainty(at: reading).value - 8.35552e-05).magnitude < 5e-11)
    #expect((Self.inUse.budget(at: reading).combined.value - 0.0002426736).magnitude < 5e-11)
    #expect((Self.inUse.expanded(at: reading).value - 2 * 0.0002426736).magnitude < 1e-10)
  }

  /// The tests of masscor for its data set `minimalCert` and a reading of 12.4835 g: 12.4837, 0.000100249, 2.891329e-9 and
  /// 0.0001137598.
  @Test func aMinimalCertificate() {
    let tests = IndicationTests(
      resolution: Grams(1e-4), repeatability: [.init(load: Grams(20), deviation: Grams(3e-5), count: nil)],
      eccentricity: .init(load: Grams(20), largestDifference: Grams(1e-4)))
    let inUse = UncertaintyInUse(
      tests,
      points: [
        .init(indication: Grams(5), error: Grams(-2e-4), uncertainty: Grams(1e-4)),
        .init(indication: Grams(20), error: Grams(-1e-4), uncertainty: Grams(1.005e-4)),
      ], capacity: Grams(20))
    let reading = Grams(12.4835)
    // R compares with a relative tolerance of 1.5e-8, and the printed result is rounded to 12.4837.
    #expect(((reading - inUse.error(at: reading)).value - 12.4837).magnitude < 1.5e-8 * 12.4837 + 5e-5)
    #expect((inUse.errorUncertainty(at: reading).value - 0.000100249).magnitude < 5e-10)
    let variance = inUse.readingUncertainty(at: reading).value * inUse.readingUncertainty(at: reading).value
    #expect((variance / 2.891329e-9 - 1).magnitude < 1e-6)
    #expect((inUse.budget(at: reading).combined.value - 0.0001137598).magnitude < 5e-11)
  }

  @Test func theLinearApproximationCoversTheUncertainty() {
    let inUse = Self.inUse
    let (linear, withErrors) = (inUse.linear, inUse.linearWithErrors)
    #expect(linear.alpha == inUse.expanded(at: .zero))
    var isReached = false
    for step in 1...2200 {
      let reading = Grams(Double(step) / 10)
      let (bound, value) = (linear.value(at: reading).value, inUse.expanded(at: reading).value)
      #expect(bound >= value * (1 - 1e-3))
      isReached = isReached || bound < value * (1 + 1e-3)
      #expect(withErrors.value(at: reading) >= linear.value(at: reading))
    }
    #expect(isReached)
  }
}
