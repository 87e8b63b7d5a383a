import Testing
import Weighing

/// Where grams come from, and how far they are to be trusted.
@Suite struct CalibrationOriginTests {
  private func axis(_ pad: PadDescription) throws -> LoadAxis { try pad.loadAxis(.automatic) }

  @Test func theDriversGramsWithoutPoints() throws {
    let calibration = Calibration(
      curve: nil, axis: try axis(.slots(maximum: 4000, countsPerGram: 10)), capacity: Grams(385))
    #expect(calibration.origin == .kernel)
    #expect(calibration.mass(at: RawForce(735)).value == 73.5)
    #expect(calibration.slope(at: RawForce(9)) == 0.1)
    #expect(calibration.uncertainty(at: Grams(-100)).value == 10)
  }

  @Test func theCapacitySpreadOverTheAxisOtherwise() throws {
    let calibration = Calibration(
      curve: nil, axis: try axis(.slots(maximum: 1023, countsPerGram: 0)), capacity: Grams(385))
    #expect(calibration.origin == .nominal)
    #expect(calibration.mass(at: RawForce(1023)).value == 385)
    #expect(calibration.mass(at: .zero) == .zero)
    #expect(calibration.uncertainty(at: Grams(100)).value == 25)
  }

  @Test func pointsGoBeforeTheDriver() throws {
    let curve = try curve(.linear, [(0, 0), (250, 100)])
    let calibration = Calibration(curve: curve, axis: try axis(.slots()), capacity: Grams(385))
    #expect(calibration.origin == .user)
    #expect(calibration.mass(at: RawForce(250)).value.rounded() == 100)
    #expect(calibration.slope(at: RawForce(1)) == 0.4)
    #expect(calibration.uncertainty(at: Grams(50)) == curve.residual)
  }
}
