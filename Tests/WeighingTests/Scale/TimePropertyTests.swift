import Recordings
import Testing
import Weighing

/// What happens depends on what is handed in, and not on how often anybody looks or when time began.
@Suite struct TimePropertyTests {
  private func run(
    _ script: RandomInputs, shift: Interval = .zero, advancing: inout SplitMix64, extra: Bool
  ) -> [Effect] {
    var now = script.inputs[0].time + shift
    var machine = ScaleMachine(settings: ScaleSettings(), at: now)
    var effects: [Effect] = []
    var answered = 0
    for (time, input) in script.inputs {
      let time = time + shift
      while extra, now < time, advancing.next() % 3 != 0 {
        now = now + Interval(nanoseconds: Int64(advancing.next() % UInt64((time - now).nanoseconds + 1)))
        effects += machine.advance(to: now)
      }
      effects += machine.handle(input.shifted(by: shift), at: time)
      now = time
      // The journal answers once more is known, whenever the draft was made.
      for draft in Array(effects[answered...]).drafts {
        effects += machine.handle(.recorded(CommitTests.outcome(draft, shift: shift)), at: time)
      }
      answered = effects.count
    }
    return effects + machine.advance(to: now + .seconds(12))
  }

  @Test func extraLooksChangeNothing() {
    for seed in 1...60 {
      let script = RandomInputs(seed: UInt64(seed), count: 200)
      var random = SplitMix64(seed: UInt64(seed))
      let plain = run(script, advancing: &random, extra: false)
      let looked = run(script, advancing: &random, extra: true)
      #expect(plain.count > 5)
      let difference = zip(plain, looked).first { $0 != $1 }
      #expect(plain.count == looked.count && difference == nil, "seed \(seed): \(String(describing: difference))")
    }
  }

  @Test(arguments: [-5_000_000_000, 1, 1_700_000_000_000_000_000])
  func anotherStartOfTimeShiftsOnlyTimes(_ nanoseconds: Int64) {
    for seed in 1...30 {
      let script = RandomInputs(seed: UInt64(seed), count: 200)
      var random = SplitMix64(seed: 0)
      let shift = Interval(nanoseconds: nanoseconds)
      let plain = run(script, advancing: &random, extra: false)
      let shifted = run(script, shift: shift, advancing: &random, extra: false)
      #expect(shifted == plain.map { $0.shifted(by: shift) }, "seed \(seed)")
    }
  }

  @Test func effectsComeInTheOrderOfTime() {
    for seed in 1...30 {
      var random = SplitMix64(seed: 0)
      let effects = run(RandomInputs(seed: UInt64(seed), count: 200), advancing: &random, extra: false)
      let times = effects.map(\.time)
      #expect(times == times.sorted(), "seed \(seed)")
    }
  }
}
