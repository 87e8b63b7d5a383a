import Recordings
import Testing

@testable import Weighing

/// Stops ahead of a target: when, how often, and what they teach.
@Suite struct StopAheadTests {
  /// A steady flow.
  struct Flow: CustomTestStringConvertible, Sendable {
    var rate: Double
    var flow: Double
    var deadTime: Double
    var noise = 0.03
    /// The largest median of |result - target| after five doses, in grams.
    var limit = 0.1
    var testDescription: String { "\(flow) g/s, \(deadTime) s, \(noise) g, \(rate) Hz" }
  }

  @Test(arguments: [
    Flow(rate: 10, flow: 2, deadTime: 0.3), Flow(rate: 10, flow: 2, deadTime: 1.2),
    Flow(rate: 20, flow: 2, deadTime: 0.1),
    Flow(rate: 40, flow: 2, deadTime: 0.8), Flow(rate: 80, flow: 2, deadTime: 0.5),
    Flow(rate: 10, flow: 0.5, deadTime: 0.5), Flow(rate: 20, flow: 8, deadTime: 0.4, limit: 0.25),
    Flow(rate: 20, flow: 2, deadTime: 0.5, noise: 0.3, limit: 0.4),
  ])
  func aSteadyFlowMeetsTheTargetAfterFiveDoses(_ flow: Flow) throws {
    var scale = try DosedScale(rate: flow.rate, noise: flow.noise, seed: UInt64(flow.rate))
    (scale.flow, scale.deadTime) = (flow.flow, flow.deadTime)
    var errors: [Double] = []
    for index in 0..<12 {
      let dosed = scale.dose(max(10, 5 * flow.flow), label: "beans")
      let dose = try #require(dosed)
      #expect(dose.reason == .reached && dose.learning == .learned, "\(dose)")
      if index >= 5 { errors.append((scale.fallen(at: .infinity) - dose.dose.target.mass.value).magnitude) }
    }
    #expect(errors.median <= flow.limit, "\(errors)")
  }

  @Test func aPlainTargetIsStoppedAheadOnceAndLearns() throws {
    var scale = try DosedScale()
    scale.deadTime = 0.7
    var errors: [Double] = []
    for _ in 0..<6 {
      scale.prepare()
      _ = scale.take()
      scale.ask(.target, .target(Target(mass: Grams(15), stopsAhead: true)), label: "tea")
      #expect(scale.machine.reading.instruments?.target?.stopsAhead == true)
      // A person starts the pour, and stops it at the sound.
      scale.pour(from: scale.time)
      var stop: TargetStop?
      while stop == nil, scale.time < 1000 {
        scale.sample()
        stop = scale.effects.stops.first
      }
      scale.endPour()
      scale.run(for: 6)
      let effects = scale.take()
      #expect(effects.stops.count == 1 && effects.learned.last?.label == "tea")
      errors.append((scale.fallen(at: .infinity) - 15).magnitude)
    }
    #expect(errors[0] > 0.5 && errors.suffix(3).allSatisfy { $0 < 0.15 }, "\(errors)")
  }

  @Test func aTargetThatIsNotStoppedAheadStaysSilent() throws {
    for (setting, request, expected) in [(false, nil, 0), (true, nil, 1), (true, false, 0), (false, true, 1)] {
      var scale = try DosedScale { $0.target.stopsAhead = setting }
      scale.prepare()
      scale.ask(.target, .target(Target(mass: Grams(10), stopsAhead: request)))
      scale.pour(from: scale.time)
      scale.run(for: 8)
      #expect(scale.take().stops.count == expected, "\(setting) \(String(describing: request))")
    }
  }

  @Test func aLoadThatIsPutOnIsNoStop() throws {
    for mass in [9.0, 12, 300] {
      var scale = try DosedScale()
      scale.prepare()
      scale.ask(.target, .target(Target(mass: Grams(10), stopsAhead: true)))
      scale.added = mass
      scale.run(for: 5)
      #expect(scale.take().stops.isEmpty, "\(mass)")
    }
  }

  @Test func theNextFillingIsStoppedAgain() throws {
    var scale = try DosedScale()
    scale.prepare()
    scale.ask(.target, .target(Target(mass: Grams(10), stopsAhead: true)))
    for _ in 0..<3 {
      scale.pour(from: scale.time)
      scale.run(for: 7)
      scale.endPour()
      scale.run(for: 4)
      scale.clearPour()
      scale.run(for: 4)
    }
    #expect(scale.take().stops.count == 3)
  }

  @Test func theStopComesBetweenTwoSamples() throws {
    var scale = try DosedScale(rate: 2, noise: 0.002)
    var offsets: [Double] = []
    for _ in 0..<4 {
      let dosed = scale.dose(20)
      let dose = try #require(dosed)
      #expect(dose.reason == .reached)
      let off = try #require(scale.switchings.last).time
      offsets.append((off * 2).truncatingRemainder(dividingBy: 1))
    }
    #expect(offsets.contains { (0.1...0.9).contains($0) }, "\(offsets)")
  }

  // MARK: Learning

