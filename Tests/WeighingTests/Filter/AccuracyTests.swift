import Recordings
import Testing
import Weighing

/// The requirement: a 1,023-count pad at 125 Hz, five points on a bent response, noise of 1.5 counts.
@Suite struct AccuracyTests {
  /// Each gram once a hand.
  static let seeds = 1
  static let hands = [40, 150, 400].map(Interval.milliseconds)

  /// The curve itself must leave room for the rest.
  @Test func theCurveIsRightToAThirdOfAGram() throws {
    let physics = PadPhysics.required
    let curve = try #require(try physics.calibrated().curve)
    let worst = (5...385).map { mass in
      (curve.mass(at: RawForce(Int(physics.counts(at: Grams(Double(mass))).rounded()))).value
        - physics.force(at: physics.counts(at: Grams(Double(mass))).rounded()).value).magnitude
    }
    #expect(worst.max() ?? 9 < 0.3)
  }

  @Test(arguments: hands)
  func everyLoadSettlesWithinAGram(_ hand: Interval) throws {
    var delays: [Double] = []
    var problems: [String] = []
    for (index, mass) in (5...380).enumerated() {
      for seed in 0..<Self.seeds {
        let weighed = try Weighed(
          Double(mass), physics: .required, settings: try PadPhysics.required.calibrated(),
          seed: UInt64(index * 100 + seed), hand: hand)
        delays.append(weighed.delay)
        if !(weighed.displayedError <= 1) { problems.append("\(mass) g ends \(weighed.displayedError) off") }
        if !(weighed.worstStable <= 3) { problems.append("\(mass) g stable while \(weighed.worstStable) off") }
        if weighed.settled == nil { problems.append("\(mass) g never settled") }
      }
    }
    #expect(problems.isEmpty, "\(problems)")
    #expect(delays.median <= 0.45, "median \(delays.median) s, 95 % \(delays.quantile(0.95)) s")
  }
}
