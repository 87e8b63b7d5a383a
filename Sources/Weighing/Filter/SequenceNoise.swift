/// The noise of a pad that delivers each sample, with its correlation, learned from the samples themselves.
///
/// The noise of a converter is not white: an HX711 averages over two samples, so that neighbouring ones have a
/// correlation of 0.48 in real recordings. The differences between neighbouring samples are too small then, and the
/// mean of many samples is less certain than it seems. Second differences at the distances 1, 2 and 4 show both:
///
///     E(x[i] - 2 x[i + d] + x[i + 2d])² / 6 = r(0) - 4/3 r(d) + 1/3 r(2d)
///
/// where r is the autocovariance. Second differences do not see a steady movement. r(1), r(2) and r(0) follow from the
/// three, and the tail is continued geometrically. (The Allan variance uses the same differences: IEEE Std 952-1997,
/// annex C.)
///
/// The noise of a converter in counts says nothing about the range of its axis: 24 bits of it may hold 20 of noise. No
/// noise is therefore assumed beforehand. While few differences are known, their mean is increased by what their number
/// leaves open.
struct SequenceNoise: Sendable {
  /// The noise as far as it is known.
  private(set) var noise: SampleNoise
  /// The noise of the pad when it was quietest, which rises slowly. A load that swings for minutes passes for noise.
  private(set) var quiet: SampleNoise
  /// The noise with its likeliest persistence.
  private(set) var likely: SampleNoise

  private var values = [Double](repeating: 0, count: 16)
  private var next = 0
  /// How many of the newest values belong to the window of the filter, up to 16.
  private var run = 0
  /// How many values the ring contains since the load was last lost, up to 16.
  private var available = 0

  /// The mean of the squared differences of neighbouring samples at rest, and how many were seen.
  private var rest: Double
  private var seen = 0.0
  /// The same while the load moves: it grows slowly, and decays soon at rest.
  private var unrest = 0.0
  /// Successive differences that are far smaller than the noise assumed, and their sum.
  private var small = (count: 0.0, sum: 0.0)
  /// The squared differences at the distances 1, 2 and 4, learned at the same moments, and how many were seen.
  private var far = (one: 0.0, two: 0.0, four: 0.0, seen: 0.0)

  /// The memory in samples: at rest, in motion, and of the correlation.
  private static let memory = 512.0
  private static let memoryInMotion = 512.0
  private static let memoryOfCorrelation = 1024.0
  /// The samples in which the noise of a movement is forgotten at rest.
  private static let recovery = 16.0
  /// The largest squared difference that counts, in variances: three standard deviations.
  private static let limit = 9.0
  /// The number of differences from which on a mean is better than the noise assumed beforehand.
  private static let fewest = 2.0
  /// The number of samples after which the noise is known.
  private static let known = 32.0
  /// The number of samples of a window in which nothing moves, mostly.
  private static let settled = 6
  /// The number of samples from which on the windows of the filter tell rest from motion.
  private static let certain = 16.0
  /// This number of successive squares, each under `tiny` of the variance, shows that noise of less than
  /// `wellKnown` samples was overrated, twice as many for more: chance does so once in two million samples, and once in
  /// six million million.
  private static let convincing = 8.0
  private static let wellKnown = 64.0
  private static let tiny = 1.0 / 25
  /// The assumed ratio of the squared differences at a larger distance to those of neighbours, and the number of
  /// samples that the assumption is worth: a correlation of 0.25, half that of a load cell.
  private static let assumedRatio = 1.5
  private static let assumedSamples = 8.0

  /// Makes an estimate for an axis of this many counts.
  init(fullScale: RawForce) {
    let deviation = SampleNoise.prior * Double(fullScale.counts)
    rest = max(deviation * deviation, SampleNoise.ofRounding)
    noise = SampleNoise(variance: rest)
    quiet = noise
    likely = noise
  }

  /// Whether enough samples at rest were seen to be certain that the noise has at least this deviation.
  func isKnown(toExceed deviation: Double) -> Bool { seen >= Self.known && rest >= deviation * deviation }

  /// The load is lost: the next value has nothing to do with the last one.
  mutating func interrupt() {
    run = 0
    available = 0
  }

