import Languages
import Recordings
import TestExtent
import Testing
import Weighing

/// A press that was shown as confirmed fires, or is rejected with a reason, once; nothing fires that was not shown so.
@Suite struct ConfirmedPressTests {
  private static let perBatch = 100

  /// Ten thousand presses on random pads: in zones, on loads, with keys; by constant and by trembling forces; with gaps,
  /// wrong samples, second fingers, and loads that change.
  @Test(arguments: Extent.of(0..<100))
  func everyConfirmedPressFiresOrSaysWhy(_ batch: Int) {
    var (confirmed, fired, details) = (0, 0, Set<String>())
    for index in 0..<Self.perBatch {
      let seed = UInt64(batch * Self.perBatch + index)
      var trial = PressTrial(seed: seed)
      let ledger = trial.run()
      #expect(ledger.faults.isEmpty, "seed \(seed), \(trial): \(ledger.faults.prefix(2)) \(ledger.course)")
      confirmed += ledger.confirmed
      fired += ledger.fired
      details.formUnion(ledger.details)
    }
    // The presses are worth something only where most of them are confirmed, and much goes wrong with the others.
    #expect(confirmed > Self.perBatch / 2 && fired > Self.perBatch / 4, "\(confirmed) \(fired)")
    #expect(details.count >= 6, "\(details)")
  }

  /// A load that is put on another one and stays is no press that failed, although the ring was full for a while.
  @Test(arguments: ScaleSettings.Surface.allCases) func aLoadThatStaysIsNotRejected(_ surface: ScaleSettings.Surface) {
    var (scale, base) = AddedForceTests.loaded(surface)
    scale.frame(base + 400)
    scale.wait(.seconds(60))
    scale.frame(base)
    scale.wait(.seconds(5))
    let effects = scale.take()
    #expect(effects.states == [.selected, .confirmed, .idle])
    #expect(effects.results.isEmpty && effects.drafts.isEmpty)
  }

  /// Zero and tare set with the load that was taken for a press.
  @Test(arguments: [Action.zero, .tare]) func aZeroedLoadIsNotReleased(_ action: Action) {
    var (scale, base) = AddedForceTests.loaded(.platter)
    scale.frame(base + 400)
    scale.wait(.seconds(4))
    scale.ask(action)
    scale.frame(base + 401)
    scale.wait(.seconds(8))
    #expect(scale.take().rejections == [nil])
  }

