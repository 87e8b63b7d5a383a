import Languages
import Testing
import Weighing

/// Points that cannot be a calibration are refused, with the one at fault.
@Suite struct CalibrationErrorTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var points: [(Int, Double)]
    var shapes = CurveShape.allCases
    var reason: UnusableCalibrationError
  }

  @Test(arguments: [
    Case(testDescription: "none", points: [], reason: .tooFewPoints(needed: 2, given: 0)),
    Case(testDescription: "one", points: [(0, 0)], reason: .tooFewPoints(needed: 2, given: 1)),
    Case(
      testDescription: "negative raw", points: [(0, 0), (-1, 5)], reason: .invalidPoint(index: 1)),
    Case(
      testDescription: "raw beyond any axis", points: [(1 << 31, 5), (0, 0)],
      reason: .invalidPoint(index: 0)),
    Case(
      testDescription: "infinite grams", points: [(0, 0), (5, 5), (9, .infinity)],
      reason: .invalidPoint(index: 2)),
    Case(testDescription: "no number", points: [(0, .nan), (5, 5)], reason: .invalidPoint(index: 0)),
    Case(
      testDescription: "the same raw twice", points: [(0, 0), (266, 100), (500, 200), (266, 101)],
      reason: .repeatedRaw(index: 3, counts: 266)),
    Case(
      testDescription: "the same point twice", points: [(7, 1), (7, 1)],
      reason: .repeatedRaw(index: 1, counts: 7)),
    Case(
      testDescription: "falling", points: [(0, 0), (200, 90), (100, 100)],
      reason: .notRising(index: 1, from: point(100, 100), to: point(200, 90))),
    Case(
      testDescription: "level", points: [(0, 0), (100, 50), (200, 50)],
      reason: .notRising(index: 2, from: point(100, 50), to: point(200, 50))),
  ])
  func pointsAreRefused(_ refused: Case) {
    for shape in refused.shapes {
      #expect(throws: refused.reason) { try curve(shape, refused.points) }
    }
    #expect(!refused.reason.sentence.description.isEmpty)
  }

  /// A cliff that only a polynomial cannot follow without turning back; even its line rises.
  @Test func aPolynomialThatTurnsIsNotTaken() throws {
    let cliff: [(Int, Double)] = [(0, 0), (10, 100), (20, 101), (1000, 102)]
    let fit = try curve(.polynomial, cliff)
    #expect(minimumStep(of: fit, to: 1000) > 0)
    #expect(minimumStep(of: try curve(.monotone, cliff), to: 1000) >= 0)
  }
}

/// The least rise from one count to the next.
func minimumStep(of curve: CalibrationCurve, from first: Int = 0, to last: Int) -> Double {
  (first..<last).map { curve.mass(at: RawForce($0 + 1)).value - curve.mass(at: RawForce($0)).value }.min() ?? 0
}

func point(_ raw: Int, _ grams: Double) -> CalibrationPoint {
  CalibrationPoint(raw: RawForce(raw), mass: Grams(grams))
}

func curve(_ shape: CurveShape, _ points: [(Int, Double)]) throws(UnusableCalibrationError) -> CalibrationCurve {
  try CalibrationCurve(shape: shape, points: points.map { point($0.0, $0.1) })
}