  @Test func outliersDoNotMoveTheMedian() throws {
    var scale = try DosedScale()
    for _ in 0..<5 {
      let dose = scale.dose(20)
      #expect(dose?.learning == .learned)
    }
    let learned = scale.learned
    // Taken off, touched and stopped doses teach nothing.
    let faults: [(inout DosedScale) -> Void] = [
      { (scale: inout DosedScale) in if !scale.isOn { scale.added = -80 } },
      { (scale: inout DosedScale) in if !scale.isOn { scale.added = 7 } },
      { (scale: inout DosedScale) in if scale.fallen(at: scale.time) > 8 { scale.ask(.dose) } },
    ]
    for fault in faults {
      let dose = scale.dose(20, during: fault)
      #expect(dose?.learning == .nothing)
    }
    #expect(scale.learned == learned)
    #expect(try (#require(learned.first).typicalDeadTime - 0.5).magnitude < 0.1)
    // Another dead time is learned once three doses agree on it.
    scale.deadTime = 2
    for expected in [FinishedDose.Learning.outlier, .outlier, .learned] {
      #expect(scale.learned == learned)
      let dose = scale.dose(20)
      #expect(dose?.learning == expected)
    }
    #expect(try (#require(scale.learned.first).typicalDeadTime - 2).magnitude < 0.1)
  }

  /// A flow that goes on nearly until the limit, or beyond it.
  @Test(arguments: [9, 9.2, 9.4, 9.6, 9.8, 11]) func aFlowThatGoesOnTeachesNothing(end: Double) throws {
    var scale = try DosedScale()
    scale.prepare()
    _ = scale.take()
    scale.start(20)
    while scale.effects.stops.isEmpty, scale.time < 60 { scale.sample() }
    let stop = scale.time
    while scale.effects.finished.isEmpty, scale.time < stop + 12 {
      if scale.time < stop + end { scale.added += 0.05 }
      scale.sample()
    }
    let dose = try #require(scale.effects.finished.first)
    #expect(dose.reason == .reached && dose.learning == .nothing)
    let error = dose.result.map { $0.value - scale.fallen(at: .infinity) - scale.added }
    #expect((error ?? 0).magnitude < 0.3 && (end < 10 || error == nil), "\(dose)")
  }

  /// What is restored or configured after the target was set counts for it.
  @Test(arguments: [true, false]) func aTargetUsesWhatIsKnownSince(isRestored: Bool) throws {
    var scale = try DosedScale()
    scale.prepare()
    scale.ask(.target, .target(Target(mass: Grams(15), stopsAhead: true)))
    if isRestored {
      scale.handle(.restoreStops([LearnedStop(label: "", samples: [.init(flow: 2, arrived: Grams(2))])]))
    } else {
      scale.change { $0.target.deadTime = .seconds(1) }
    }
    _ = scale.take()
    scale.pour(from: scale.time)
    scale.run(for: 12)
    let stop = try #require(scale.take().stops.first)
    // One second of 2 g/s; 0.6 g with the dead time that was known before.
    #expect(((stop.predicted - stop.net).value - 2).magnitude < 0.2, "\(stop)")
  }

  /// The start of the flow is older than the samples that are kept.
  @Test(arguments: [10.0, 25]) func aLongFlowIsPredictedUntilItsEnd(rate: Double) {
    var predictor = StopPredictor(deadTime: .milliseconds(300), learned: nil, target: Grams(500))
    for index in 0..<2000 {
      let age = Double(index) / rate
      let time = Instant(nanoseconds: 0) + .seconds(age)
      predictor.append(.init(time: time, mass: 2 * age, weight: 1, variance: 0.001), isStill: false)
      guard age > 1 else { continue }
      let arriving = predictor.estimate(at: time)?.arriving ?? 0
      #expect((arriving - 0.6).magnitude < 0.05, "\(arriving) g after \(age) s")
    }
  }

  @Test func theCorrectionIsAtMostAFifthOfTheTarget() throws {
    let samples = [LearnedStop.Sample](repeating: LearnedStop.Sample(flow: 2, arrived: Grams(5.8)), count: 5)
    var scale = try DosedScale()
    scale.handle(.restoreStops([LearnedStop(label: "", samples: samples)]))
    scale.prepare()
    _ = scale.take()
    scale.start(10)
    scale.run(for: 12)
    let stop = try #require(scale.take().stops.first)
    // 0.3 s of 2 g/s, and 2 g; 5.8 g without the bound.
    #expect(((stop.predicted - stop.net).value - 2.6).magnitude < 0.2, "\(stop)")
  }

  @Test func whatWasLearnedIsRestoredAndForgotten() throws {
    var scale = try DosedScale()
    let stop = LearnedStop(
      label: "beans", samples: (1...7).map { LearnedStop.Sample(flow: 2, arrived: Grams(Double($0) / 5)) })
    let wrong = [(0, 1), (-1, 1), (2, 40), (.nan, 1), (2, -9), (.infinity, 1)]
      .map { LearnedStop.Sample(flow: $0, arrived: Grams($1)) }
    scale.handle(.restoreStops([stop, LearnedStop(label: "wrong", samples: wrong)]))
    #expect(scale.learned.map(\.label) == ["beans"])
    #expect(scale.learned.first?.samples == Array(stop.samples.suffix(5)))
    _ = scale.take()
    for expected in [1, 0] {
      scale.ask(.dose, .dose(.forget(label: "beans")))
      let effects = scale.take()
      #expect(effects.rejections == [nil] && effects.learned.count == expected)
    }
    #expect(scale.learned.isEmpty)
  }

  @Test func theScannedLabelIsThatOfADose() throws {
    var scale = try DosedScale()
    scale.prepare()
    if let code = ScannedCode("beans") { scale.handle(.scanned(code)) }
    scale.start(10)
    scale.run(for: 12)
    #expect(scale.machine.pendingLabel == "beans", "it waits for the weighing")
    #expect(scale.take().learned.map(\.label) == ["beans"])
  }
}

extension LearnedStop {
  /// The median of the dead times in seconds.
  fileprivate var typicalDeadTime: Double { samples.map { $0.arrived.value / $0.flow }.median }
}
