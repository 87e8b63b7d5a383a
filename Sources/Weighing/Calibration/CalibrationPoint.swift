/// A point of a calibration: the value of the axis under a known mass.
public struct CalibrationPoint: Hashable, Sendable {
  /// The value of the axis in counts; fractional if it is an average.
  public var counts: Double
  /// The mass on the pad.
  public var mass: Grams

  /// Makes a point.
  public init(counts: Double, mass: Grams) {
    (self.counts, self.mass) = (counts, mass)
  }

  /// Makes a point from a single value of the axis.
  public init(raw: RawForce, mass: Grams) { self.init(counts: Double(raw.counts), mass: mass) }
}

/// The shape of a curve through calibration points (`calibration.curve`).
public enum CurveShape: String, Hashable, Sendable, CaseIterable {
  /// Straight from point to point.
  case linear
  /// A smooth cubic through the points that rises wherever they rise.
  case monotone
  /// The least-squares polynomial that predicts left-out points best, of degree 3 at most.
  case polynomial
  /// The power law grams = a * raw^b with the least squares: the response of force-sensing resistors; see `PowerLaw`.
  case power
}

/// Why points cannot be used as a calibration.
public enum UnusableCalibrationError: Error, Hashable, Sendable {
  /// There are fewer than this number of points.
  case tooFewPoints(needed: Int, given: Int)
  /// A value is not finite, or a raw value is negative or above 2,147,483,647; the index of the point.
  case invalidPoint(index: Int)
  /// Two points have the same raw value; the index of the second.
  case repeatedRaw(index: Int, counts: Double)
  /// A point with a larger raw value does not have a larger mass; its index.
  case notRising(index: Int, from: CalibrationPoint, to: CalibrationPoint)
  /// No polynomial through the points rises all the way between the first and the last.
  case polynomialNotMonotone
  /// No power law describes the points.
  case notAPowerLaw
}
