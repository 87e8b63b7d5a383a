/// A line fitted to points by least squares.
struct SampleLine {
  let slope: Double
  /// Standard deviation of the points from the line.
  let deviation: Double
  private let middle: (x: Double, y: Double)

  /// Fits a line; a single point has a slope of 0.
  init(_ points: [(Double, Double)]) {
    let count = Double(max(points.count, 1))
    var (x, y) = (0.0, 0.0)
    for point in points {
      x += point.0 / count
      y += point.1 / count
    }
    var (xx, xy) = (0.0, 0.0)
    for point in points {
      xx += (point.0 - x) * (point.0 - x)
      xy += (point.0 - x) * (point.1 - y)
    }
    let slope = xx > 0 ? xy / xx : 0
    var squares = 0.0
    for point in points {
      let error = point.1 - y - slope * (point.0 - x)
      squares += error * error
    }
    self.slope = slope
    middle = (x, y)
    deviation = points.count > 2 ? (squares / Double(points.count - 2)).squareRoot() : 0
  }

  /// Fits a line to samples of a series.
  init(_ series: LoadSeries, _ indices: Range<Int>) { self.init(indices.map { (series.times[$0], series.grams[$0]) }) }

  /// The mean of the points.
  var mean: Double { middle.y }

  /// The value of the line.
  func value(at x: Double) -> Double { middle.y + slope * (x - middle.x) }
}
