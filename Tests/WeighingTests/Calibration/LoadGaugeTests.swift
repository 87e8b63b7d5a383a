import Languages
import Recordings
import Testing
import Weighing

/// Loads on a simulated pad, measured one after the other as in a calibration.
struct SimulatedTrial {
  var physics = PadPhysics.typical
  var masses: [Double] = [50, 100, 200, 300, 380]
  var seed: UInt64 = 1
  var settings = ScaleSettings()
  /// Grams a second that come onto the pad all the time, on a plate of 20 g.
  var drip: Double?

  /// Ten seconds for each: on after one, off after nine; nothing first and last.
  func observations() throws -> [CalibrationObservation] {
    let loads = [0] + masses + [0]
    let length = Interval.seconds(Double(loads.count) * 10)
    var script = LoadScript()
    if let drip {
      let plate = script.place(Grams(20), at: .zero, speed: 0)
      script.drip(drip, into: plate, at: .milliseconds(500), for: length)
    }
    for (index, mass) in loads.enumerated() where mass > 0 {
      let thing = script.place(Grams(mass), at: .seconds(Double(index) * 10 + 1))
      script.remove(thing, at: .seconds(Double(index) * 10 + 9))
    }
    var pad = SimulatedPad(physics, script: script, seed: seed)
    var assembler = try FrameAssembler(pad: pad.description, axis: settings.axis)
    var gauge = LoadGauge(settings: settings, time: .seconds(3), at: pad.start)
    gauge.handle(.padFound(pad.description), at: pad.start)
    var observations: [CalibrationObservation] = []
    var events: [InputEvent] = []
    while observations.count < loads.count {
      events.removeAll(keepingCapacity: true)
      let now = pad.next(into: &events)
      for event in events {
        if let frame = assembler.handle(event) { gauge.handle(.frame(frame), at: frame.time) }
      }
      gauge.advance(to: now)
      guard now - pad.start >= .seconds(Double(observations.count) * 10 + 8.9) else { continue }
      switch gauge.state {
      case .resting(let rest), .settling(let rest):
        observations.append(CalibrationObservation(mass: Grams(loads[observations.count]), rest: rest))
      case .noPad(let reason): throw Lost(reason: "\(reason ?? "no pad")")
      }
    }
    return observations
  }

  struct Lost: Error { var reason: String }

  func trial() throws -> CalibrationTrial {
    CalibrationTrial(
      observations: try observations(), capacity: settings.scale.capacity, division: settings.scale.division)
  }

  /// How far a curve is off at most, up to the heaviest mass or as far as the scale weighs, in grams.
  func worst(_ curve: CalibrationCurve) -> Double {
    (0...385).map {
      (curve.mass(at: RawForce(Int(physics.counts(at: Grams(Double($0))).rounded()))).value - Double($0))
    }
    .map(\.magnitude).max() ?? 0
  }
}

@Suite struct LoadGaugeTests {
  @Test func itMeasuresLoadsAtRest() throws {
    let trial = SimulatedTrial()
    let seen = try trial.observations()
    for observation in seen {
      let truth = trial.physics.counts(at: observation.mass)
      #expect((observation.rest.counts - truth).magnitude < 1, "\(observation)")
      #expect(observation.rest.duration >= .seconds(3))
      if observation.mass > .zero {
        #expect((1...2).contains(observation.rest.spread), "noise of 1.5 counts: \(observation)")
        #expect(observation.rest.deviation < 0.15)
      }
    }
  }

  /// The promise of `calibrate`: five masses, and within a gram all over the range.
  @Test(arguments: UInt64(1)...20) func fiveMassesAreWithinAGram(_ seed: UInt64) throws {
    let simulated = SimulatedTrial(seed: seed)
    let outcome = try simulated.trial().outcome()
    let worst = simulated.worst(outcome.choice.curve)
    // A count is 0.4 g: half of that is the rounding of the truth to a count.
    #expect(worst < 1, "\(worst) g, \(outcome.choice.sentence)")
    #expect(outcome.choice.curve.residual.value < 1)
  }

  /// What readings carry as the calibration's uncertainty is about what the curve is off by, between its points.
  @Test func theResidualIsHonest() throws {
    var (squares, residuals) = (0.0, 0.0)
    for seed in UInt64(1)...20 {
      let simulated = SimulatedTrial(seed: seed)
      let curve = try simulated.trial().outcome().choice.curve
      let misses = stride(from: 5.0, through: 380, by: 5).map { grams in
        curve.mass(atCounts: simulated.physics.counts(at: Grams(grams))) - grams
      }
      squares += misses.reduce(0) { $0 + $1 * $1 } / Double(misses.count) / 20
      residuals += curve.residual.value * curve.residual.value / 20
    }
    let ratio = (residuals / squares).squareRoot()
    #expect((0.7...3).contains(ratio), "\(residuals.squareRoot()) g said, \(squares.squareRoot()) g true")
  }

  @Test func aPadThatDripsIsRefused() throws {
    let simulated = SimulatedTrial(masses: [50, 100, 200, 300], drip: 0.05)
    let refusal = try #require(throws: CalibrationError.self) { try simulated.trial().outcome() }
    guard case .drifted(let mass, _, _, _) = refusal else {
      Issue.record("\(refusal)")
      return
    }
    #expect(mass == .zero)
  }

  @Test func aPadThatRunsAwayNeverRests() throws {
    let simulated = SimulatedTrial(masses: [50, 100, 200, 300], drip: 1)
    let refusal = try #require(throws: CalibrationError.self) { try simulated.trial().outcome() }
    guard case .unstable = refusal else {
      Issue.record("\(refusal)")
      return
    }
  }

  @Test func aMistypedMassIsTold() throws {
    var trial = try SimulatedTrial().trial()
    trial.observations[2].mass = Grams(150)
    let refusal = try #require(throws: CalibrationError.self) { try trial.outcome() }
    #expect(refusal.sentence.description.contains("150 g"))
    #expect(refusal.sentence.description.contains("mistyped"))
  }
}
