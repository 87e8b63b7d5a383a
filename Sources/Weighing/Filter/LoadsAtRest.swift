/// What loads at rest have shown of a pad that delivers each sample: how its noise persists, and how far they wander.
///
/// It enters the uncertainty of a reading and decides nothing.
struct LoadsAtRest: Sendable {
  private var correlation = NoiseCorrelation()
  private var wander = LoadWander()

  /// Appends a sample of a load at rest.
  ///
  /// - Parameter slope: That of a steady movement, in counts per sample.
  mutating func append(_ value: Double, slope: Double) {
    correlation.append(value, slope: slope)
    wander.append(value)
  }

  /// The load has moved: the next sample has nothing to do with the last one.
  mutating func interrupt() {
    correlation.interrupt()
    wander.interrupt()
  }

  /// The noise; `nil` while too few samples are known.
  var noise: SampleNoise? { @inline(__always) get { correlation.noise } }

  /// The noise as it most likely is; `nil` while too few samples are known.
  var likelyNoise: SampleNoise? { @inline(__always) get { correlation.likelyNoise } }

  /// What the load wanders within the time of an estimate, as a variance in counts.
  @inline(__always)
  func wander(of estimate: LoadFilter.Estimate, _ noise: SampleNoise) -> Double {
    let trust = estimate.trustInSlope
    let window = estimate.samples * (1 + trust) * (1 + trust)
    return wander.variance(in: window, trust: trust, noise: noise)
  }
}
