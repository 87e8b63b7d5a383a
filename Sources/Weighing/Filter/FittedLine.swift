/// The mean of a run of samples and the straight line through them, in counts.
struct FittedLine: Sendable {
  /// The number of samples.
  let count: Double
  /// Their mean.
  let mean: Double
  /// The slope of the line in counts per sample; 0 for fewer than three samples.
  let slope: Double

  /// Where the line is at the last sample.
  var end: Double { mean + slope * (count - 1) / 2 }
  /// Where the line will be at the next sample.
  var next: Double { mean + slope * (count + 1) / 2 }

  /// One standard deviation of the slope in counts per sample, given the variance of one sample.
  func slopeDeviation(variance: Double) -> Double { (variance / spread).squareRoot() }

  /// The likelihood ratio of a steady movement to a load at rest, as a squared number of standard deviations; 0 for too
  /// few samples.
  func evidence(variance: Double) -> Double { count < Self.fewestForEvidence ? 0 : slope * slope * spread / variance }

  /// Whether the slope is certain, given the variance of one sample.
  func isSteadyMovement(variance: Double) -> Bool { count >= Self.fewest && evidence(variance: variance) > Self.doubt }

  /// The weight of the line in an estimate, 0...1: zero below `hint`, one when the slope is certain. Between the two,
  /// the estimate moves from the mean to the end of the line without a jump.
  func trustInSlope(variance: Double) -> Double {
    let evidence = evidence(variance: variance)
    return evidence <= Self.hint ? 0 : min((evidence - Self.hint) / (Self.doubt - Self.hint), 1)
  }

  /// The sum of the squared distances of the sample times from their middle.
  var spread: Double { count * (count * count - 1) / 12 }

  /// The least number of samples for a line to rival a step, and for it to be a certain movement.
  private static let fewestForEvidence = 8.0
  static let fewest = 12.0
  /// The squared standard deviations from zero of a certain slope, and of one that begins to move the estimate.
  static let doubt = 4.5 * 4.5
  private static let hint = 3.0 * 3.0
}
