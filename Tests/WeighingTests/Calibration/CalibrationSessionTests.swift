import Recordings
import Testing
import Weighing

/// A calibration on a running scale: what is measured, what is refused, and what ends it.
@Suite struct CalibrationSessionTests {
  private typealias Bench = CalibrationBench

  @Test(arguments: UInt64(1)...4) func measuresWithinAGramWhileTheScaleWeighs(_ seed: UInt64) throws {
    var bench = try Bench(seed: seed)
    bench.measureAll()
    let outcome = try #require(bench.session.applicable(acceptingDoubt: false))
    #expect(SimulatedTrial().worst(outcome.choice.curve) < 1)
    #expect(bench.session.pad?.name == bench.pad.description.name)
    let readings = bench.effects.compactMap { if case .live(let reading) = $0 { reading } else { nil } }
    #expect(readings.contains { $0.state == .stable && $0.calibration == .nominal })
  }

  /// evdev is silent while a load rests: a session that starts then knows it from the scale.
  @Test func knowsALoadThatRestsAlready() throws {
    var physics = PadPhysics.typical
    physics.noiseCounts = 0
    var bench = try Bench(physics: physics, load: 100)
    bench.run(4)
    guard case .resting(let rest)? = bench.session.gauge?.state else {
      Issue.record("\(String(describing: bench.session.gauge?.state))")
      return
    }
    #expect((rest.counts - physics.counts(at: Grams(100))).magnitude < 2)
    bench.ask(.measure)
    bench.finish()
    guard case .answer(.implausible(_, .notEmpty))? = bench.session.note else {
      Issue.record("\(String(describing: bench.session.note))")
      return
    }
    bench.ask(.repeatStep)
    bench.ask(.measure)
    bench.run(40)
    guard case .answer(.unchanged)? = bench.session.note else {
      Issue.record("\(String(describing: bench.session.note))")
      return
    }
    bench.measure(nil)
    #expect(bench.session.procedure.index == 1)
  }

  // MARK: Refusals

  @Test func refusesTooFewMasses() throws {
    var bench = try Bench()
    bench.measure(nil)
    bench.measure(50)
    while bench.session.procedure.step != nil { bench.ask(.skip) }
    #expect(bench.refusal == .tooFew(given: 2))
    #expect(bench.session.applicable(acceptingDoubt: true) == nil)
    bench.ask(.select(2), isPossible: true)
    #expect(bench.session.outcome == nil)
  }

  @Test func refusesMassesThatAreSwapped() throws {
    var bench = try Bench()
    bench.measureAll(instead: [100: 200, 200: 100])
    #expect(bench.session.applicable(acceptingDoubt: true) == nil)
    #expect(["mistyped", "not_rising"].contains(bench.refusal?.code))
  }

  @Test func refusesALoadAboveTheRange() throws {
    var bench = try Bench()
    bench.measure(nil)
    bench.measure(600)
    #expect(bench.session.note == .answer(.aboveRange))
    #expect(bench.session.procedure.index == 1)
  }

  @Test func refusesALoadThatDoesNotRest() throws {
    var bench = try Bench()
    bench.measure(nil)
    bench.begin(50)
    for step in 0..<40 where bench.session.activity != .ready {
      bench.put(50 + Double(step % 3) * 20)
      bench.run(1)
    }
    guard case .answer(.unstable(_, .unstable(Grams(50), _)))? = bench.session.note else {
      Issue.record("\(String(describing: bench.session.note))")
      return
    }
    #expect(bench.session.procedure.states[1] == .open)
  }

  @Test func refusesAMassThatReadsDifferentlyAgain() throws {
    var bench = try Bench()
    for mass in [nil, 50.0, 100, 200, 300, 380, nil, 60] { bench.measure(mass) }
    guard case .answer(.implausible(_, .drifted(Grams(50), _, _, _)))? = bench.session.note else {
      Issue.record("\(String(describing: bench.session.note))")
      return
    }
    // The user has to decide first.
    bench.ask(.measure, isPossible: false)
    bench.ask(.keep)
    #expect(bench.refusal?.code == "drifted")
    bench.ask(.select(7), isPossible: true)
    bench.measure(50)
    #expect(bench.session.applicable(acceptingDoubt: false) != nil)
  }

  @Test func correctsAMistypedMass() throws {
    var bench = try Bench([50, 1000, 200, 300, 380].map { Grams($0) })
    bench.measureAll(instead: [1000: 100])
    #expect(bench.refusal?.suspect == Grams(1000))
    // The empty pad has no mass.
    bench.ask(.correct(step: 0, mass: Grams(5)), isPossible: false)
    bench.ask(.correct(step: 2, mass: Grams(100)), isPossible: true)
    #expect(bench.session.applicable(acceptingDoubt: false) != nil)
  }

  @Test func leavesADoubtToTheUser() throws {
    var bench = try Bench()
    bench.measureAll(instead: [200: 208])
    let outcome = try #require(try bench.session.outcome?.get())
    #expect(outcome.doubt?.code == "scattered")
    #expect(bench.session.applicable(acceptingDoubt: false) == nil)
    #expect(bench.session.applicable(acceptingDoubt: true) == outcome)
  }

  // MARK: Ends

  @Test func aGapStopsAMeasurementOnly() throws {
    var bench = try Bench()
    bench.measure(nil)
    bench.begin(50)
    bench.run(0.5, losingEvents: true)
    #expect(bench.session.note == .gap)
    #expect(bench.session.activity == .ready && bench.session.end == nil)
    bench.measure(50)
    #expect(bench.session.procedure.index == 2)
  }

