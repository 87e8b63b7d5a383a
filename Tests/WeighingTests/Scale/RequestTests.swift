import Testing
import Weighing

/// Tare, clear and zero: done at rest, or refused with a reason and nothing changed.
@Suite struct RequestTests {
  @Test func aTareMakesTheNetZero() throws {
    var scale = HandFedScale()
    scale.settle(147)
    _ = scale.take()
    scale.ask(.tare, identifier: 42)
    let effects = scale.take()
    let result = try #require(effects.results.first)
    #expect(result.rejection == nil && result.request.identifier == 42 && result.time == scale.now)
    #expect(result.reading == scale.reading)
    #expect(scale.reading.printable == "0 g")
    #expect(scale.reading.highResolution == .zero)
    #expect(scale.reading.tareEpoch == 1)
    #expect(effects.events == [.tared(scale.reading.tare)])
    scale.ask(.clearTare)
    #expect(scale.take().events == [.tareCleared])
    #expect(scale.reading.tareEpoch == 2)
    #expect(scale.reading.tare.steps == 0 && scale.reading.net == scale.reading.gross)
  }

  @Test func aTareTwiceIsATareOnce() {
    var scale = HandFedScale()
    scale.settle(147)
    scale.ask(.tare)
    var once = scale.reading
    scale.ask(.tare)
    #expect(scale.take().rejections == [nil, nil])
    #expect(scale.reading.tareEpoch == 2)
    once.tareEpoch = 2
    #expect(scale.reading == once)
  }

  @Test func itWaitsForRest() {
    var scale = HandFedScale()
    scale.frame(200)
    scale.ask(.tare)
    #expect(scale.take().results.isEmpty)
    scale.wait(.milliseconds(600))
    #expect(scale.take().rejections == [nil])
    #expect(scale.reading.tare.steps == 100)
  }

  /// Never at rest: refused when the settle time is over, and not before.
  @Test(arguments: [500, 2000])
  func itGivesUpAfterTheSettleTime(_ settle: Int) {
    var settings = ScaleSettings()
    settings.confirm.settle = .milliseconds(settle)
    var scale = HandFedScale(settings)
    scale.frame(100)
    let asked = scale.now
    scale.ask(.tare)
    for index in 0..<400 where scale.now - asked < .milliseconds(3000) {
      scale.hold(index % 2 == 0 ? 100 : 300, for: .milliseconds(64))
    }
    let effects = scale.take()
    #expect(effects.rejections == [.unstable])
    #expect(effects.results.first?.time == asked + .milliseconds(settle))
    #expect(effects.events.contains(.rejected("tare", .unstable, .notAtRest(within: .milliseconds(settle)))))
    #expect(scale.reading.tareEpoch == 0)
  }

  struct Refusal: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var action: Action
    var reason: Rejection
    var prepare: @Sendable (inout HandFedScale) -> Void
  }

  @Test(arguments: [
    Refusal(testDescription: "tare on nothing", action: .tare, reason: .empty) { _ in },
    Refusal(testDescription: "tare in overload", action: .tare, reason: .overload) { $0.settle(900) },
    Refusal(testDescription: "zero in overload", action: .zero, reason: .overload) { $0.settle(900) },
    Refusal(testDescription: "tare of less than nothing", action: .tare, reason: .empty) {
      $0.settle(300)
      $0.ask(.zero)
      $0.settle(200)
    },
    Refusal(testDescription: "clear without a tare", action: .clearTare, reason: .noTare) { $0.settle(200) },
    Refusal(testDescription: "tare without a pad", action: .tare, reason: .padMissing) {
      $0.settle(200)
      $0.handle(.padLost("unplugged"))
    },
    Refusal(testDescription: "zero without a pad", action: .zero, reason: .padMissing) {
      $0.handle(.padLost("unplugged"))
    },
  ])
  func whatCannotBeDoneIsRefusedAtOnce(_ refusal: Refusal) throws {
    var scale = HandFedScale()
    refusal.prepare(&scale)
    _ = scale.take()
    let before = scale.reading
    scale.ask(refusal.action, identifier: 7)
    let effects = scale.take()
    #expect(effects.rejections == [refusal.reason])
    let detail = try #require(effects.results.first?.detail)
    #expect(effects.events == [.rejected(refusal.action.rawValue, refusal.reason, detail)])
    var after = scale.reading
    (after.time, after.uncertainty) = (before.time, before.uncertainty)
    #expect(after == before)
    scale.wait(.seconds(5))
    #expect(scale.take().results.isEmpty, "answered once")
  }

  @Test func aTareOutlivesThePad() {
    var scale = HandFedScale()
    scale.settle(200)
    scale.ask(.tare)
    scale.handle(.padLost("unplugged"))
    scale.ask(.clearTare)
    #expect(scale.take().rejections == [nil, nil])
    #expect(scale.reading.tare.steps == 0)
  }

  @Test func severalAreAnsweredInTheirOrder() {
    var scale = HandFedScale()
    scale.frame(200)
    scale.ask(.tare, identifier: 1)
    scale.ask(.clearTare, identifier: 2)
    scale.ask(.zero, identifier: 3)
    scale.ask(.tare, identifier: 4)
    #expect(scale.take().results.isEmpty)
    scale.wait(.seconds(1))
    let results = scale.take().results
    #expect(results.map(\.request.identifier) == [1, 2, 3, 4])
    #expect(results.map(\.rejection) == [nil, nil, nil, .empty])
    #expect(results.map(\.reading.tareEpoch) == [1, 2, 3, 3])
  }

  @Test func aLiftWhileWaitingIsAnAnswer() {
    var scale = HandFedScale()
    scale.frame(200)
    scale.ask(.tare)
    scale.frame()
    #expect(scale.take().rejections == [.empty])
  }

  @Test func aLostPadWhileWaitingIsAnAnswer() {
    var scale = HandFedScale()
    scale.frame(200)
    scale.ask(.tare)
    scale.ask(.zero)
    scale.handle(.padLost("unplugged"))
    #expect(scale.take().rejections == [.padMissing, .padMissing])
  }

  @Test func changedSettingsDoNotLoseARequest() {
    var scale = HandFedScale()
    scale.frame(200)
    scale.ask(.tare)
    scale.change { $0.stability.time = .milliseconds(500) }
    scale.wait(.milliseconds(450))
    #expect(scale.take().results.isEmpty, "the new time counts from the change")
    scale.wait(.milliseconds(200))
    #expect(scale.take().rejections == [nil])
  }
}
