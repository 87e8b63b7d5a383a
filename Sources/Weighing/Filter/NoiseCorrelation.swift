/// How the noise of a sample persists in the next ones, learned at rest from differences between samples.
///
/// Half the mean square of the differences at a distance d is r(0) - r(d), where r is the autocovariance (the
/// variogram: Cressie, Statistics for Spatial Data, 1993, chapter 2.4). At the distances 4 and 8, r is next to nothing,
/// so that they show r(0); r(1) and r(2) follow from the distances 1 and 2, and the tail is continued geometrically.
/// A sample counts when further ones have shown that the load still rested: the first second of a slow pour passes for
/// rest, and would be taken for noise.
///
/// `SequenceNoise` learns the same from second differences. A movement does not disturb these, so that they decide
/// whether the load moves; but they need half as many samples again for the uncertainty of a mean of correlated ones,
/// and take white noise for correlated.
struct NoiseCorrelation: Sendable {
  private var values = [Double](repeating: 0, count: mask + 1)
  private var next = 0
  private var available = 0

  /// Half the mean squares of the differences at the distances 1, 2, 4 and 8.
  private var (one, two, four, eight) = (0.0, 0.0, 0.0, 0.0)
  private var seen = 0.0

  /// The size of the ring in samples, a power of two, less one; more than `delay` and `farthest` together.
  private static let mask = 31
  /// The largest distance in samples, and the number of samples at rest that have to follow a sample.
  private static let farthest = 8
  private static let delay = 16
  /// The memory in samples.
  private static let memory = 1024.0
  /// The largest square that counts, as a multiple of the mean square: three standard deviations.
  private static let limit = 9.0
  /// The number of samples from which on the noise is known, and at which twice the variance found is assumed.
  private static let few = 16.0
  private static let doubt = 22.0

  /// The load has moved: the next sample has nothing to do with the last one.
  mutating func interrupt() { available = 0 }

  /// Appends a sample of a load at rest.
  ///
  /// - Parameter slope: That of a steady movement, in counts per sample.
  mutating func append(_ value: Double, slope: Double) {
    values[next] = value
    next = (next + 1) & Self.mask
    available = min(available + 1, Self.mask)
    guard available > Self.delay + Self.farthest else { return }
    let newest = next &- 1 &- Self.delay
    let rested = values[newest & Self.mask]
    seen = min(seen + 1, Self.memory)
    func learn(_ mean: Double, _ distance: Int) -> Double {
      let difference = rested - values[(newest &- distance) & Self.mask] - slope * Double(distance)
      let square = difference * difference / 2
      let bounded = seen <= Self.few ? square : min(square, Self.limit * mean)
      return max(mean + (bounded - mean) / seen, SampleNoise.ofRounding)
    }
    (one, two, four, eight) = (learn(one, 1), learn(two, 2), learn(four, 4), learn(eight, Self.farthest))
  }

  /// The noise at rest, with what so few samples leave open; `nil` while there are too few.
  var noise: SampleNoise? {
    @inline(__always) get {
      guard seen >= Self.few else { return nil }
      return SampleNoise(
        variance: zero * (1 + Self.doubt / seen), persistence: SampleNoise.persistence(zero, first, second))
    }
  }

  /// The likeliest noise at rest; `nil` while there are too few samples.
  var likelyNoise: SampleNoise? {
    @inline(__always) get {
      guard seen >= Self.few else { return nil }
      return SampleNoise(
        variance: zero, persistence: SampleNoise.likelyPersistence(zero, first, second, samples: seen))
    }
  }

  /// The autocovariances at the distances 0, 1 and 2.
  private var zero: Double { @inline(__always) get { max((four + eight) / 2, one) } }
  private var first: Double { @inline(__always) get { zero - one } }
  private var second: Double { @inline(__always) get { min(max(zero - two, 0), first) } }
}
