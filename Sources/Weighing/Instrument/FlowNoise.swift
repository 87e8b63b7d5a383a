/// The noise of the samples.
struct FlowNoise: Sendable {
  /// As far as samples tell that may belong to a movement.
  var inMotion: SampleNoise
  /// As far as samples of a load at rest tell.
  var atRest: SampleNoise

  /// The noise in other units.
  func scaled(by factor: Double) -> FlowNoise {
    let square = factor * factor
    return FlowNoise(inMotion: inMotion.scaled(varianceBy: square), atRest: atRest.scaled(varianceBy: square))
  }
}

/// The variance of the noise in a window: at rest the smaller of what the two estimates say, in a flow their mean.
///
/// What was learned at rest says more than what is learned in a flow, but a stream may shake the pad. It is that of the
/// last rest, as the first samples of a flow pass for rest.
struct FlowVariance: Sendable {
  private var atRest: Double?

  /// Another load.
  mutating func restart() { atRest = nil }

  /// The variance of a mean of `count` samples, times `count`.
  mutating func evaluate(_ noise: FlowNoise, inMeanOf count: Double, isStill: Bool) -> Double {
    let moving = noise.inMotion.variance(inMeanOf: count)
    guard isStill else { return (moving + (atRest ?? moving)) / 2 }
    let resting = noise.atRest.variance(inMeanOf: count)
    atRest = resting
    return min(resting, moving)
  }
}
