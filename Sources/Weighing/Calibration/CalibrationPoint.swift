/// One measured point of a calibration: what the axis said under a known mass.
public struct CalibrationPoint: Hashable, Sendable {
  /// What the axis said, in counts; with a fraction where it is an average.
  public var counts: Double
  /// The mass that lay on the pad.
  public var mass: Grams

  /// Makes a point.
  public init(counts: Double, mass: Grams) {
    self.counts = counts
    self.mass = mass
  }

  /// Makes a point of a single value of the axis.
  public init(raw: RawForce, mass: Grams) {
    self.init(counts: Double(raw.counts), mass: mass)
  }
}

/// How a curve is laid through calibration points (`calibration.curve`).
public enum CurveShape: String, Hashable, Sendable, CaseIterable {
  /// Straight from point to point.
  case linear
  /// A smooth cubic through the points that rises wherever they rise.
  case monotone
  /// The least-squares polynomial that predicts left-out points best, of degree 3 at most.
  case polynomial
}

/// Why points cannot be used as a calibration.
public enum UnusableCalibrationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A curve needs at least this many points.
  case tooFewPoints(needed: Int, given: Int)
  /// A value that is not finite or, for raw, negative or past 2,147,483,647; the index of the point.
  case invalidPoint(index: Int)
  /// Two points have one raw value; the index of the second.
  case repeatedRaw(index: Int, counts: Double)
  /// A larger raw value belongs to a mass that is not larger; the index of that point.
  case notRising(index: Int, from: CalibrationPoint, to: CalibrationPoint)
  /// No polynomial through the points rises all the way between the first and the last.
  case polynomialNotMonotone

  /// The point at fault, as an index into the points that were given.
  public var pointIndex: Int? {
    switch self {
    case .tooFewPoints, .polynomialNotMonotone: nil
    case .invalidPoint(let index), .repeatedRaw(let index, _), .notRising(let index, _, _): index
    }
  }

  /// The reason in words, with what to do about it.
  public var description: String {
    switch self {
    case .tooFewPoints(let needed, let given):
      "a calibration requires at least \(needed) points; \(given) \(given == 1 ? "was" : "were") given"
    case .invalidPoint:
      "raw must be 0 or more and grams must be a number"
    case .repeatedRaw(_, let counts):
      "raw \(counts) is given twice; one axis value cannot have two masses"
    case .notRising(_, let from, let to):
      """
      grams must increase with raw: \(to.mass.value) g at raw \(to.counts) is not more than \
      \(from.mass.value) g at raw \(from.counts)
      """
    case .polynomialNotMonotone:
      "no polynomial through these points is monotone; use curve: monotone or measure more points"
    }
  }
}
