import Recordings
import Testing

@testable import Weighing

/// What a rejected count says: the smallest sample that is enough, or why none is.
@Suite struct PieceSampleTests {
  private static func isEnough(_ pieces: Int, of mass: Double, _ uncertainty: Double, _ spread: Double) -> Bool {
    let sample = try? PieceCounter(
      sample: Grams(mass * Double(pieces)), uncertainty: Grams(uncertainty), pieces: pieces, spread: spread)
    return sample != nil
  }

  /// By trying every number up to a thousand.
  @Test func theNumberIsTheSmallestThatIsEnough() {
    var random = SplitMix64(seed: 7)
    var found = 0
    for _ in 0..<2000 {
      let uncertainty = Double.random(in: 0.01...1, using: &random)
      let mass = uncertainty * Double.random(in: 5...12, using: &random)
      let spread = Double.random(in: 0...0.14, using: &random)
      guard !Self.isEnough(1, of: mass, uncertainty, spread) else { continue }
      let smallest = (1...1000).first { Self.isEnough($0, of: mass, uncertainty, spread) }
      let sample = PieceSample(net: Grams(mass), uncertainty: Grams(uncertainty), pieces: 1, spread: spread)
      let advice = sample.advice(limit: Grams(1000.5 * mass), isCalibrated: true)
      if let smallest {
        found += 1
        #expect(advice == .sampleTooSmall(pieces: smallest), "\(mass) \(uncertainty) \(spread)")
      } else if case .sampleTooSmall(let pieces) = advice {
        Issue.record("\(pieces) of \(mass) \(uncertainty) \(spread)")
      }
    }
    #expect(found > 500, "\(found)")
  }

  /// A piece a little lighter than the least mass cannot be counted with any sample, one a little heavier can.
  @Test(arguments: [(0.3, 0.02), (0.3, 0.0), (0.05, 0.1), (2.0, 0.05)])
  func theLeastMassCanJustBeCounted(_ uncertainty: Double, _ spread: Double) throws {
    let limit = 385.0
    let light = PieceSample(net: Grams(uncertainty), uncertainty: Grams(uncertainty), pieces: 1, spread: spread)
    guard case .pieceTooLight(let least) = light.advice(limit: Grams(limit), isCalibrated: true) else {
      Issue.record("no least mass")
      return
    }
    func canBeCounted(_ mass: Double) -> Bool {
      (1...Int(limit / mass)).contains { Self.isEnough($0, of: mass, uncertainty, spread) }
    }
    #expect(canBeCounted(least.value * 1.001) && !canBeCounted(least.value * 0.97))
  }

  @Test(arguments: [
    (0.2, 0.3, true, RejectionDetail.spreadTooLarge(maximum: 0.15)),
    (0.2, 0.02, false, .padNotCalibrated),
  ])
  func noSampleIsEnough(_ mass: Double, _ spread: Double, _ isCalibrated: Bool, _ detail: RejectionDetail) {
    let sample = PieceSample(net: Grams(10 * mass), uncertainty: Grams(0.3), pieces: 10, spread: spread)
    #expect(sample.advice(limit: Grams(385), isCalibrated: isCalibrated) == detail)
  }

  /// The number goes to the caller, and is enough when it is taken.
  @Test func theNumberIsEnoughOnTheScale() throws {
    func ask(_ pieces: Int) -> ScaleMachine.Input {
      let parameters = ActionArguments.count(.sample(pieces: pieces, spread: 0.02))
      return .request(ActionRequest(action: .count, parameters: parameters, source: .mqtt))
    }
    var found: (counts: Int, number: Int)?
    for counts in 1...40 {
      var scale = HandFedScale()
      scale.settle(counts)
      scale.handle(ask(1))
      let effects = scale.take()
      let details = effects.results.compactMap(\.detail)
      #expect(details.count == effects.rejections.compactMap(\.self).count, "each rejection says what to do")
      #expect(
        effects.events.compactMap { if case .rejected(_, _, let detail) = $0 { detail } else { nil } } == details)
      if case .sampleTooSmall(let number)? = details.first { found = (counts, number) }
    }
    let (counts, number) = try #require(found)
    #expect(number > 1)
    for pieces in [number - 1, number] {
      var scale = HandFedScale()
      scale.settle(counts * pieces)
      scale.handle(ask(pieces))
      #expect(scale.take().rejections == [pieces == number ? nil : .belowMinimum], "\(pieces) of \(counts) counts")
    }
  }
}
