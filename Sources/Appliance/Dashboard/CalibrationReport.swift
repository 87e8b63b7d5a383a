import Configuration
import Messages
import Weighing

/// The current calibration for the dashboard.
enum CalibrationReport {
  /// Number of points drawn for a curve.
  private static let samples = 64

  /// `{"shape", "date", "pad", "capacity_g", "uncertainty_g", "points": [{"raw", "grams", "residual_g"}], "curve": [[raw, g], ...]}`;
  /// without points and curve if the mass is derived from the kernel's resolution or only from the capacity.
  ///
  /// `residual_g` is the value at a point of the curve through all other points, less the mass of the point; `null` for
  /// the first and the last point, which would be extrapolated, and if too few points are left.
  static func json(_ settings: ScaleSettings, made origin: Configuration.Calibration.Origin?) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.key("capacity_g")
      json.number(settings.scale.capacity.value)
      guard let curve = settings.curve, let first = curve.points.first, let last = curve.points.last else {
        json.key("shape")
        json.null()
        return
      }
      json.key("shape")
      json.string(curve.shape.rawValue)
      json.key("date")
      json.string(origin?.date)
      json.key("pad")
      json.string(origin?.pad.map { "\($0.name), \($0.range)" })
      json.key("uncertainty_g")
      json.number(curve.residual.value, decimals: 3)
      json.key("points")
      json.array { json in
        for (index, point) in curve.points.enumerated() {
          json.object { json in
            json.key("raw")
            json.number(point.counts)
            json.key("grams")
            json.number(point.mass.value)
            json.key("residual_g")
            if let miss = miss(of: index, in: curve) { json.number(miss, decimals: 3) } else { json.null() }
          }
        }
      }
      json.key("curve")
      json.array { json in
        for step in 0...samples {
          let counts = first.counts + (last.counts - first.counts) * Double(step) / Double(samples)
          json.array { json in
            json.number(counts, decimals: 1)
            json.number(mass(curve, counts), decimals: 2)
          }
        }
      }
    }
    return json.bytes
  }

  private static func miss(of index: Int, in curve: CalibrationCurve) -> Double? {
    guard index > 0, index < curve.points.count - 1, curve.points.count > 3 else { return nil }
    var others = curve.points
    let point = others.remove(at: index)
    guard let without = try? CalibrationCurve(shape: curve.shape, points: others) else { return nil }
    return mass(without, point.counts) - point.mass.value
  }

  /// The mass at a fraction of a count, interpolated linearly.
  private static func mass(_ curve: CalibrationCurve, _ counts: Double) -> Double {
    let below = counts.rounded(.down)
    let (a, b) = (curve.mass(at: RawForce(Int(below))).value, curve.mass(at: RawForce(Int(below) + 1)).value)
    return a + (b - a) * (counts - below)
  }
}
