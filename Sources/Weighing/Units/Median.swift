/// The median of a list: the middle one in order, or the mean of the two in the middle; `nil` for an empty one.
func median(of values: [Double]) -> Double? {
  let sorted = values.sorted()
  return sorted.isEmpty ? nil : (sorted[sorted.count / 2] + sorted[(sorted.count - 1) / 2]) / 2
}

/// The standard deviation of normally distributed values from their distances to their median, which single wrong values do not
/// change; `nil` for no distances.
func robustDeviation(of distances: [Double]) -> Double? { median(of: distances.map(\.magnitude)).map { 1.4826 * $0 } }
