/// How well the points of a calibration predict each other: each inner point is left out in turn and predicted by the
/// curve through the others (Stone, J. R. Stat. Soc. B 36, 1974).
///
/// The ends are never left out, because a curve only continues straight beyond its points.
struct CrossValidation {
  /// The mass of each inner point predicted by the curve through the others, less its true mass, in grams; sorted by
  /// raw value. `nil` for a point without which there is no curve of the shape.
  let misses: [Double?]

  /// Validates points that are sorted by raw value.
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

  /// The root mean square of the errors in grams; `nil` with fewer than two of them, which prove nothing: a single
  /// point between two others is never on their line, however smooth the response.
  var error: Double? {
    let known = misses.compactMap(\.self)
    guard known.count > 1 else { return nil }
    return (known.reduce(0) { $0 + $1 * $1 } / Double(known.count)).squareRoot()
  }
}
