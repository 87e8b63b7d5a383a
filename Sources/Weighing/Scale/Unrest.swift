/// A load that does not come to rest, and whether noise keeps it from that.
///
/// Noise scatters about a level without a pattern. A hand that stirs or pours, and a load that creeps, move smoothly; a swing has
/// no tails. Blocks of samples are therefore judged by von Neumann's ratio (1941) and by their kurtosis.
struct Unrest: Sendable {
  private var since: Instant?
  private var lastFrame: Instant?
  private var scatter = Scatter()
  /// The number of blocks in a row that look like noise.
  private var noisyBlocks = 0
  /// When the sampling of the pad is to be reported.
  private var nextReport: Instant?
  /// The noise of the samples of the last block that looks like it, in grams.
  private(set) var noise: Double?
  /// Whether noise has kept the load from coming to rest for long.
  private(set) var isNoise = false

  /// How long unrest is not judged at first: a hand that puts down or lifts a load passes for noise. Chosen.
  private static let handling = Interval.seconds(1)
  /// The time of a block; with `handling` the 10 s after which noise is a warning.
  private static let block = Interval.seconds(9)
  /// When the sampling of a pad is reported first. Chosen: the noise of a converter with ten samples a second is known then.
  private static let firstReport = Interval.seconds(4)
  /// Noise of more than this multiple of that at rest is movement, unless it lasts for `longBlocks` blocks. Chosen.
  private static let increase = 5.0
  private static let longBlocks = 3

  /// The load is at rest, or gone.
  @inline(__always) mutating func end() { if since != nil { self = Unrest() } }

  /// Observes a load that is not at rest.
  ///
  /// - Parameters:
  ///   - mass: The load of the newest frame in grams.
  ///   - frame: The time of that frame.
  ///   - motion: The limit of motion in grams.
  ///   - noiseAtRest: The noise of a sample when a load last was at rest, in grams; `nil` if none was.
  mutating func observe(_ mass: Double, of frame: Instant, motion: Double, noiseAtRest: Double?) {
    guard let since else {
      (since, nextReport) = (frame, frame + Self.firstReport)
      return
    }
    guard frame != lastFrame, frame >= since + Self.handling else { return }
    lastFrame = frame
    scatter.add(mass, at: frame)
    guard scatter.duration(until: frame) >= Self.block, scatter.count >= Scatter.leastCount else { return }
    noise = scatter.isNoise(above: motion / 2) ? scatter.deviation : nil
    noisyBlocks = noise == nil ? 0 : noisyBlocks + 1
    let isUsual = noiseAtRest.map { scatter.deviation <= Self.increase * $0 } ?? true
    if noisyBlocks >= (isUsual ? 1 : Self.longBlocks) { isNoise = true }
    scatter = Scatter()
    nextReport = frame
  }

  /// Whether the sampling is to be reported now; true once.
  ///
  /// - Parameter isFirst: Whether it was never reported; a known pad is reported later, since a load that is being handled
  ///   passes for noise.
  mutating func isReportDue(isFirst: Bool, at now: Instant) -> Bool {
    guard let since, let due = nextReport, due <= now else { return false }
    nextReport = nil
    return isFirst || due > since + Self.firstReport
  }
}

/// The distribution of the samples of a block.
private struct Scatter: Sendable {
  /// Fewer samples say nothing about a distribution: the kurtosis of 60 values of noise is 3 within 0.6.
  static let leastCount = 60
  /// The least of von Neumann's ratio in noise: it is 1 for independent values, 0.7 with a correlation of 0.3, and
  /// 0.02 to 0.5 for a swing of up to 1.7 Hz with ten samples a second.
  private static let leastRatio = 0.55
  /// The least kurtosis of noise: 3 is that of noise, 1.5 that of a swing.
  private static let leastKurtosis = 2.2

  private(set) var count = 0
  private var start: Instant?
  private var origin = 0.0
  private var last = 0.0
  /// The sums of the powers 1 to 4 of the distances from the origin.
  private var sums = SIMD4<Double>.zero
  private var steps = 0.0

  mutating func add(_ value: Double, at time: Instant) {
    if count == 0 { (start, origin, last) = (time, value, value) }
    let distance = value - origin
    let square = distance * distance
    sums += SIMD4(distance, square, square * distance, square * square)
    steps += (value - last) * (value - last)
    last = value
    count += 1
  }

  func duration(until time: Instant) -> Interval { start.map { time - $0 } ?? .zero }

  /// One standard deviation.
  var deviation: Double { max(variance, 0).squareRoot() }

  private var variance: Double {
    let mean = sums / Double(count)
    return mean[1] - mean[0] * mean[0]
  }

  /// Whether the values scatter by more than a deviation, as noise does.
  func isNoise(above limit: Double) -> Bool {
    guard deviation > limit else { return false }
    let (mean, variance) = (sums / Double(count), variance)
    let fourth =
      mean[3] - 4 * mean[0] * mean[2] + 6 * mean[0] * mean[0] * mean[1] - 3 * mean[0] * mean[0] * mean[0] * mean[0]
    return steps / Double(count - 1) / (2 * variance) >= Self.leastRatio
      && fourth / (variance * variance) >= Self.leastKurtosis
  }
}
