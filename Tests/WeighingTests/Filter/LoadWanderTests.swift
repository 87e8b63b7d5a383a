import Recordings
import Testing

@testable import Weighing

/// The wander of a load at rest, beyond the noise of its samples.
@Suite struct LoadWanderTests {
  private static let noise = SampleNoise(variance: 100)

  private func wander(
    _ kind: CellNoise.Kind, count: Int, seed: UInt64, _ load: (Int) -> Double = { _ in 0 }
  ) -> LoadWander {
    var cell = CellNoise(kind, seed: seed)
    var wander = LoadWander()
    for sample in 0..<count { wander.append(load(sample) + 10 * cell.next()) }
    return wander
  }

  @Test(arguments: [100, 500, 5000]) func noiseAloneIsNoWander(_ count: Int) {
    let found = (1...200).map { wander(.white, count: count, seed: $0).variance(in: 64, trust: 0, noise: Self.noise) }
    #expect(found.count { $0 > 0 } <= 30, "\(found.count { $0 > 0 })")
  }

  /// The mean of 64 samples is half of their drift behind, which counts as 1/√2 of it: rather too much than too little.
  @Test func theMeanOfADriftingLoadIsLessCertain() {
    let drift = 0.5
    let found = (1...20).map { seed in
      wander(.white, count: 1000, seed: seed) { drift * Double($0) }.variance(in: 64, trust: 0, noise: Self.noise)
    }
    let lag = 64 * drift / 2
    #expect(found.allSatisfy { (1...1.6).contains($0.squareRoot() / lag) }, "\(found)")
  }

  /// A line follows a drift, but not a load that wanders to and fro.
  @Test func aLineFollowsADriftOnly() {
    let steady = wander(.white, count: 1000, seed: 1) { 0.5 * Double($0) }
    #expect(steady.variance(in: 64, trust: 1, noise: Self.noise) == 0)
    var random = SplitMix64(seed: 2)
    var walk = 0.0
    let walking = wander(.white, count: 2000, seed: 3) { _ in
      walk += 2 * random.gaussian()
      return walk
    }
    #expect(walking.variance(in: 64, trust: 1, noise: Self.noise) > 0)
  }

  @Test func anotherLoadIsNoWander() {
    var cell = CellNoise(.white, seed: 4)
    var wander = LoadWander()
    for load in 0..<20 {
      wander.interrupt()
      for _ in 0..<40 { wander.append(Double(load) * 1000 + 10 * cell.next()) }
    }
    #expect(wander.variance(in: 64, trust: 0, noise: Self.noise) == 0)
  }
}

/// The noise of a load at rest, for the uncertainty of a mean.
@Suite struct NoiseCorrelationTests {
  private func learned(_ kind: CellNoise.Kind, count: Int, drift: Double = 0, seed: UInt64) -> SampleNoise? {
    var cell = CellNoise(kind, seed: seed)
    var correlation = NoiseCorrelation()
    for sample in 0..<count {
      correlation.append(400_000 + Double(sample) * drift + 40 * cell.next(), slope: drift)
    }
    return correlation.noise
  }

  /// The variance of a mean of many samples is 1, 2 and 3 times that of independent ones.
  @Test(arguments: [(CellNoise.Kind.white, 1.0), (.averaged, 2), (.persistent, 3)], [0.0, 10])
  func theUncertaintyOfAMeanIsLearned(_ cell: (kind: CellNoise.Kind, persistence: Double), _ drift: Double) throws {
    let found = try (1...40 as ClosedRange<UInt64>).map {
      let noise = try #require(learned(cell.kind, count: 1000, drift: drift, seed: $0))
      return noise.variance(inMeanOf: 1e6) / 1600
    }
    #expect((found.median / cell.persistence - 1).magnitude < 0.2, "\(found)")
  }

  /// After a hundred samples, the uncertainty is rarely much too small.
  @Test(arguments: [(CellNoise.Kind.white, 1.0), (.averaged, 2), (.persistent, 3)])
  func aHundredSamplesAreEnough(_ cell: (kind: CellNoise.Kind, persistence: Double)) throws {
    let found = try (1...200 as ClosedRange<UInt64>).map {
      let noise = try #require(learned(cell.kind, count: 100, seed: $0))
      return noise.variance(inMeanOf: 1e6) / 1600 / cell.persistence
    }
    #expect(found.count { $0 < 0.5 } <= 20, "\(found.count { $0 < 0.5 })")
    #expect(found.median < 1.5)
  }

  @Test func fewSamplesShowNothing() {
    #expect(learned(.white, count: 20, seed: 1) == nil)
  }
}
