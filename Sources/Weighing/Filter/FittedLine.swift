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

  /// One standard deviation of the slope, in counts a sample, given the variance of one sample.
  func slopeDeviation(variance: Double) -> Double { (variance / spread).squareRoot() }

  /// The likelihood ratio of a steady movement against a load at rest, as a squared number of standard deviations; 0 for
  /// too few samples.
  func evidence(variance: Double) -> Double {
    count < Self.fewestForEvidence ? 0 : slope * slope * spread / variance
  }

  /// Whether the slope is beyond doubt, given the variance of one sample.
  func isSteadyMovement(variance: Double) -> Bool {
    count >= Self.fewest && evidence(variance: variance) > Self.doubt
  }

  /// How far to believe that the load moves along the line, 0...1: not at all under `hint`, wholly from the doubt on. In
  /// between an estimate goes over from the mean to the end of the line without a jump.
  func trustInSlope(variance: Double) -> Double {
    let evidence = evidence(variance: variance)
    return evidence <= Self.hint ? 0 : min((evidence - Self.hint) / (Self.doubt - Self.hint), 1)
  }

  /// The sum of squared distances of the samples' times from their middle.
  var spread: Double { count * (count * count - 1) / 12 }

  /// A line through fewer samples says nothing, of which it takes more to believe in it than to doubt a step.
  private static let fewestForEvidence = 8.0
  private static let fewest = 12.0
  /// The square of how many standard deviations the slope has to be from none.
  private static let doubt = 4.5 * 4.5
  private static let hint = 3.0 * 3.0
}
