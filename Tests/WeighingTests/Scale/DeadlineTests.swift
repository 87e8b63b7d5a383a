import Testing
import Weighing

/// The machine says when it wants to be called; in between it sleeps.
@Suite struct DeadlineTests {
  /// How often the machine wants to be called within an interval, when it is called just then.
  private func wakes(_ scale: inout HandFedScale, _ interval: Interval) -> Int {
    let end = scale.now + interval
    var count = 0
    while let due = scale.machine.nextDeadline, due <= end, count < 100_000 {
      scale.wait(due - scale.now)
      count += 1
    }
    scale.wait(end - scale.now)
    return count
  }

  @Test func anEmptyPadWakesForHeartbeatsOnly() {
    var scale = HandFedScale()
    #expect(scale.machine.isAtRest)
    #expect(wakes(&scale, .seconds(60)) == 12)
    scale.settle(300)
    scale.frame()
    scale.wait(.milliseconds(200))
    #expect(scale.machine.isAtRest)
    #expect(wakes(&scale, .seconds(60)) == 12)
  }

  @Test func noPadWakesForHeartbeatsOnly() {
    var scale = HandFedScale()
    scale.settle(300)
    scale.handle(.padLost("unplugged"))
    scale.wait(.seconds(1))
    #expect(scale.machine.isAtRest)
    #expect(wakes(&scale, .seconds(60)) == 12)
  }

  /// A load at rest causes a few wake-ups to observe the silence, then only heartbeats.
  @Test(arguments: [ScaleSettings.Surface.contacts, .platter])
  func aSilentLoadLetsTheMachineSleep(_ surface: ScaleSettings.Surface) {
    var settings = ScaleSettings()
    settings.surface = surface
    var scale = HandFedScale(settings)
    scale.settle(100)
    scale.settle(300)
    #expect(wakes(&scale, .seconds(60)) <= 12 + 12)
    #expect(scale.machine.isAtRest)
    #expect(wakes(&scale, .seconds(60)) == 12)
  }

  @Test func nothingIsDueThatIsOver() {
    for seed in 1...30 {
      let script = RandomInputs(seed: UInt64(seed), count: 150)
      var machine = ScaleMachine(settings: ScaleSettings(), at: script.inputs[0].time)
      for (time, input) in script.inputs {
        _ = machine.handle(input, at: time)
        var rounds = 0
        while let due = machine.nextDeadline, due <= time, rounds < 5 {
          _ = machine.advance(to: time)
          rounds += 1
        }
        // The first reading of a new pad waits for what follows at the same moment.
        if case .padFound = input { #expect(rounds <= 1) } else { #expect(rounds == 0, "seed \(seed)") }
      }
    }
  }

  /// A day of silence in one call.
  @Test func aLongSilenceIsMadeUpFor() {
    var scale = HandFedScale()
    scale.frame(300)
    scale.wait(.seconds(86_400))
    let effects = scale.take()
    #expect(effects.settled.count == 1)
    #expect((17_280...17_300).contains(effects.live.count))
    #expect(scale.reading.printable == "150 g")
    scale.settle(500)
    #expect(scale.reading.printable == "250 g")
  }

  /// A moment before one that was handed in counts as that one.
  @Test func timeDoesNotGoBack() {
    var scale = HandFedScale()
    scale.settle(300)
    let before = scale.reading.time
    scale.now = scale.now + .seconds(-60)
    scale.frame(400)
    #expect(scale.reading.time >= before)
    scale.wait(.seconds(62))
    #expect(scale.reading.printable == "200 g")
  }
}
