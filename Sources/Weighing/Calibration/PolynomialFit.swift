/// Least-squares polynomials of low degree.
enum PolynomialFit {
  /// The rising polynomial of degree 1 to 3 that predicts left-out points best, from the first to the last point; `nil`
  /// if none rises. A higher degree has to predict better, not only to fit better.
  static func best(x: [Double], y: [Double]) -> CubicSegment? {
    var best: (segment: CubicSegment, error: Double)?
    for degree in 1...min(3, x.count - 1) {
      guard let segment = fit(x: x, y: y, degree: degree), segment.minimumSlope > 0 else { continue }
      let error = predictionError(x: x, y: y, degree: degree)
      if let chosen = best, error >= chosen.error { continue }
      best = (segment, error)
    }
    return best?.segment
  }

  /// The root mean square error of the prediction of each point by the fit through the others; the error of the fit
  /// itself if the degree requires all points.
  private static func predictionError(x: [Double], y: [Double], degree: Int) -> Double {
    var sum = 0.0
    for index in x.indices {
      var otherX = x
      var otherY = y
      if x.count > degree + 1 {
        otherX.remove(at: index)
        otherY.remove(at: index)
      }
      guard let segment = fit(x: otherX, y: otherY, degree: degree) else { return .infinity }
      let miss = segment.value(at: x[index] - segment.start) - y[index]
      sum += miss * miss
    }
    return (sum / Double(x.count)).squareRoot()
  }

  /// The least-squares polynomial of a degree; `nil` if there are too few points. `x` rises.
  ///
  /// Solves the normal equations in the distance from the first point, scaled to 0...1 for their condition.
  static func fit(x: [Double], y: [Double], degree: Int) -> CubicSegment? {
    guard x.count > degree, let start = x.first, let end = x.last, end > start else { return nil }
    let scale = end - start
    let size = degree + 1
    var matrix = [[Double]](repeating: [Double](repeating: 0, count: size + 1), count: size)
    for (xi, yi) in zip(x, y) {
      let t = (xi - start) / scale
      let powers = (0..<size).map { exponent in (0..<exponent).reduce(1.0) { product, _ in product * t } }
      for row in 0..<size {
        for column in 0..<size { matrix[row][column] += powers[row] * powers[column] }
        matrix[row][size] += powers[row] * yi
      }
    }
    for pivot in 0..<size {
      let row = (pivot..<size).max { matrix[$0][pivot].magnitude < matrix[$1][pivot].magnitude } ?? pivot
      matrix.swapAt(pivot, row)
      guard matrix[pivot][pivot].magnitude > 1e-12 else { return nil }
      for other in 0..<size where other != pivot {
        let factor = matrix[other][pivot] / matrix[pivot][pivot]
        for column in pivot...size { matrix[other][column] -= factor * matrix[pivot][column] }
      }
    }
    var factor = 1.0
    let coefficients = (0..<size).map { row in
      defer { factor /= scale }
      return matrix[row][size] / matrix[row][row] * factor
    }
    return CubicSegment(start: start, end: end, coefficients: coefficients)
  }
}
