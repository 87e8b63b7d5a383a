/// The mean of a run of samples and the straight line through them, in counts.
struct FittedLine: Sendable {
  /// The number of samples.
  let count: Double
  /// Their mean.
  let mean: Double
  /// The slope of the line, in counts a sample; 0 for fewer than three samples.
  let slope: Double

  /// Where the line is at the last sample.
  var end: Double { mean + slope * (count - 1) / 2 }
  /// Where the line will be at the next sample.
  var next: Double { mean + slope * (count + 1) / 2 }

  /// Whether the slope is beyond doubt, given the standard deviation of one sample.
  func isSteadyMovement(sigma: Double) -> Bool {
    count >= Self.fewest && slope * slope * spread > Self.doubt * sigma * sigma
  }

  /// The sum of squared distances of the samples' times from their middle.
  var spread: Double { count * (count * count - 1) / 12 }

  /// A line through fewer samples says nothing.
  private static let fewest = 12.0
  /// The square of how many standard deviations the slope has to be from none.
  private static let doubt = 4.5 * 4.5
}
