import Recordings
import Testing

@testable import Weighing

/// One wrong mass among right ones, on pads of all kinds.
@Suite struct MistypedMassTests {
  static let curves: [ForceCurve] = [
    .linear, .power(0.6), .power(0.75), .power(0.9), .divider(0.3), .divider(0.6), .divider(1), .divider(2),
    .divider(3),
  ]
  static let sets: [[Double]] = [
    [50, 100, 200], [50, 100, 200, 385], [20, 50, 100, 200], [20, 50, 100, 200, 350],
    [50, 100, 150, 200, 250, 300, 350], [100, 200, 300, 380], [10, 20, 50, 100, 200, 385], [70, 140, 210, 280, 350],
  ]

  private static func entries(
    _ masses: [Double], _ curve: ForceCurve, _ random: inout SplitMix64
  ) -> [MistypedMass.Entry] {
    masses.map { .init(counts: curve.counts(at: $0 / 420) * 1023 + 0.15 * random.gaussian(), mass: $0) }
  }

  @Test func soundMassesAreNeverAccused() {
    var random = SplitMix64(seed: 1)
    var accused: [String] = []
    for masses in Self.sets {
      for curve in Self.curves {
        for _ in 0..<20 where MistypedMass(Self.entries(masses, curve, &random)).found() != nil {
          accused.append("\(curve) \(masses)")
        }
      }
    }
    #expect(accused.isEmpty, "\(accused.count): \(accused.prefix(3))")
  }

  /// The share that has to be told at least, and that may be laid on another mass at most.
  @Test(arguments: [
    (factor: 10, told: 0.9, wrong: 0.02), (factor: 0.1, told: 0.85, wrong: 0.02), (factor: 2, told: 0.8, wrong: 0.02),
    (factor: 0.5, told: 0.8, wrong: 0.02), (factor: 1.2, told: 0.6, wrong: 0.09),
    (factor: 0.8, told: 0.65, wrong: 0.09),
  ])
  func mistypedOnesAreTold(factor: Double, told: Double, wrong: Double) {
    var random = SplitMix64(seed: 2)
    var (count, right, other) = (0.0, 0.0, 0.0)
    for masses in Self.sets {
      for curve in Self.curves {
        for odd in masses.indices {
          var entries = Self.entries(masses, curve, &random)
          entries[odd].mass *= factor
          count += 1
          guard let found = MistypedMass(entries).found() else { continue }
          if found.index == odd { right += 1 } else { other += 1 }
        }
      }
    }
    #expect(right / count >= told, "\(right / count) of \(count) told")
    #expect(other / count <= wrong, "\(other / count) laid on another")
  }

  @Test func itForetellsTheRightMass() throws {
    let entries = [(125.0, 50.0), (250, 1000), (500, 200), (962, 385)].map { MistypedMass.Entry(counts: $0, mass: $1) }
    let found = try #require(MistypedMass(entries).found())
    #expect(found.index == 1)
    #expect((found.predicted - 100).magnitude < 0.1)
  }
}
