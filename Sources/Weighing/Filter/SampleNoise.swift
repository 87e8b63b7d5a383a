/// The noise of the samples, in counts: its variance, and how far it persists from one sample to the next.
struct SampleNoise: Sendable {
  /// The variance of one sample.
  var variance: Double
  /// The variance of the mean of many samples, as a multiple of that of independent ones: 1 for white noise, 3 for a
  /// correlation of a half that decays geometrically.
  var persistence = 1.0

  /// The persistence of noise with these autocovariances at the distances 0, 1 and 2, continued geometrically.
  static func persistence(_ zero: Double, _ first: Double, _ second: Double) -> Double {
    let tail = second > 0 ? second / max(1 - second / max(first, second), shortestTail) : 0
    return min(1 + 2 * (first + tail) / zero, maximumPersistence)
  }

  /// The likeliest persistence, of noise whose autocovariances are known from a number of samples.
  ///
  /// Errors of the one at the distance 2 would only ever increase the persistence, as it cannot be negative, and up to
  /// fourfold: it counts as far as it exceeds its standard error.
  static func likelyPersistence(_ zero: Double, _ first: Double, _ second: Double, samples: Double) -> Double {
    persistence(zero, first, max(second - zero / samples.squareRoot(), 0))
  }

  /// The noise before the first samples, as a fraction of the full scale. Chosen: 3 counts of 1,023, twice the noise of a
  /// usual pad, unlearned in a few frames; a pad that is noisier than that would have to be learned slowly.
  static let prior = 3.0 / 1023
  /// The variance of rounding to counts, in squared counts.
  static let ofRounding = 1.0 / 12

  /// The least decay of the covariance for a sample, and the most persistence: beyond, it is movement and not noise.
  private static let shortestTail = 0.25
  private static let maximumPersistence = 6.0

  /// The same noise with a multiple of the variance.
  @inline(__always) func scaled(varianceBy factor: Double) -> SampleNoise {
    SampleNoise(variance: variance * factor, persistence: persistence)
  }

  /// One standard deviation of one sample.
  var deviation: Double { variance.squareRoot() }

  /// The variance of a mean of `count` samples, times `count`.
  ///
  /// Exact for one sample and for many; between them within 10 % of that of noise whose correlation decays
  /// geometrically.
  @inline(__always) func variance(inMeanOf count: Double) -> Double {
    guard persistence > 1 else { return variance }
    let others = count - 1
    return variance * (1 + (persistence - 1) * others / (others + 0.75 * persistence + 0.25))
  }
}
