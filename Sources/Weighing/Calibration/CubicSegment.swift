/// One cubic of a piecewise curve, in the distance from its start.
struct CubicSegment: Hashable, Sendable {
  let start: Double
  let end: Double
  let c0: Double
  let c1: Double
  let c2: Double
  let c3: Double

  var width: Double { end - start }

  init(start: Double, end: Double, coefficients c: [Double]) {
    (self.start, self.end) = (start, end)
    c0 = c.count > 0 ? c[0] : 0
    c1 = c.count > 1 ? c[1] : 0
    c2 = c.count > 2 ? c[2] : 0
    c3 = c.count > 3 ? c[3] : 0
  }

  /// The cubic Hermite polynomial between two values with given slopes.
  init(start: Double, end: Double, from: Double, to: Double, slopes: (Double, Double)) {
    let h = end - start
    let secant = (to - from) / h
    self.init(
      start: start, end: end,
      coefficients: [
        from, slopes.0, (3 * secant - 2 * slopes.0 - slopes.1) / h, (slopes.0 + slopes.1 - 2 * secant) / (h * h),
      ])
  }

  func value(at t: Double) -> Double { c0 + t * (c1 + t * (c2 + t * c3)) }

  func slope(at t: Double) -> Double { c1 + t * (2 * c2 + t * 3 * c3) }

  /// The smallest slope anywhere in the segment.
  var minimumSlope: Double {
    var lowest = min(slope(at: 0), slope(at: width))
    if c3 > 0 {
      let turn = -c2 / (3 * c3)
      if turn > 0 && turn < width { lowest = min(lowest, slope(at: turn)) }
    }
    return lowest
  }
}
