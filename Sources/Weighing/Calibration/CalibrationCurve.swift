/// A rising curve from raw counts to grams through measured points.
///
/// It is piecewise cubic. Beyond the first and the last point it continues straight with the slope at that point,
/// because the response of the pad is unknown there. A power law is known beyond its points: it begins at zero and
/// continues to twice the last raw value.
public struct CalibrationCurve: Hashable, Sendable {
  /// How the curve was fitted.
  public let shape: CurveShape
  /// The points, sorted by raw value.
  public let points: [CalibrationPoint]
  /// One standard uncertainty of the curve between its points: half the root mean square of the distances of the inner
  /// points from the curve through the others. It is halved because the gap is about half as wide with the point.
  ///
  /// Zero if there are too few points to leave one out; the uncertainty is unknown then.
  public let residual: Grams
  /// The law of a curve of the shape `power`; `nil` for other shapes.
  public let powerLaw: PowerLaw?

  private let segments: [CubicSegment]
  private let startSlope: Double
  private let endSlope: Double

  /// Makes a curve through points in any order.
  ///
  /// - Throws: `UnusableCalibrationError` with the index of the invalid point.
  public init(shape: CurveShape, points unordered: [CalibrationPoint]) throws(UnusableCalibrationError) {
    let points = try Self.ordered(unordered)
    let segments = try Self.segments(shape: shape, points: points)
    powerLaw = shape == .power ? try PowerLaw(fitting: points) : nil
    (self.shape, self.points, self.segments) = (shape, points, segments)
    startSlope = segments[0].slope(at: 0)
    let last = segments[segments.count - 1]
    endSlope = last.slope(at: last.width)
    residual = Grams((CrossValidation(shape: shape, points: points).error ?? 0) / 2)
  }

  /// The mass at a raw value.
  public func mass(at raw: RawForce) -> Grams { Grams(mass(atCounts: Double(raw.counts))) }

  /// Grams per count near a raw value; positive.
  public func slope(at raw: RawForce) -> Double {
    let x = Double(raw.counts)
    let last = segments[segments.count - 1]
    if x < segments[0].start { return startSlope }
    if x > last.end { return endSlope }
    let segment = segment(at: x)
    return max(segment.slope(at: x - segment.start), 0)
  }

  /// The mass at a fractional count, in grams.
  public func mass(atCounts x: Double) -> Double {
    let first = segments[0]
    let last = segments[segments.count - 1]
    if x < first.start { return first.value(at: 0) + startSlope * (x - first.start) }
    if x > last.end { return last.value(at: last.width) + endSlope * (x - last.end) }
    let segment = segment(at: x)
    return segment.value(at: x - segment.start)
  }

  private func segment(at x: Double) -> CubicSegment {
    var low = 0
    var high = segments.count - 1
    while low < high {
      let middle = (low + high) / 2
      if x <= segments[middle].end { high = middle } else { low = middle + 1 }
    }
    return segments[low]
  }

  private static func ordered(_ points: [CalibrationPoint]) throws(UnusableCalibrationError) -> [CalibrationPoint] {
    guard points.count >= 2 else { throw .tooFewPoints(needed: 2, given: points.count) }
    for (index, point) in points.enumerated() {
      guard point.counts >= 0, point.counts <= Double(Int32.max), point.mass.value.isFinite,
        point.mass.value.magnitude < 1e9
      else { throw .invalidPoint(index: index) }
    }
    let order = points.indices.sorted { (points[$0].counts, $0) < (points[$1].counts, $1) }
    for (a, b) in zip(order, order.dropFirst()) {
      if points[a].counts == points[b].counts { throw .repeatedRaw(index: b, counts: points[b].counts) }
      if points[b].mass <= points[a].mass { throw .notRising(index: b, from: points[a], to: points[b]) }
    }
    return order.map { points[$0] }
  }

  /// The segments of the curve through sorted points.
  static func segments(
    shape: CurveShape, points: [CalibrationPoint]
  ) throws(UnusableCalibrationError) -> [CubicSegment] {
    let x = points.map(\.counts)
    let y = points.map(\.mass.value)
    switch shape {
    case .linear:
      return (1..<x.count).map { i in
        let secant = (y[i] - y[i - 1]) / (x[i] - x[i - 1])
        return CubicSegment(start: x[i - 1], end: x[i], from: y[i - 1], to: y[i], slopes: (secant, secant))
      }
    case .monotone:
      let slopes = MonotoneSpline.slopes(x: x, y: y)
      return (1..<x.count).map { i in
        CubicSegment(start: x[i - 1], end: x[i], from: y[i - 1], to: y[i], slopes: (slopes[i - 1], slopes[i]))
      }
    case .polynomial:
      guard let fit = PolynomialFit.best(x: x, y: y) else { throw .polynomialNotMonotone }
      return [fit]
    case .power: return try PowerLaw(fitting: points).segments
    }
  }
}
