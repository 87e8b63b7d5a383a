import Testing
import Weighing

/// Appending to a list that is used again and again is the same as handing out a new one.
@Suite struct GivenListTests {
  @Test func theEffectsAreTheSame() {
    for seed in 1...40 {
      let script = RandomInputs(seed: UInt64(seed), count: 200)
      let start = script.inputs[0].time
      var handingOut = ScaleMachine(settings: ScaleSettings(), at: start)
      var appending = handingOut
      var effects: [Effect] = []
      for (time, input) in script.inputs {
        #expect(handingOut.nextDeadline == appending.nextDeadline)
        effects.removeAll(keepingCapacity: true)
        appending.handle(input, at: time, into: &effects)
        #expect(effects == handingOut.handle(input, at: time), "seed \(seed)")
        let later = time + .milliseconds(3)
        effects.removeAll(keepingCapacity: true)
        appending.advance(to: later, into: &effects)
        appending.checkInvariants()
        #expect(effects == handingOut.advance(to: later), "seed \(seed)")
      }
    }
  }

  @Test func whatIsInTheListAlreadyStays() {
    var scale = HandFedScale()
    scale.settle(100)
    var effects = scale.take()
    let before = effects
    scale.machine.handle(.refresh, at: scale.now, into: &effects)
    #expect(effects.starts(with: before))
    #expect(effects.count == before.count + 2)
  }

  /// The memory of a report is reused, but not while it is referenced.
  @Test func contactsThatAreHeldStand() {
    var scale = HandFedScale()
    scale.change { $0.publish.contacts = true }
    _ = scale.take()
    for counts in 1...20 {
      scale.frame(counts, 2 * counts)
      scale.wait(HandFedScale.period)
    }
    let reports = scale.take().contacts
    #expect(reports.map { $0.entries.map(\.contact.raw.counts) } == (1...20).map { [$0, 2 * $0] })
  }
}
