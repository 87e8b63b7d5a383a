import Languages
import Recordings
import Testing
import Weighing

/// The curve that foretells left-out points best.
@Suite struct CurveChoiceTests {
  private func choice(_ points: [(Int, Double)], _ asked: CurveShape? = nil) throws -> CurveChoice {
    try CurveChoice(points: points.map { point($0.0, $0.1) }, asked: asked, tolerance: Grams(0.1))
  }

  @Test func aStraightPadKeepsTheUsualCurve() throws {
    let choice = try choice([0, 100, 300, 600, 1000].map { ($0, Double($0) * 0.4) })
    #expect(choice.curve.shape == .monotone)
    #expect(choice.scores.allSatisfy { $0.error.map { $0.value < 1e-6 } == true })
    #expect(choice.sentence.description.contains("monotone 0.00 g"))
  }

  @Test func noiseOnAStraightPadIsAveraged() throws {
    var random = SplitMix64(seed: 5)
    let choice = try choice((0...20).map { ($0 * 50, Double($0) * 20 + random.gaussian() * 3) })
    #expect(choice.curve.shape == .polynomial)
    #expect(choice.reason == .best)
    #expect(choice.sentence.description.hasPrefix("polynomial, the best fit; leave-one-out error"))
  }

  @Test func aBendIsFollowed() throws {
    let pad = PadPhysics.typical
    let masses = [0.0, 50, 100, 200, 300, 385]
    let choice = try choice(masses.map { (Int(pad.counts(at: Grams($0)).rounded()), $0) })
    #expect(choice.curve.shape != .linear)
  }

  @Test func threePointsTellNothing() throws {
    let choice = try choice([(0, 0), (300, 100), (900, 385)])
    #expect(choice.curve.shape == .monotone)
    #expect(choice.reason == .tooFewToTell)
    #expect(choice.curve.residual == .zero)
  }

  @Test(arguments: CurveShape.allCases) func whatIsAskedForIsTaken(_ shape: CurveShape) throws {
    let choice = try choice([(0, 0), (300, 100), (600, 230), (900, 385)], shape)
    #expect(choice.curve.shape == shape)
    #expect(choice.reason == .asked)
    #expect(choice.scores.count == CurveShape.allCases.count)
  }

  /// The choice never foretells worse than the others by more than what does not matter.
  @Test(arguments: UInt64(1)...40) func itIsTheBest(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var pad = PadPhysics.ideal
    pad.curve = random.next() % 2 == 0 ? .divider(3 * random.unit()) : .power(0.6 + 0.4 * random.unit())
    let masses = [0.0, 20, 50, 100, 200, 300, 385].filter { $0 == 0 || random.unit() > 0.2 } + [400]
    let points = masses.map { mass in
      CalibrationPoint(counts: max(pad.counts(at: Grams(mass)) + 0.3 * random.gaussian(), 0), mass: Grams(mass))
    }
    let choice = try CurveChoice(points: points, tolerance: Grams(0.1))
    let errors = choice.scores.compactMap { $0.error?.value }
    let own = choice.scores.first { $0.shape == choice.curve.shape }?.error?.value
    if let own { #expect(own <= (errors.min() ?? 0) + 0.1) } else { #expect(choice.reason == .tooFewToTell) }
    // What the readings carry as the calibration's uncertainty is half of it.
    #expect((choice.curve.residual.value - (own ?? 0) / 2).magnitude < 1e-9)
  }
}
