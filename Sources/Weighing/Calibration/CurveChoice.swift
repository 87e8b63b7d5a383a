/// The curve that predicts the points of a calibration best, and why it was chosen.
public struct CurveChoice: Hashable, Sendable {
  /// The result for one shape.
  public struct Score: Hashable, Sendable {
    /// The shape.
    public let shape: CurveShape
    /// The root mean square error for points left out in turn, in grams; `nil` if it cannot be computed.
    public let error: Grams?

    /// The error with its unit; `-` if it cannot be computed.
    package var errorText: String { error.map { DecimalText.fixed($0.value, decimals: 2) + " g" } ?? "-" }
  }

  /// Why the shape was chosen.
  public enum Reason: Hashable, Sendable {
    /// The user has selected it.
    case asked
    /// With three points or fewer the shapes cannot be compared.
    case tooFewToTell
    /// It predicts the left-out points best.
    case best
    /// No other shape predicts them noticeably better.
    case asGoodAsAny
  }

  /// The curve.
  public let curve: CalibrationCurve
  /// The compared shapes, in the order of `CurveShape`.
  public let scores: [Score]
  /// Why the curve was chosen.
  public let reason: Reason

  /// Fits all curves and chooses the best one.
  ///
  /// - Parameters:
  ///   - asked: The shape that the user has selected, if any.
  ///   - tolerance: A smaller advantage does not count; the monotone curve, which passes through every point, is chosen
  ///     then.
  /// - Throws: `UnusableCalibrationError`.
  public init(
    points: [CalibrationPoint], asked: CurveShape? = nil, tolerance: Grams
  ) throws(UnusableCalibrationError) {
    let usual = try CalibrationCurve(shape: asked ?? .monotone, points: points)
    scores = CurveShape.allCases.map { shape in
      Score(shape: shape, error: Self.error(of: shape, points: usual.points))
    }
    guard asked == nil else {
      (curve, reason) = (usual, .asked)
      return
    }
    let known = scores.compactMap { score in score.error.map { (shape: score.shape, error: $0) } }
    guard let best = known.min(by: { $0.error < $1.error }) else {
      (curve, reason) = (usual, .tooFewToTell)
      return
    }
    if let own = known.first(where: { $0.shape == .monotone }), own.error - best.error <= tolerance {
      (curve, reason) = (usual, best.shape == .monotone ? .best : .asGoodAsAny)
      return
    }
    curve = try CalibrationCurve(shape: best.shape, points: points)
    reason = .best
  }

  /// A shape that does not fit the points, or not with some of them left out, cannot be chosen.
  private static func error(of shape: CurveShape, points: [CalibrationPoint]) -> Grams? {
    guard (try? CalibrationCurve.segments(shape: shape, points: points)) != nil else { return nil }
    let validation = CrossValidation(shape: shape, points: points)
    return validation.misses.contains(nil) ? nil : validation.error.map { Grams($0) }
  }
}
