import Recordings
import Testing

@testable import Weighing

/// Masses that lie on one curve, and masses of which one does not.
@Suite struct SmoothResponseTests {
  private static func entries(
    _ masses: [Double], _ curve: ForceCurve, noise: Double, _ random: inout SplitMix64
  ) -> [SmoothResponse.Entry] {
    masses.map {
      .init(counts: curve.counts(at: $0 / 420) * 1023 + 0.15 * noise * random.gaussian(), mass: $0, spread: noise)
    }
  }

  @Test(arguments: [0.1, 0.5, 1.0]) func soundMassesLieOnOneCurve(noise: Double) {
    var random = SplitMix64(seed: 3)
    var worst = 0.0
    for masses in MistypedMassTests.sets {
      for curve in MistypedMassTests.curves {
        for _ in 0..<10 {
          worst = max(worst, SmoothResponse(Self.entries(masses, curve, noise: noise, &random)).misfit)
        }
      }
    }
    #expect(worst < 0.5)
  }

  /// The share of sets with one wrong mass that has to exceed what is expected; three masses alone prove nothing.
  @Test(arguments: [(factor: 1.18, told: 0.85), (factor: 0.85, told: 0.85), (factor: 1.1, told: 0.75)])
  func aWrongMassIsNoticed(factor: Double, told: Double) {
    var random = SplitMix64(seed: 4)
    var (count, noticed) = (0.0, 0.0)
    for masses in MistypedMassTests.sets where masses.count > 3 {
      for curve in MistypedMassTests.curves {
        for odd in masses.indices {
          var entries = Self.entries(masses, curve, noise: 0.5, &random)
          entries[odd].mass *= factor
          count += 1
          if SmoothResponse(entries).misfit > 1 { noticed += 1 }
        }
      }
    }
    #expect(noticed / count >= told, "\(noticed / count) of \(count)")
  }

  @Test func theWrongMassIsNamed() throws {
    let entries = [(125.0, 50.0), (250, 118), (500, 200), (750, 300), (962, 385)].map {
      SmoothResponse.Entry(counts: $0, mass: $1, spread: 0)
    }
    let response = SmoothResponse(entries)
    #expect(response.misfit > 1)
    let suspect = try #require(response.suspect)
    #expect(suspect.mass == 118)
    #expect((suspect.predicted - 100).magnitude < 1)
  }
}
