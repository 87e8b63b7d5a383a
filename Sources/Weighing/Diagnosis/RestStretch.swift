/// The longest stretch of a series in which the load rests or moves steadily, and the line through it.
///
/// A change of the load shows as a difference between the medians before and after a sample that is unlike those of the
/// rest of the series. Medians, so that single wrong samples do not matter; unlike the others, so that a steady drift
/// is not a change.
struct RestStretch: Sendable {
  /// Its duration in seconds.
  let duration: Double
  /// The mean in counts.
  let mean: Double
  /// The noise of one sample in counts: the standard deviation about the line.
  let noise: Double
  /// The slope in counts per second.
  let drift: Double
  /// One standard deviation of the slope in counts per second; accounts for noise that is not white.
  let driftDeviation: Double
  /// The number of single wrong samples, which are not part of the noise.
  let spikes: Int

  /// The least number of samples of a stretch.
  private static let fewest = 8
  /// A change is this many standard deviations of a difference of two medians; noise with a lag-1 correlation of 0.5
  /// makes the deviation 2.4 times as large.
  private static let certainty = 8.0
  /// The standard deviation of a median as a multiple of that of a mean.
  private static let medianFactor = 1.25
  /// The standard deviation of a rounded value in counts.
  private static let rounding = 0.29
  /// A wrong sample is this many standard deviations from the line.
  private static let spike = 6.0

  /// Finds the stretch; `nil` without one of enough samples.
  ///
  /// - Parameters:
  ///   - values: In counts.
  ///   - times: In seconds.
  ///   - period: The time between two samples in seconds.
  init?(values: [Double], times: [Double], period: Double) {
    guard values.count == times.count, let range = Self.longest(values, period: period) else { return nil }
    var kept = Array(range)
    guard var line = Line(kept.map { times[$0] }, kept.map { values[$0] }) else { return nil }
    let limit = Self.spike * max(robustDeviation(of: line.residuals) ?? 0, Self.rounding * 2)
    kept = zip(kept, line.residuals).filter { $0.1.magnitude <= limit }.map(\.0)
    spikes = range.count - kept.count
    if spikes > 0 {
      guard let again = Line(kept.map { times[$0] }, kept.map { values[$0] }) else { return nil }
      line = again
    }
    duration = times[range.upperBound - 1] - times[range.lowerBound] + period
    mean = line.mean
    noise = line.deviation
    drift = line.slope
    driftDeviation = line.slopeDeviation
  }

  private static func longest(_ values: [Double], period: Double) -> Range<Int>? {
    guard values.count >= fewest else { return nil }
    let width = min(max(Int((0.25 / period).rounded()), 4), 20)
    guard values.count > 2 * width else { return 0..<values.count }
    let changes = zip(values.dropFirst(), values).map { ($0 - $1).magnitude }
    let deviation = max((robustDeviation(of: changes) ?? 0) / 2.0.squareRoot(), rounding)
    let medians = runningMedians(values, width: width)
    let differences = zip(medians.dropFirst(width), medians).map { $0 - $1 }
    let trend = median(of: differences) ?? 0
    let limit = certainty * medianFactor * deviation * (2 / Double(width)).squareRoot()
    var best: Range<Int>?
    var start = 0
    for index in 0...differences.count {
      let isChange = index < differences.count && (differences[index] - trend).magnitude > limit
      guard isChange || index == differences.count else { continue }
      // The beginning and the end of a change are smaller than the limit.
      let end = isChange ? index + width / 2 : values.count
      if end - start >= fewest, end - start > best?.count ?? 0 { best = start..<end }
      start = index + 2 * width
    }
    return best
  }
}

/// The straight line through a series by least squares.
private struct Line {
  let mean: Double
  let slope: Double
  let residuals: [Double]
  /// The standard deviation of a value about the line.
  let deviation: Double
  let slopeDeviation: Double

  init?(_ times: [Double], _ values: [Double]) {
    let count = Double(times.count)
    guard times.count >= 3 else { return nil }
    let middle = times.reduce(0, +) / count
    let mean = values.reduce(0, +) / count
    let spread = times.reduce(0) { $0 + ($1 - middle) * ($1 - middle) }
    guard spread > 0 else { return nil }
    let slope = zip(times, values).reduce(0) { $0 + ($1.0 - middle) * ($1.1 - mean) } / spread
    let residuals = zip(times, values).map { $1 - mean - slope * ($0 - middle) }
    let squares = residuals.reduce(0) { $0 + $1 * $1 }
    deviation = (squares / (count - 2)).squareRoot()
    let products = zip(residuals, residuals.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 }
    // Noise with a lag-1 correlation r has the effect of (1 + r) / (1 - r) times its variance on a mean or a slope.
    let correlation = squares > 0 ? min(max(products / squares, 0), 0.95) : 0
    slopeDeviation = deviation * ((1 + correlation) / (1 - correlation) / spread).squareRoot()
    (self.mean, self.slope, self.residuals) = (mean, slope, residuals)
  }
}

/// The medians of every so many successive values, through a window that remains sorted as it moves.
private func runningMedians(_ values: [Double], width: Int) -> [Double] {
  var window: [Double] = []
  var medians: [Double] = []
  func place(of value: Double) -> Int { window.firstIndex { $0 >= value } ?? window.count }
  for (index, value) in values.enumerated() {
    if index >= width { window.remove(at: place(of: values[index - width])) }
    window.insert(value, at: place(of: value))
    if window.count == width, let middle = median(of: window) { medians.append(middle) }
  }
  return medians
}
