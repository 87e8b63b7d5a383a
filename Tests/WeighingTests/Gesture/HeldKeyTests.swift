import Testing
import Weighing

/// Keys and buttons: the ring fills with time.
@Suite struct HeldKeyTests {
  private func scale() -> HandFedScale {
    var scale = HandFedScale()
    scale.settle(200)
    _ = scale.take()
    return scale
  }

  @Test(arguments: [(1900, false), (1999, false), (2000, true), (2100, true), (60_000, true)])
  func itFiresWhenHeldLongEnough(_ milliseconds: Int, _ fires: Bool) {
    var scale = scale()
    scale.key(.pressed)
    scale.wait(.milliseconds(milliseconds))
    #expect(scale.take().drafts.isEmpty)
    scale.key(.released)
    let effects = scale.take()
    #expect(effects.nets == (fires ? [100] : []))
    #expect(effects.drafts.allSatisfy { $0.request.source == .button })
    scale.wait(.seconds(10))
    #expect(scale.take().drafts.isEmpty)
  }

  @Test func theRingFillsAtTheLiveInterval() {
    var scale = scale()
    let pressed = scale.now
    scale.key(.pressed)
    scale.wait(.seconds(3))
    let effects = scale.take()
    #expect(effects.states == [.updating, .selected, .confirmed])
    #expect((20...24).contains(effects.gestures.count))
    #expect(effects.gestures.last?.time == pressed + .seconds(2))
    #expect(effects.gestures.last?.preview?.reading?.net?.steps == 100)
    #expect(effects.feedback == [.selected, .confirmed])
    #expect(scale.machine.isAtRest, "a full ring waits for the hand alone")
    for report in effects.gestures {
      #expect((report.intention - (report.time - pressed).seconds / 2).magnitude < 1e-6)
    }
    scale.key(.released)
    #expect(scale.take().states == [.idle])
  }

  struct Disturbance: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var fires = false
    var net = 100
    var happen: @Sendable (inout HandFedScale) -> Void
  }

  @Test(arguments: [
    Disturbance(testDescription: "a second key") { $0.key(.pressed, 2, action: "tare") },
    Disturbance(testDescription: "its device is lost") { $0.key(.lost) },
    Disturbance(testDescription: "a finger in a zone") { $0.show(.load(200), .finger(0.1)) },
    Disturbance(testDescription: "the pad is lost") { $0.handle(.padLost("unplugged")) },
    Disturbance(testDescription: "pressed again", fires: true) { $0.key(.pressed) },
    Disturbance(testDescription: "another key comes up", fires: true) { $0.key(.released, 2) },
    Disturbance(testDescription: "another key is lost", fires: true) { $0.key(.lost, 2) },
    Disturbance(testDescription: "another load", fires: true, net: 150) { $0.show(.load(300)) },
    Disturbance(testDescription: "the load is lifted") { $0.show() },
  ])
  func whileItIsHeld(_ disturbance: Disturbance) {
    var scale = scale()
    scale.key(.pressed)
    scale.wait(.seconds(1))
    disturbance.happen(&scale)
    scale.wait(.seconds(3))
    scale.key(.released)
    scale.key(.released, 2)
    #expect(scale.take().nets == (disturbance.fires ? [disturbance.net] : []))
  }

  @Test func aFingerThatPressesIsCancelledAndNeitherFires() {
    var scale = scale()
    for height in [0.8, 0.5] { scale.show(.load(200), .finger(1, at: height)) }
    scale.key(.pressed)
    scale.wait(.seconds(3))
    scale.key(.released)
    scale.show(.load(200))
    scale.wait(.seconds(3))
    #expect(scale.take().drafts.isEmpty)
  }

  /// A load put down just before is no press that the key would cancel.
  @Test func aLoadThatStillGrowsDoesNotEatTheKey() {
    var scale = HandFedScale(pad: .plain)
    scale.settle(200)
    _ = scale.take()
    scale.hold(260, for: .milliseconds(40))
    scale.key(.pressed)
    scale.hold(260, for: .seconds(2))
    scale.key(.released)
    #expect(scale.take().nets == [130])
  }

  @Test func aKeyNeedsNoPad() {
    var scale = HandFedScale(pad: nil)
    scale.handle(.padLost("none"))
    scale.key(.pressed, action: "void")
    scale.wait(.seconds(2))
    scale.key(.released, action: "void")
    #expect(scale.take().drafts.map(\.kind) == [.void(.last)])
  }

  /// Whatever the times are set to, a held key comes to an end of deadlines.
  @Test(arguments: [1, 7, 2000, 60_000], [0.001, 0.97, 1])
  func deadlinesEnd(_ hold: Int, _ threshold: Double) {
    var settings = ScaleSettings()
    settings.confirm.hold = .milliseconds(hold)
    settings.confirm.threshold = threshold
    settings.publish.liveMaximum = SampleRate(1e9)
    settings.publish.heartbeat = .seconds(86_400)
    var scale = HandFedScale(settings, pad: nil)
    scale.handle(.padLost("none"))
    scale.key(.pressed, action: "void")
    var count = 0
    while let due = scale.machine.nextDeadline, due <= scale.now + .seconds(61), count < 100_000 {
      scale.wait(due - scale.now)
      count += 1
    }
    #expect(count <= hold / 10 + 10)
    #expect(scale.take().states.last == .confirmed)
  }
}
