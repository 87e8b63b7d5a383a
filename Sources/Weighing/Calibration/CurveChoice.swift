/// The curve that foretells the points of a calibration best, and why.
public struct CurveChoice: Hashable, Sendable {
  /// How well one shape did.
  public struct Score: Hashable, Sendable {
    /// The shape.
    public let shape: CurveShape
    /// The root mean square miss of the points that were left out in turn, in grams; `nil` where nothing can be said.
    public let error: Grams?
  }

  /// Why the shape was taken.
  public enum Reason: Hashable, Sendable {
    /// It was asked for.
    case asked
    /// Three points or fewer do not tell the shapes apart.
    case tooFewToTell
    /// It foretells the left-out points best.
    case best
    /// No other foretells them better by an amount that matters.
    case asGoodAsAny
  }

  /// The curve.
  public let curve: CalibrationCurve
  /// What was compared, in the order of `CurveShape`.
  public let scores: [Score]
  /// Why.
  public let reason: Reason

  /// Lays all curves and takes the best.
  ///
  /// - Parameters:
  ///   - asked: Take this shape, whatever the others do.
  ///   - tolerance: A smaller advantage than this does not count; then the monotone curve is taken, which goes through
  ///     every point.
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

  /// Returns the error of a shape; `nil` if the shape cannot pass through the points, or only without some of them.
  private static func error(of shape: CurveShape, points: [CalibrationPoint]) -> Grams? {
    guard (try? CalibrationCurve.segments(shape: shape, points: points)) != nil else { return nil }
    let validation = CrossValidation(shape: shape, points: points)
    return validation.misses.contains(nil) ? nil : validation.error.map { Grams($0) }
  }

  /// The reason in words.
  public var explanation: String {
    let errors = scores.map { score in
      "\(score.shape.rawValue) \(score.error.map { DecimalText.fixed($0.value, decimals: 2) + " g" } ?? "-")"
    }.joined(separator: ", ")
    let compared = "leave-one-out error: \(errors)"
    return switch reason {
    case .asked: "\(curve.shape.rawValue), as requested; \(compared)"
    case .tooFewToTell:
      "\(curve.shape.rawValue), which passes through every mass; at least four masses are needed to compare curves"
    case .best: "\(curve.shape.rawValue), the best fit; \(compared)"
    case .asGoodAsAny: "\(curve.shape.rawValue), as no other curve is significantly better; \(compared)"
    }
  }
}
