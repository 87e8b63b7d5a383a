import Recordings
import TestExtent
import Testing
import Weighing

/// Random users: they put on what they like and press every button in any order.
@Suite struct CalibrationSessionPropertyTests {
  private static func request(_ random: inout SplitMix64) -> CalibrationSession.Request {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<10: .measure
    case 10: .keep
    case 11: .repeatStep
    case 12: .skip
    case 13: .select(Int.random(in: -1...9, using: &random))
    case 14:
      .correct(step: Int.random(in: 0...8, using: &random), mass: Grams(Double.random(in: 1...400, using: &random)))
    case 15: .choose(CurveShape.allCases.randomElement(using: &random))
    case 16: .verify(Grams(100), tolerance: nil)
    case 17: .selfTest(Grams(100), rounds: 2, creepTime: .seconds(2))
    case 18: .stop
    default: .measure
    }
  }

  /// A refused trial is never applied, no request breaks the steps, and the session ends without its user.
  @Test(arguments: Extent.of(UInt64(1)..<25)) func neverAppliesARefusedFit(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var bench = try CalibrationBench([100, 200, 380].map { Grams($0) }, seed: seed)
    let count = bench.session.procedure.steps.count
    for _ in 0..<40 {
      let isCareful = Int.random(in: 0..<4, using: &random) > 0
      let wanted = bench.session.procedure.step?.mass.value ?? 0
      bench.put(isCareful ? (wanted > 0 ? wanted : nil) : [nil, 50, 120, 600].randomElement(using: &random) ?? nil)
      bench.run(Double.random(in: 0.2...2, using: &random))
      bench.ask(Self.request(&random))
      bench.run(Double.random(in: 0.2...5, using: &random), losingEvents: Int.random(in: 0..<20, using: &random) == 0)
      if Int.random(in: 0..<60, using: &random) == 0 { bench.session.handle(.lost(reason: "pulled"), at: bench.now) }
      let procedure = bench.session.procedure
      #expect(procedure.steps.count == count && procedure.states.count == count)
      #expect((0...count).contains(procedure.index))
      if let applicable = bench.session.applicable(acceptingDoubt: true) {
        #expect(try procedure.trial.outcome() == applicable)
        #expect(procedure.objection == nil)
        bench.session.markApplied(applicable.choice.curve)
      } else if bench.refusal != nil {
        bench.session.markApplied(
          (try? CalibrationCurve(
            shape: .linear, points: [.init(counts: 0, mass: .zero), .init(counts: 9, mass: Grams(9))])))
        #expect(bench.session.appliedCurve == nil)
      }
    }
    bench.isAttended = false
    bench.run(CalibrationSession.patience.seconds + 1)
    #expect(!bench.session.isAttended)
    bench.session.advance(to: bench.now + CalibrationSession.keepingTime)
    #expect(bench.session.end != nil && bench.session.gauge == nil)
  }
}