  /// Appends the next value.
  mutating func append(_ value: Double) {
    values[next] = value
    next = (next + 1) & 15
    run = min(run + 1, 16)
    available = min(available + 1, 16)
  }

  /// Learns from the newest value, when the window of the filter, which contains it, has `count` samples.
  mutating func learn(window count: Int) {
    run = min(run, count)
    guard available >= 3 else { return }
    let square = squaredDifference(1)
    // Until the noise is known, its windows say nothing about motion.
    if seen < Self.certain || run >= 3 && count >= Self.settled {
      learnAtRest(square)
    } else {
      learnInMotion(square)
    }
    if run >= 9 { learnCorrelation(square) }
    update()
  }

  /// A sixth of the squared second difference at a distance.
  private func squaredDifference(_ distance: Int) -> Double {
    let newest = next &+ 15
    let bend =
      values[newest & 15] - 2 * values[(newest &- distance) & 15] + values[(newest &- 2 * distance) & 15]
    return bend * bend / 6
  }

  /// What a mean of so few squares leaves open, as a factor; neighbouring second differences are not independent.
  private var doubt: Double { 1 + 6 / max(seen, 1) }

  private mutating func learnAtRest(_ square: Double) {
    // The first difference replaces what was assumed.
    if seen == 0 { rest = max(square, SampleNoise.ofRounding) }
    let assumed = max(rest, unrest)
    seen = min(seen + 1, Self.memory)
    let bounded = seen <= Self.fewest ? square : min(square, Self.limit * assumed * doubt)
    rest = max(rest + (bounded - rest) / seen, SampleNoise.ofRounding)
    unrest += (rest - unrest) / Self.recovery
    guard square < assumed * Self.tiny else {
      small = (0, 0)
      return
    }
    small = (small.count + 1, small.sum + square)
    if small.count >= (seen < Self.wellKnown ? Self.convincing : 2 * Self.convincing) {
      rest = max(small.sum / small.count, SampleNoise.ofRounding)
      unrest = rest
      seen = small.count
      small = (0, 0)
    }
  }

  private mutating func learnInMotion(_ square: Double) {
    unrest = max(unrest, rest)
    unrest += (min(square, Self.limit * unrest) - unrest) / Self.memoryInMotion
  }

  private mutating func learnCorrelation(_ one: Double) {
    if far.seen == 0 {
      let ratio = Self.assumedRatio
      far = (rest, ratio * rest, ratio * rest, Self.assumedSamples)
    }
    far.seen = min(far.seen + 1, Self.memoryOfCorrelation)
    func learn(_ mean: inout Double, _ square: Double) {
      mean = max(mean + (min(square, Self.limit * mean) - mean) / far.seen, SampleNoise.ofRounding)
    }
    learn(&far.one, one)
    learn(&far.two, squaredDifference(2))
    learn(&far.four, squaredDifference(4))
  }

  /// Computes the noise from the differences.
  private mutating func update() {
    guard seen >= Self.fewest else { return }
    let variance = max(rest, unrest) * doubt
    // In units of the differences of neighbours.
    let two = far.seen > 0 ? far.two / far.one : Self.assumedRatio
    let four = far.seen > 0 ? far.four / far.one : Self.assumedRatio
    var (zero, second, first) = (four, 0.0, 0.0)
    for _ in 0..<2 {
      second = max(0.75 * (zero - two) + second * second / zero / 4, 0)
      zero = max(four + 4 / 3 * second * second / zero, 1)
      first = max(0.75 * (zero - 1 + second / 3), 0)
    }
    noise = SampleNoise(variance: variance * zero, persistence: SampleNoise.persistence(zero, first, second))
    likely = SampleNoise(
      variance: noise.variance,
      persistence: far.seen > 0
        ? SampleNoise.likelyPersistence(zero, first, second, samples: far.seen) : noise.persistence)
    let isQuieter = seen < Self.known || noise.variance <= quiet.variance * Self.rise
    quiet = isQuieter ? noise : quiet.scaled(varianceBy: Self.rise)
  }

  /// The factor of the variance of the quietest noise with each sample: twofold in 69 s at ten samples a second.
  private static let rise = 1.001
}
