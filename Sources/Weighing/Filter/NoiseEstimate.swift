/// The noise of one sample of the pad, in counts, learned from the steps between neighbouring samples.
///
/// A sixth of the mean square of second differences is the variance, whatever steady movement lies under it: the second
/// of the successive differences of von Neumann (Ann. Math. Statist. 12, 1941) and Rice (Ann. Statist. 12, 1984). First
/// differences took a stirred load for noise. A difference beyond three deviations counts as three only, and one that
/// belongs to a change of load hardly counts, so that a hand on the pad does not pass for noise.
struct NoiseEstimate: Sendable {
  /// One standard deviation, in counts; never under that of quantisation, 1 / sqrt(12).
  private(set) var deviation: Double
  private var variance: Double
  private var seen = 0
  private var lastStep = 0.0

  /// The memory, in samples, while the load rests and while it changes; and how many samples the prior is worth.
  private static let memory = 256.0
  private static let memoryInMotion = 512.0
  private static let priorWeight = 4.0

  /// Makes an estimate for an axis of this many counts.
  init(fullScale: RawForce) {
    deviation = max(SampleNoise.prior * Double(fullScale.counts), SampleNoise.ofRounding.squareRoot())
    variance = deviation * deviation
  }

  /// Makes an estimate that knows the noise already, from this number of samples.
  init(deviation: Double, samples: Int) {
    variance = max(deviation * deviation, SampleNoise.ofRounding)
    self.deviation = variance.squareRoot()
    seen = samples
  }

  /// Evaluates samples that are equal to the previous one.
  mutating func observe(repeats: Int, settled: Bool) {
    guard repeats > 0 else { return }
    observe(step: 0, settled: settled)
    for _ in 1..<max(min(repeats, Int(Self.memory)), 1) { update(0, settled: settled) }
    deviation = max(variance, SampleNoise.ofRounding).squareRoot()
  }

  /// Evaluates the step from one sample to the next.
  mutating func observe(step: Double, settled: Bool) {
    let bend = step - lastStep
    lastStep = step
    update(min(bend * bend / 6, 9 * variance), settled: settled)
    deviation = max(variance, SampleNoise.ofRounding).squareRoot()
  }

  private mutating func update(_ square: Double, settled: Bool) {
    if settled { seen = min(seen + 1, Int(Self.memory)) }
    let gain = settled ? 1 / min(Double(seen) + Self.priorWeight, Self.memory) : 1 / Self.memoryInMotion
    variance += gain * (square - variance)
    variance = max(variance, SampleNoise.ofRounding / 4)
  }
}
