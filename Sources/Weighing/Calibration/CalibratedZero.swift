/// The zero of a platter that a calibration has measured.
public struct CalibratedZero: Hashable, Sendable {
  /// The axis value under the plate alone.
  public var counts: Double
  /// When it was measured, RFC 3339 in UTC; `nil` if unknown.
  public var date: String?

  /// Makes a zero.
  public init(counts: Double, date: String?) {
    (self.counts, self.date) = (counts, date)
  }

  /// Whether it says more about the empty platter of today than another one.
  func isNewer(than other: CalibratedZero?) -> Bool {
    guard let other else { return true }
    return (date ?? "") > (other.date ?? "")
  }
}

extension CalibrationCurve {
  /// The counts without a load: those of the point of 0 g, or where the curve reads 0 g; `nil` if it never does.
  package var countsWithoutLoad: Double? {
    if let empty = points.first(where: { $0.mass == .zero }) { return empty.counts }
    var (low, high) = (0.0, points[points.count - 1].counts)
    guard mass(atCounts: low) <= 0, mass(atCounts: high) >= 0 else { return nil }
    // Halves the interval down to less than a thousandth of a count.
    while high - low > 1e-3 {
      let middle = (low + high) / 2
      if mass(atCounts: middle) < 0 { low = middle } else { high = middle }
    }
    return high
  }
}
