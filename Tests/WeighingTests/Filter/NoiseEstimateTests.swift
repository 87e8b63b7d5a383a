import Recordings
import Testing

@testable import Weighing

/// The noise of one sample, whatever the load does.
@Suite struct NoiseEstimateTests {
  private func learned(_ sigma: Double, fullScale: Int = 1023, count: Int = 400, drift: Double = 0) -> Double {
    var random = SplitMix64(seed: 21)
    var noise = NoiseEstimate(fullScale: RawForce(fullScale))
    var last = 400.0
    for frame in 0..<count {
      let value = 400 + Double(frame) * drift + sigma * random.gaussian()
      noise.observe(step: value - last, settled: true)
      last = value
    }
    return noise.deviation
  }

  @Test(arguments: [0.6, 1, 1.5, 2.5, 5])
  func itIsLearned(_ sigma: Double) {
    #expect((learned(sigma) / sigma - 1).magnitude < 0.25)
    #expect((learned(sigma, drift: 0.05) / sigma - 1).magnitude < 0.25, "whatever slow movement lies under it")
  }

  @Test func itStartsAsAShareOfTheAxis() {
    #expect((NoiseEstimate(fullScale: RawForce(1023)).deviation - 3).magnitude < 1e-9)
    #expect((NoiseEstimate(fullScale: RawForce(65_535)).deviation - 192).magnitude < 1)
    #expect(NoiseEstimate(fullScale: .zero).deviation > 0.28)
  }

  /// Rounding to counts alone has a deviation of 1 / sqrt(12).
  @Test func aSilentPadHasTheNoiseOfItsCounts() {
    #expect((learned(0, count: 2000) - 0.2887).magnitude < 0.001)
  }

  @Test func silenceIsLearnedFromToo() {
    var noise = NoiseEstimate(fullScale: RawForce(1023))
    for _ in 0..<8 { noise.observe(repeats: 128, settled: true) }
    #expect((noise.deviation - 0.2887).magnitude < 0.001)
  }

  /// Steps of a hand are not noise.
  @Test func stepsHardlyCount() {
    var noise = NoiseEstimate(fullScale: RawForce(1023))
    for frame in 0..<200 { noise.observe(step: frame % 2 == 0 ? 2 : -2, settled: true) }
    let before = noise.deviation
    for _ in 0..<10 { noise.observe(step: 300, settled: false) }
    #expect(noise.deviation < before * 1.2)
  }
}