  @Test func endsWithItsPad() throws {
    var bench = try Bench()
    bench.session.handle(.lost(reason: "unplugged"), at: bench.now)
    #expect(bench.session.end == .padLost("unplugged"))
    #expect(bench.session.gauge == nil && bench.session.nextDeadline == nil)
    bench.ask(.measure, isPossible: false)
  }

  /// Nothing was measured, so nothing is kept.
  @Test func endsWithoutItsUser() throws {
    var bench = try Bench()
    bench.isAttended = false
    bench.run(140)
    #expect(bench.session.end == nil)
    bench.run(11)
    #expect(bench.session.end == .abandoned)
  }

  /// The page is lost while it measures the second load: the first one is kept for the next page, at most for a day.
  @Test func keepsItsMeasurementsForAnotherUser() throws {
    var bench = try Bench()
    bench.measure(nil)
    bench.begin(50)
    let left = bench.now + CalibrationSession.patience
    bench.session.advance(to: left)
    #expect(!bench.session.isAttended && bench.session.end == nil)
    #expect(bench.session.activity == .ready && bench.session.note == .stopped)
    #expect(bench.session.nextDeadline == left + .seconds(86_400), "it wakes for nothing else")
    var forgotten = bench.session
    forgotten.advance(to: left + .seconds(86_399))
    #expect(forgotten.end == nil)
    forgotten.advance(to: left + .seconds(86_400))
    #expect(forgotten.end == .abandoned && !forgotten.isAttended)

    bench.session.extend(at: bench.now)
    #expect(bench.session.isAttended)
    bench.measureAll()
    #expect(bench.session.applicable(acceptingDoubt: false) != nil)
  }

  /// A calibration in use is not lost.
  @Test func endsWithoutItsUserOnceItIsInUse() throws {
    var bench = try Bench()
    bench.measureAll()
    bench.session.markApplied(try #require(bench.session.applicable(acceptingDoubt: false)).choice.curve)
    bench.session.advance(to: bench.now + CalibrationSession.patience)
    #expect(bench.session.end == .abandoned)
  }

  @Test func endsWhenTheSettingsChangeUnlessItChangedThem() throws {
    var bench = try Bench()
    bench.measureAll()
    var settings = bench.scale.settings
    settings.publish.heartbeat = .seconds(9)
    bench.session.configure(settings, at: bench.now)
    #expect(bench.session.end == nil)
    let curve = try #require(bench.session.applicable(acceptingDoubt: false)).choice.curve
    let old = settings.curve
    // Applied, undone and applied again.
    for new in [curve, old, curve] {
      bench.session.announce(new)
      settings.curve = new
      bench.session.configure(settings, at: bench.now)
      #expect(bench.session.end == nil)
      #expect((bench.session.gauge?.calibration?.origin == .user) == (new != nil))
    }
    settings.scale.capacity = Grams(300)
    bench.session.configure(settings, at: bench.now)
    #expect(bench.session.end == .reloaded)
  }

  // MARK: Verification and self-test

  @Test func verifiesBeforeItIsApplied() throws {
    var bench = try Bench()
    bench.measureAll()
    bench.put(150)
    bench.run(1)
    bench.ask(.verify(Grams(150), tolerance: nil), isPossible: true)
    bench.finish()
    let verification = try #require(bench.session.verification)
    #expect(verification.isWithinTolerance, "\(verification)")
    bench.put(170)
    bench.run(1)
    bench.ask(.verify(Grams(150), tolerance: Grams(2)))
    bench.finish()
    let wrong = try #require(bench.session.verification)
    #expect((try #require(wrong.error).value - 20).magnitude < 1)
    #expect(!wrong.isWithinTolerance)
    // Its certificate needs the calibration in use.
    bench.ask(.selfTest(Grams(200), rounds: 2, creepTime: .seconds(3)), isPossible: false)
  }

  /// The mass of the last step still lies on the pad, and is taken off first.
  @Test func verifiesAnotherMassThanTheLastOne() throws {
    var bench = try Bench()
    bench.measureAll()
    bench.ask(.verify(Grams(150), tolerance: nil), isPossible: true)
    bench.run(10)
    #expect(bench.session.verification == nil)
    bench.put(nil)
    bench.run(10)
    #expect(bench.session.verification == nil)
    bench.put(150)
    bench.finish()
    #expect(try #require(bench.session.verification).isWithinTolerance)
  }

  @Test func testsRepeatabilityZeroReturnAndCreep() throws {
    var bench = try Bench([], load: 200)
    bench.ask(.selfTest(Grams(200), rounds: 3, creepTime: .seconds(5)), isPossible: true)
    bench.run(6)
    guard case .testing(let loading, _) = bench.session.activity else {
      Issue.record("not testing")
      return
    }
    #expect(loading.task == .unload, "200 g are still on the pad")
    for _ in 1...3 {
      bench.put(nil)
      bench.run(6)
      bench.put(200)
      bench.run(6)
    }
    bench.run(5)
    bench.put(nil)
    bench.finish()
    let (test, mass, _) = try #require(bench.session.selfTest)
    #expect(mass == Grams(200) && test.loads.count == 3 && test.zeros.count == 4)
    #expect((5...7).contains(test.creep.count))
    #expect(test.passes, "\(test)")
  }

  @Test func aSelfTestNobodyAttendsToFails() throws {
    var bench = try Bench([])
    bench.ask(.selfTest(Grams(200), rounds: 2, creepTime: .seconds(3)))
    for _ in 0..<130 { bench.run(1) }
    #expect(bench.session.note == .failed(.unchanged))
    #expect(bench.session.selfTest == nil)
  }
}
