/// The uncertainty of a weighing in normal use, after EURAMET cg-18, 7.4 and 7.5, and the minimum weight (appendix G).
package struct UncertaintyInUse: Hashable, Sendable {
  /// An error of indication with its standard uncertainty.
  package struct Point: Hashable, Sendable {
    /// The indication.
    package let indication: Grams
    /// The indication less the reference mass.
    package let error: Grams
    /// The standard uncertainty of the error.
    package let uncertainty: Grams
  }

  /// A bound that is linear in the reading: U(W) = alpha + beta * R.
  package struct Linear: Hashable, Sendable {
    /// The uncertainty of an empty scale.
    package let alpha: Grams
    /// The rise per gram of the reading.
    package let beta: Double

    /// The bound at a reading.
    package func value(at reading: Grams) -> Grams { Grams(alpha.value + beta * reading.value) }

    /// The least net weight whose relative uncertainty is at most `share`; `nil` if no load reaches it.
    package func minimumWeight(share: Double) -> Grams? { share > beta ? Grams(alpha.value / (share - beta)) : nil }
  }

  private let tests: IndicationTests
  /// The errors of indication, by increasing indication.
  private let points: [Point]
  private let capacity: Grams
  private let creepShare: Double
  private let hysteresisShare: Double

  /// The coverage factor, for a probability of 95.45 %.
  package static let coverage = 2.0

  /// Makes the uncertainty.
  ///
  /// - Parameters:
  ///   - tests: The tests, with the resolution in use: the division.
  ///   - points: The errors of indication; at least one.
  ///   - creep: The largest change of a resting load, and the load.
  ///   - hysteresis: The largest difference between the indications up and down, and the load.
  package init(
    _ tests: IndicationTests, points: [Point], capacity: Grams, creep: (change: Grams, load: Grams)? = nil,
    hysteresis: (difference: Grams, load: Grams)? = nil
  ) {
    self.tests = tests
    self.points = points.sorted { $0.indication < $1.indication }
    self.capacity = capacity
    func share(_ change: Grams, _ load: Grams) -> Double { load > .zero ? change.value.magnitude / load.value : 0 }
    creepShare = creep.map { share($0.change, $0.load) / 3.squareRoot() } ?? 0
    hysteresisShare = hysteresis.map { share($0.difference, $0.load) / 12.squareRoot() } ?? 0
  }

  /// The error of indication at a reading: linear between the points, constant beyond them (7.4.2).
  package func error(at reading: Grams) -> Grams { interpolated(\.error, at: reading) }

  /// The standard uncertainty of the error at a reading, interpolated likewise.
  package func errorUncertainty(at reading: Grams) -> Grams { interpolated(\.uncertainty, at: reading) }

  /// The standard uncertainty of a reading, without that of its error (7.4.1).
  package func readingUncertainty(at reading: Grams) -> Grams {
    UncertaintyBudget(lines: readingLines(at: reading)).combined
  }

  /// The contributions at a reading: those of the reading, creep and hysteresis in use (7.4.4), and the uncertainty of
  /// the error of indication.
  package func budget(at reading: Grams) -> UncertaintyBudget {
    UncertaintyBudget(
      lines: readingLines(at: reading) + [.init(.error, errorUncertainty(at: reading))])
  }

  private func readingLines(at reading: Grams) -> [UncertaintyBudget.Line] {
    tests.lines(at: reading) + [
      .init(.creep, Grams(creepShare * reading.value.magnitude)),
      .init(.hysteresis, Grams(hysteresisShare * reading.value.magnitude)),
    ]
  }

  /// The expanded uncertainty of a corrected result.
  package func expanded(at reading: Grams) -> Grams { Grams(Self.coverage * budget(at: reading).combined.value) }

  /// The linear approximation for corrected results (7.5.1): the line that begins with the uncertainty at zero and is
  /// nowhere below the uncertainty up to the capacity.
  package var linear: Linear { bound { expanded(at: $0) } }

  /// The linear bound for results used as they are shown, with the errors included (7.5.2): the errors as a share of the
  /// reading, and the largest deviation from it as a constant.
  package var linearWithErrors: Linear {
    let gain = errorGain
    let deviation = points.map { ($0.error.value - gain * $0.indication.value).magnitude }.max() ?? 0
    return bound { Grams(expanded(at: $0).value + gain.magnitude * $0.value + deviation) }
  }

  /// The errors as a share of the indication: least squares through zero, weighted with the inverse squares of the
  /// uncertainties (appendix C).
  package var errorGain: Double {
    var (cross, square) = (0.0, 0.0)
    for point in points {
      let variance = point.uncertainty.value * point.uncertainty.value
      guard variance > 0 else { continue }
      cross += point.indication.value * point.error.value / variance
      square += point.indication.value * point.indication.value / variance
    }
    return square > 0 ? cross / square : 0
  }

  /// The minimum weight for a relative uncertainty (appendix G), for results used as they are shown; `nil` if no load up
  /// to the capacity reaches it.
  package func minimumWeight(share: Double) -> Grams? {
    linearWithErrors.minimumWeight(share: share).flatMap { $0 <= capacity ? $0 : nil }
  }

  private func bound(_ value: (Grams) -> Grams) -> Linear {
    let alpha = value(.zero)
    let readings = (1...Self.samples).map { Grams(capacity.value * Double($0) / Double(Self.samples)) }
    let slopes = (readings + points.map(\.indication)).filter { $0 > .zero && $0 <= capacity }
      .map { (value($0) - alpha).value / $0.value }
    return Linear(alpha: alpha, beta: max(slopes.max() ?? 0, 0))
  }

  /// The number of readings at which the linear approximation is compared with the uncertainty.
  private static let samples = 1000

  private func interpolated(_ value: KeyPath<Point, Grams>, at reading: Grams) -> Grams {
    guard let upper = points.firstIndex(where: { $0.indication >= reading }) else {
      return points.last?[keyPath: value] ?? .zero
    }
    guard upper > 0 else { return points[0][keyPath: value] }
    let (a, b) = (points[upper - 1], points[upper])
    let part = (reading - a.indication).value / (b.indication - a.indication).value
    return Grams(a[keyPath: value].value + part * (b[keyPath: value] - a[keyPath: value]).value)
  }
}
