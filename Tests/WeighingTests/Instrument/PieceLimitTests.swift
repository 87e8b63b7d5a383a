import Recordings
import Testing

@testable import Weighing

/// Counts near their limit through the whole scale: a piece is only just heavier than the uncertainty of the reading.
@Suite struct PieceLimitTests {
  /// What was seen.
  private struct Tally {
    var given = 0
    var wrong = 0
    var refused = 0
    var beyond = 0
    var placements = 0
    var wrongPlacements = 0
  }

  private static func tally(noise: Double, division: Double, masses: ClosedRange<Double>, runs: Int, seed: UInt64)
    throws
    -> Tally
  {
    var random = SplitMix64(seed: seed)
    var tally = Tally()
    for run in 0..<runs {
      var scale = try CellScale(.white, division: division, seed: seed &* 1000 &+ UInt64(run)) {
        $0.stability.motion = Grams(0.5)
      }
      scale.noise = noise
      scale.hold(40, for: 6)
      let box = 40 + 30 * random.unit()
      scale.hold(box, for: 4)
      scale.handle(.request(ActionRequest(action: .tare, source: .mqtt)))
      let mass = masses.lowerBound + (masses.upperBound - masses.lowerBound) * random.unit()
      let sample = 5 + Int(random.next() % 96)
      func load(_ pieces: Int) -> Double {
        (0..<pieces).reduce(box) { sum, _ in sum + mass * (1 + 0.02 * random.gaussian()) }
      }
      scale.hold(load(sample), for: 4)
      scale.handle(
        .request(
          ActionRequest(action: .count, parameters: .count(.sample(pieces: sample, spread: 0.02)), source: .mqtt)))
      guard scale.reading.instruments?.count != nil else {
        tally.refused += 1
        continue
      }
      for _ in 0..<12 {
        let pieces = 1 + Int(random.next() % 40)
        let grams = load(pieces)
        let changed = scale.time
        var (given, wrong) = (0, 0)
        scale.hold(grams, for: 4) { scale in
          guard scale.time > changed + 1, let count = scale.reading.instruments?.count else { return }
          guard let counted = count.pieces else {
            if scale.reading.isStable { tally.beyond += 1 }
            return
          }
          (given, wrong) = (given + 1, wrong + (counted == pieces ? 0 : 1))
        }
        tally.given += given
        tally.wrong += wrong
        tally.placements += given > 0 ? 1 : 0
        tally.wrongPlacements += wrong > 0 ? 1 : 0
      }
    }
    return tally
  }

  @Test(arguments: [(0.05, 0.01, 0.05...0.6), (0.2, 0.01, 0.2...2), (0.05, 0.1, 0.1...1), (0.02, 0.1, 0.1...0.5)])
  func fewerThanOneInAThousandIsWrong(noise: Double, division: Double, masses: ClosedRange<Double>) throws {
    let tally = try Self.tally(noise: noise, division: division, masses: masses, runs: 150, seed: 3)
    #expect(tally.given > 2000)
    #expect(tally.wrong * 1000 < tally.given, "\(tally)")
  }
}
