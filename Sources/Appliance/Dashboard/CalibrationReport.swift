import Configuration
import Messages
import Weighing

/// The current calibration for the dashboard.
enum CalibrationReport {
  /// Number of points drawn for a curve.
  private static let samples = 64

  /// `{"shape", "date", "pad", "capacity_g", "uncertainty_g", "points": [{"raw", "grams", "residual_g"}], "curve": [[raw, g], ...]}`;
  /// without points and curve if the mass is derived from the kernel's resolution, the list of known pads or only from the capacity.
  ///
  /// `residual_g` is the value at a point of the curve through all other points, less the mass of the point; `null` for
  /// the first and the last point, which would be extrapolated, and if too few points are left.
  static func json(_ settings: ScaleSettings, made origin: Configuration.Calibration.Origin?) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.field("capacity_g", settings.scale.capacity.value)
      guard let curve = settings.curve, let first = curve.points.first, let last = curve.points.last else {
        return json.field("shape", String?.none)
      }
      json.field("shape", curve.shape.rawValue)
      json.field("date", origin?.date)
      json.field("pad", origin?.pad.map { "\($0.name), \($0.range)" })
      json.field("uncertainty_g", curve.residual.value, decimals: 3)
      json.array("points", curve.points.indices) { json, index in
        json.object { json in
          json.field("raw", curve.points[index].counts)
          json.field("grams", curve.points[index].mass.value)
          json.field("residual_g", miss(of: index, in: curve), decimals: 3)
        }
      }
      json.array("curve", 0...samples) { json, step in
        let counts = first.counts + (last.counts - first.counts) * Double(step) / Double(samples)
        json.array { json in
          json.number(counts, decimals: 1)
          json.number(mass(curve, counts), decimals: 2)
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
