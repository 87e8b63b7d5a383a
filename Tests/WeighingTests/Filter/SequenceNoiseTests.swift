import Recordings
import Testing

@testable import Weighing

/// The noise of a pad that delivers each sample, with its correlation.
@Suite struct SequenceNoiseTests {
  private func learned(
    _ kind: CellNoise.Kind, sigma: Double = 40, bits: Int = 23, count: Int = 2000, drift: Double = 0, seed: UInt64 = 1
  ) -> SampleNoise {
    var cell = CellNoise(kind, seed: seed)
    var noise = SequenceNoise(fullScale: RawForce(1 << bits))
    for sample in 0..<count {
      noise.append((400_000 + Double(sample) * drift + sigma * cell.next()).rounded())
      noise.learn(window: sample + 1)
    }
    return noise.noise
  }

  /// The variance of the mean of many samples: 1, 2 and 3 times that of independent ones.
  @Test(arguments: [(CellNoise.Kind.white, 1.0), (.averaged, 2), (.persistent, 3)], [0.0, 10])
  func varianceAndCorrelationAreLearned(_ cell: (kind: CellNoise.Kind, persistence: Double), _ drift: Double) {
    let found = (1...20).map { learned(cell.kind, drift: drift, seed: $0) }
    #expect((found.map(\.deviation).median / 40 - 1).magnitude < 0.1, "\(found.map(\.deviation))")
    #expect((found.map(\.persistence).median / cell.persistence - 1).magnitude < 0.2, "\(found.map(\.persistence))")
    #expect(found.map(\.deviation).allSatisfy { (30...50).contains($0) })
  }

  /// A converter of 24 or 32 bits has the noise that it has, whatever its range.
  @Test(arguments: [10, 16, 23, 31], [0.3, 2, 40])
  func sixSamplesAreEnough(_ bits: Int, _ sigma: Double) {
    for seed in 1...20 as ClosedRange<UInt64> {
      let found = learned(.white, sigma: sigma, bits: bits, count: 6, seed: seed).deviation
      #expect(found < 4 * max(sigma, 0.5), "\(found)")
    }
    #expect(learned(.white, sigma: 1000, bits: bits, count: 60).deviation > 700)
  }

  /// The mean of `count` samples, times `count`, against the formula for noise that fades geometrically.
  @Test(arguments: [(1, 1.0), (2, 1.5), (4, 2.0625), (16, 2.75), (1000, 3)])
  func theVarianceOfAMeanGrowsWithItsLength(_ count: Int, _ exact: Double) {
    let noise = SampleNoise(variance: 1, persistence: 3)
    #expect((noise.variance(inMeanOf: Double(count)) / exact - 1).magnitude < 0.1)
    #expect(SampleNoise(variance: 4).variance(inMeanOf: Double(count)) == 4)
  }

  /// The load moves while the pad is connected: that noise is dropped within a second of rest.
  @Test func overratedNoiseIsDropped() {
    var cell = CellNoise(.averaged, seed: 3)
    var noise = SequenceNoise(fullScale: RawForce(1 << 23))
    for sample in 0..<6 {
      noise.append(400_000 + Double(sample * sample) * 20_000)
      noise.learn(window: sample + 1)
    }
    #expect(noise.noise.deviation > 5000)
    for sample in 0..<20 {
      noise.append(900_000 + 40 * cell.next())
      noise.learn(window: sample + 1)
    }
    #expect(noise.noise.deviation < 120)
  }

  /// A pour takes a quarter of a minute and is not noise. More noise is learned all the same.
  @Test func movementIsForgottenAndMoreNoiseIsLearned() {
    var cell = CellNoise(.white, seed: 4)
    var noise = SequenceNoise(fullScale: RawForce(1 << 23))
    func rest(_ count: Int, sigma: Double = 40) {
      for sample in 0..<count {
        noise.append(400_000 + sigma * cell.next())
        noise.learn(window: sample + 1)
      }
    }
    rest(200)
    for sample in 0..<150 {
      noise.append(400_000 + 300 * Double(sample) + 1000 * cell.next())
      noise.learn(window: 1)
    }
    rest(60)
    #expect(noise.noise.deviation < 80)
    rest(400, sigma: 400)
    #expect(noise.noise.deviation > 200)
  }

  /// After the load was lost, nothing is compared with values from before.
  @Test func anInterruptionIsNoNoise() {
    var cell = CellNoise(.white, seed: 5)
    var noise = SequenceNoise(fullScale: RawForce(1 << 23))
    for load in [100_000.0, 700_000, 300_000] {
      noise.interrupt()
      for sample in 0..<100 {
        noise.append(load + 40 * cell.next())
        noise.learn(window: sample + 1)
      }
    }
    #expect((30...55).contains(noise.noise.deviation))
  }
}