  struct Failure: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var reason: Rejection
    var text: String
    var source = ActionSource.pad
    var pad = PadDescription.slots()
    var press: @Sendable (inout HandFedScale) -> Void
  }

  private static func confirm(_ scale: inout HandFedScale) {
    for height in [0.8, 0.5] { scale.show(.load(200), .finger(1, at: height)) }
    scale.wait(.milliseconds(200))
  }

  private static func add(_ scale: inout HandFedScale, _ milliseconds: Int = 600) {
    scale.frame(200 + 350)
    scale.wait(.milliseconds(milliseconds))
  }

  private static let failures: [Failure] = [
    Failure(
      testDescription: "a constant force", reason: .expired,
      text: "the force stayed the same for 1.5 s, like that of an object; press for a shorter time"
    ) { scale in
      for step in 0...20 { scale.show(.load(200), .finger(1, at: 0.8 - 0.02 * Double(step))) }
      scale.wait(.milliseconds(1600))
      scale.lift(.load(200))
    },
    Failure(
      testDescription: "never released", reason: .expired, text: "the press was not released within 10 s"
    ) { scale in
      confirm(&scale)
      scale.wait(.seconds(11))
    },
    Failure(
      testDescription: "lifted at once", reason: .unstable,
      text: "the finger was lifted too soon or while it moved; hold it still before you lift it"
    ) { scale in
      for height in [0.8, 0.5] { scale.show(.load(200), .finger(1, at: height)) }
      scale.show(.load(200))
    },
    Failure(testDescription: "slid sideways", reason: .unstable, text: "the finger left the zone sideways") { scale in
      confirm(&scale)
      scale.show(.load(200), .finger(1, at: 0.5, x: 0.6, fromX: 0.95))
    },
    Failure(
      testDescription: "a second finger", reason: .unstable, text: "a second finger or a key interrupted the press"
    ) { scale in
      confirm(&scale)
      scale.show(.load(200), .finger(1, at: 0.5), .finger(1, serial: 3))
    },
    Failure(testDescription: "a gap", reason: .unstable, text: "events were lost during the press") { scale in
      confirm(&scale)
      scale.show(.load(200), .finger(1, at: 0.5), gap: true)
    },
    Failure(
      testDescription: "other settings", reason: .unstable, text: "the settings or the pad changed during the press"
    ) { scale in
      confirm(&scale)
      scale.change { $0.confirm.threshold = 0.9 }
    },
    Failure(testDescription: "an unplugged pad", reason: .padMissing, text: "the pad is not connected") { scale in
      confirm(&scale)
      scale.handle(.padLost("unplugged"))
    },
    Failure(
      testDescription: "an unplugged key", reason: .unstable, text: "events were lost during the press", source: .button
    ) { scale in
      scale.key(.pressed)
      scale.wait(.seconds(3))
      scale.key(.lost)
    },
    Failure(
      testDescription: "added force that stays too long", reason: .expired,
      text: "the press was not released within 2 s", pad: .plain
    ) { scale in
      for step in 0..<30 {
        scale.frame(550 + step % 2 * 12)
        scale.wait(.milliseconds(100))
      }
      scale.frame(200)
    },
    Failure(
      testDescription: "added force that stays the same", reason: .expired,
      text: "the force stayed the same for 2 s, like that of an object; press for a shorter time", pad: .plain
    ) { scale in
      add(&scale, 2200)
      scale.frame(200)
    },
    Failure(
      testDescription: "another load remains", reason: .unstable,
      text: "the force did not return to that of the load before the press", pad: .plain
    ) { scale in
      add(&scale)
      scale.frame(240)
    },
    Failure(testDescription: "the load is lifted, too", reason: .empty, text: "nothing is on the pad", pad: .plain) {
      add(&$0)
      $0.frame()
    },
    Failure(
      testDescription: "a press and half a press", reason: .unstable,
      text: "one of two presses was too short or too long", pad: .plain
    ) { scale in
      for time in [600, 200] {
        add(&scale, time)
        scale.frame(200)
        scale.wait(.milliseconds(200))
      }
    },
    Failure(
      testDescription: "three presses", reason: .unstable,
      text: "a third press followed two at once; pause between presses", pad: .plain
    ) { scale in
      for _ in 0..<3 {
        add(&scale)
        scale.frame(200)
        scale.wait(.milliseconds(200))
      }
    },
  ]

  @Test(arguments: failures) func whatIsSaid(_ failure: Failure) throws {
    var scale = HandFedScale(pad: failure.pad)
    scale.settle(200)
    _ = scale.take()
    failure.press(&scale)
    scale.wait(.seconds(5))
    let effects = scale.take()
    #expect(effects.drafts.isEmpty && effects.tares.isEmpty)
    #expect(effects.states.last == .idle && effects.feedback.last == .ended)
    let result = try #require(effects.results.first)
    #expect(effects.results.count == 1 && result.request.source == failure.source)
    #expect(result.rejection == failure.reason && result.detail?.sentence.description == failure.text)
    let rejected = effects.events.compactMap { event in
      if case .rejected(_, let reason, let detail) = event { "\(reason) \(detail.sentence)" } else { nil }
    }
    #expect(rejected == ["\(failure.reason) \(failure.text)"])
  }

  /// Sliding back before the finger is lifted is a choice, and no failure.
  @Test func slidingBackIsNotRejected() {
    var scale = HandFedScale()
    scale.settle(200)
    for height in [0.8, 0.5, 0.8] { scale.show(.load(200), .finger(1, at: height)) }
    scale.lift(.load(200))
    #expect(scale.take().results.isEmpty)
  }

  /// On a pad with coarse steps a constant value is no evidence of an object: a finger holds it for a while, too.
  @Test(arguments: [(0.2, 1.4, true), (0.2, 1.7, false), (2, 1.7, true), (2, 3, false), (5, 9, true)])
  func coarseStepsNeedMoreTime(_ grams: Double, _ seconds: Double, _ fires: Bool) throws {
    var settings = ScaleSettings()
    settings.curve = try CalibrationCurve(
      shape: .linear,
      points: [
        CalibrationPoint(raw: .zero, mass: .zero), CalibrationPoint(raw: RawForce(100), mass: Grams(100 * grams)),
      ])
    var scale = HandFedScale(settings, pad: .slots(maximum: 4000, countsPerGram: 0))
    let (load, finger) = (Contact.load(Int(100 / grams)), 180 / grams / 346)
    // The noise is learned as none.
    for _ in 0..<20 {
      scale.show(load)
      scale.wait(.seconds(2))
      scale.frame()
      scale.wait(.seconds(1))
    }
    scale.show(load)
    scale.wait(.seconds(2))
    _ = scale.take()
    for step in 0...20 { scale.show(load, .finger(finger, at: 0.8 - 0.02 * Double(step))) }
    scale.wait(.seconds(seconds) + .milliseconds(-300))
    scale.lift(load)
    #expect(scale.take().drafts.isEmpty != fires)
  }
}
