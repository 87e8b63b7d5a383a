extension [Double] {
  /// The median; NaN for an empty list.
  var median: Double { quantile(0.5) }

  /// Returns the value below which a fraction of the values is.
  func quantile(_ fraction: Double) -> Double {
    guard !isEmpty else { return .nan }
    return sorted()[Swift.min(Int(Double(count) * fraction), count - 1)]
  }
}
