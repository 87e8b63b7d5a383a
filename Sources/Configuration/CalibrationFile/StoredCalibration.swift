import Weighing

/// The content of a calibration file: the points, how they were measured, when and on which pad.
package struct StoredCalibration: Hashable, Sendable {
  /// One mass.
  package struct Point: Hashable, Sendable {
    /// The counts and the mass.
    package var point: CalibrationPoint
    /// The noise of a single sample, in counts.
    package var spread: Double?
    /// The drift in counts per second.
    package var drift: Double?
    /// The residual: the mass by the curve minus the mass.
    package var miss: Grams?
    /// The residual with this mass left out of the fit.
    package var leftOut: Grams?

    /// Makes a point without statistics.
    package init(_ point: CalibrationPoint) { self.point = point }
  }

  /// When it was made, RFC 3339 in UTC.
  package var date: String?
  /// The pad it was made on.
  package var pad: CalibratedPad?
  /// The count of the empty pad when it was measured; `nil` for points that were measured elsewhere.
  package var emptyCounts: Double?
  /// The curve.
  package var curve = CurveShape.monotone
  /// The standard uncertainty of the curve.
  package var residual: Grams?
  /// The masses, by increasing raw.
  package var points: [Point] = []

  init() {}

  /// Makes a stored calibration of points and the curve through them, without date and pad.
  package init(_ points: [Point], curve: CalibrationCurve) {
    self.points = points
    self.curve = curve.shape
    residual = curve.residual
  }

  /// Makes what is stored of a trial.
  ///
  /// - Parameters:
  ///   - pad: The pad that was measured; `nil` if unknown.
  ///   - date: RFC 3339 in UTC.
  package init(_ outcome: CalibrationTrial.Outcome, of trial: CalibrationTrial, pad: CalibratedPad?, date: String) {
    (self.date, self.pad) = (date, pad)
    let fitted = outcome.choice.curve
    curve = fitted.shape
    residual = fitted.residual
    emptyCounts = fitted.countsWithoutLoad
    points = fitted.points.enumerated().map { index, point in
      var stored = Point(point)
      let observations = trial.observations.filter { $0.mass == point.mass && $0.rest.duration > .zero }
      stored.spread = observations.map(\.rest.spread).max()
      stored.drift = observations.max { $0.rest.drift.magnitude < $1.rest.drift.magnitude }?.rest.drift
      stored.miss = outcome.misses[index]
      stored.leftOut = outcome.leftOut[index]
      return stored
    }
  }

  /// The file as YAML, in the documented order.
  package func yaml() -> String {
    let content = OutputValue.record([
      "date": date.map { .text($0) }, "pad": pad.flatMap(ValueRule.calibratedPad.output),
      "empty_raw": emptyCounts.map { .rounded($0, decimals: 3) }, "curve": .text(curve.rawValue),
      "residual_g": residual.map { .rounded($0.value, decimals: 4) }, "points": .list(points.map(\.output)),
    ])
    let head = """
      # Written by grampad calibrate. Overrides calibration.curve and calibration.points of the configuration that refers to
      # this file in calibration.file. To change it, calibrate again instead of editing it.

      """
    return head + content.entries.map { $0.value.lines(key: $0.key, indent: "") }.joined()
  }
}

extension StoredCalibration.Point {
  fileprivate var output: OutputValue {
    .record([
      "raw": .rounded(point.counts, decimals: 3), "grams": .rounded(point.mass.value, decimals: 4),
      "spread": spread.map { .rounded($0, decimals: 3) }, "drift": drift.map { .rounded($0, decimals: 4) },
      "miss_g": miss.map { .rounded($0.value, decimals: 3) },
      "left_out_g": leftOut.map { .rounded($0.value, decimals: 3) },
    ])
  }
}

extension OutputValue {
  /// A number rounded to the precision of the measurement.
  fileprivate static func rounded(_ number: Double, decimals: Int) -> OutputValue {
    .number(rounding(number, decimals: decimals))
  }
}

private func rounding(_ number: Double, decimals: Int) -> Double {
  Double(DecimalText.fixed(number, decimals: decimals)) ?? number
}

extension Configuration.Calibration {
  /// A stored calibration, with the values as a file of it has them.
  package init(_ stored: StoredCalibration) {
    (curve, date, pad) = (stored.curve, stored.date, stored.pad)
    emptyCounts = stored.emptyCounts.map { rounding($0, decimals: 3) }
    points = stored.points.map { point in
      CalibrationPoint(
        counts: rounding(point.point.counts, decimals: 3), mass: Grams(rounding(point.point.mass.value, decimals: 4)))
    }
  }
}
