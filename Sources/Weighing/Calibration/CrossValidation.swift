/// How well the points of a calibration foretell each other: each inner one is left out in turn, and the curve through
/// the others is asked for it (Stone, J. R. Stat. Soc. B 36, 1974).
///
/// The ends are never left out: beyond its points a curve only goes on straight.
struct CrossValidation {
  /// What the curve through the others says of each inner point, less its mass, in grams; by rising raw. `nil` for a
  /// point without which no curve of the shape can be laid.
  let misses: [Double?]

  /// Asks for rising points, by rising raw.
  init(shape: CurveShape, points: [CalibrationPoint]) {
    misses = points.indices.dropFirst().dropLast().map { index in
      var others = points
      others.remove(at: index)
      guard let segments = try? CalibrationCurve.segments(shape: shape, points: others) else { return nil }
      let x = points[index].counts
      let segment = segments.last { $0.start <= x } ?? segments[0]
      return segment.value(at: x - segment.start) - points[index].mass.value
    }
  }

  /// The root mean square of the misses in grams; `nil` with fewer than two of them, which say nothing: one point between
  /// two is off any line through those, however smooth the pad.
  var error: Double? {
    let known = misses.compactMap(\.self)
    guard known.count > 1 else { return nil }
    return (known.reduce(0) { $0 + $1 * $1 } / Double(known.count)).squareRoot()
  }
}
