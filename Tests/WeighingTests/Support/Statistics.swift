extension [Double] {
  /// The median; NaN for an empty list.
  var median: Double { quantile(0.5) }

  /// The value under which a fraction of all lies.
  func quantile(_ fraction: Double) -> Double {
    guard !isEmpty else { return .nan }
    return sorted()[Swift.min(Int(Double(count) * fraction), count - 1)]
  }
}
