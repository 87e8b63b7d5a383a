import Configuration
import Messages
import Weighing

/// The fit of a running appliance.
package struct RemoteFit {
  /// The points with what was measured at each.
  package let stored: StoredCalibration
  /// The curve through them.
  package let curve: CalibrationCurve
  /// Why this curve was chosen.
  package let explanation: Sentence
  /// Why the masses should be checked; `nil` if they are consistent.
  package let doubt: Sentence?
  /// The mass beyond which the curve is an extrapolation; `nil` if it is not.
  package let guessedBeyond: Grams?

  /// Reads a fit; `nil` if it is refused.
  init?(_ json: JSONValue, steps: [RemoteState.Step]) {
    guard json["ok"]?.isTrue == true, let shape = json["curve"]?.text.flatMap(CurveShape.init(rawValue:)) else {
      return nil
    }
    let points: [StoredCalibration.Point] = (json["points"]?.items ?? []).compactMap { item in
      guard let mass = item["mass_g"]?.value, let counts = item["counts"]?.value else { return nil }
      var point = StoredCalibration.Point(CalibrationPoint(counts: counts, mass: Grams(mass)))
      let measured = steps.filter { $0.mass == Grams(mass) }
      point.spread = measured.compactMap(\.spread).max()
      point.drift = measured.compactMap(\.drift).max { $0.magnitude < $1.magnitude }
      point.miss = item["residual_g"]?.value.map { Grams($0) }
      point.leftOut = item["left_out_g"]?.value.map { Grams($0) }
      return point
    }
    guard let curve = try? CalibrationCurve(shape: shape, points: points.map(\.point)) else { return nil }
    self.curve = curve
    stored = StoredCalibration(points, curve: curve)
    explanation = Sentence(json, "explanation") ?? .verbatim("")
    doubt = Sentence(json, "doubt")
    guessedBeyond = json["extrapolated_above_g"]?.value.map { Grams($0) }
  }
}
