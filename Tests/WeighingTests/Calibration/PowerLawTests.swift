import Languages
import Recordings
import TestExtent
import Testing

@testable import Weighing

/// Calibrations with a power law, as of force-sensing resistors.
@Suite struct PowerLawTests {
  private static func points(
    _ raws: [Double], factor: Double, exponent: Double, origin: Double = 0
  ) -> [CalibrationPoint] {
    raws.map {
      CalibrationPoint(
        counts: $0 + origin, mass: Grams($0 == 0 ? 0 : factor * exponential(exponent * naturalLogarithm($0))))
    }
  }

  @Test(arguments: [0.25, 0.6, 0.9, 1, 1.2, 1.46, 2, 3, 4.8], [1023.0, 65_535, 8_388_607])
  func anExactLawIsFound(exponent: Double, range: Double) throws {
    let factor = 385 * exponential(-exponent * naturalLogarithm(range))
    let raws = [0, 0.05, 0.15, 0.3, 0.5, 0.7, 1].map { ($0 * range).rounded() }
    let curve = try CalibrationCurve(
      shape: .power, points: Self.points(raws, factor: factor, exponent: exponent))
    let law = try #require(curve.powerLaw)
    #expect((law.exponent - exponent).magnitude < 1e-9)
    #expect((law.factor / factor - 1).magnitude < 1e-7)
    #expect(curve.residual.value < 0.004)
    // From the first count to beyond the last point, in steps of 2 %.
    var raw = 1.0
    var worst = 0.0
    while raw < 1.9 * range {
      let exact = factor * exponential(exponent * naturalLogarithm(raw))
      worst = max(worst, (curve.mass(atCounts: raw) - exact).magnitude / 385 / max(1, exact / 385))
      raw *= 1.02
    }
    #expect(worst < 6e-5)
  }

  @Test(arguments: [0.25, 0.6, 1, 1.5, 3, 4.8], [1023.0, 65_535, 8_388_607])
  func theSlopeAtZeroIsFinite(exponent: Double, range: Double) throws {
    let factor = 385 * exponential(-exponent * naturalLogarithm(range))
    let curve = try CalibrationCurve(
      shape: .power, points: Self.points([range / 4, range / 2, range], factor: factor, exponent: exponent))
    #expect(curve.mass(at: .zero) == .zero)
    #expect(curve.mass(atCounts: -1) < 0)
    let mean = 385 / range
    #expect((mean * 1e-4...mean * 1e6).contains(curve.slope(at: .zero)))
    var last = -1.0
    for step in 0...2000 {
      let mass = curve.mass(atCounts: Double(step) * range / 1000)
      #expect(mass > last)
      last = mass
    }
  }

  /// Raw counts from the value of the empty pad.
  @Test func thePointOfNoLoadIsTheOrigin() throws {
    let curve = try CalibrationCurve(
      shape: .power, points: Self.points([0, 100, 300, 900], factor: 0.02, exponent: 1.4, origin: 250))
    let law = try #require(curve.powerLaw)
    #expect(law.origin == 250)
    #expect((law.exponent - 1.4).magnitude < 1e-9)
    #expect(curve.mass(atCounts: 250) == 0)
    #expect(law.description == "grams = 0.020000 * (raw - 250)^1.4000")
  }

  @Test(arguments: [
    [(0, 0), (500, 100)], [(0, -5), (200, 50), (500, 100)], [(0, 5), (200, 50), (500, 100)],
    [(100, 1), (101, 300), (102, 380)],
  ])
  func otherPointsAreRefused(_ points: [(Int, Double)]) {
    #expect(throws: UnusableCalibrationError.notAPowerLaw) { try curve(.power, points) }
  }

  // MARK: A force-sensing resistor

  /// Seven masses on a force-sensing resistor, put on and taken off in any order: a falling load reads up to 2 % more.
  private static func resistor(_ random: inout SplitMix64) -> (points: [CalibrationPoint], exponent: Double) {
    var pad = PadPhysics.ideal
    pad.axisMaximum = 65_535
    let exponent = 0.55 + 0.4 * random.unit()
    pad.curve = .power(exponent)
    let points = [0, 20, 50, 100, 150, 200, 300, 385].map { mass in
      let isFalling = random.next() % 2 == 0
      return CalibrationPoint(
        counts: pad.counts(at: Grams(isFalling ? mass * 1.02 : mass)).rounded(), mass: Grams(mass))
    }
    return (points, 1 / exponent)
  }

  /// The root mean square residual in grams of the best law with the exponent of the sensor.
  private static func residual(of points: [CalibrationPoint], exponent: Double) -> Double {
    let loads = points.filter { $0.mass > .zero }
    let powers = loads.map { exponential(exponent * naturalLogarithm($0.counts / 65_535)) }
    let factor =
      zip(powers, loads).reduce(0) { $0 + $1.0 * $1.1.mass.value } / powers.reduce(0) { $0 + $1 * $1 }
    return rootMeanSquare(zip(powers, loads).map { factor * $0 - $1.mass.value })
  }

  private static func rootMeanSquare(_ errors: [Double]) -> Double {
    (errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)).squareRoot()
  }

  @Test(arguments: Extent.of(UInt64(1)..<201)) func aResistorIsAsGoodAsItsOwnCurve(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let (points, exponent) = Self.resistor(&random)
    let own = Self.residual(of: points, exponent: exponent)
    for shape in [CurveShape.power, nil] {
      var trial = CalibrationTrial(observations: [], capacity: Grams(385), division: .gram, shape: shape)
      trial.observations = points.map { CalibrationObservation(mass: $0.mass, counts: $0.counts) }
      let outcome = try trial.outcome()
      #expect(Self.rootMeanSquare(outcome.misses.dropFirst().map(\.value)) <= 1.5 * own + 1e-3)
      #expect(outcome.doubt == nil)
    }
  }

  @Test(arguments: [1.2, 1.35, 1.5, 1.7]) func theAutomaticChoiceFindsALaw(_ exponent: Double) throws {
    let raws = [0, 3000.0, 8000, 20_000, 40_000, 65_000]
    let factor = 385 * exponential(-exponent * naturalLogarithm(65_000))
    let choice = try CurveChoice(
      points: Self.points(raws, factor: factor, exponent: exponent), tolerance: Grams(0.1))
    #expect(choice.curve.shape == .power)
    #expect(choice.sentence.description.contains("; grams = "))
  }
}
