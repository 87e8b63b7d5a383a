import Testing
import Weighing

/// Every way in which a dose ends, and every reason for which it does not start.
@Suite struct DoseEndTests {
  /// What happens during a dose, and how it ends.
  struct Ending: CustomTestStringConvertible, Sendable {
    var reason: FinishedDose.Reason
    var name: String
    /// The longest time from the fault to the end, in seconds.
    var delay = 0.0
    var hasResult = false
    var target = 40.0
    var fault: @Sendable (inout DosedScale) -> Void
    var testDescription: String { "\(reason): \(name)" }
  }

  @Test(arguments: [
    Ending(reason: .reached, name: "the target", delay: 10, hasResult: true) { _ in },
    Ending(reason: .reached, name: "a load beyond the target", delay: 0.25, hasResult: true) { $0.added = 60 },
    Ending(reason: .stopped, name: "a request", hasResult: true) { $0.ask(.dose) },
    Ending(reason: .padLost, name: "unplugged") { $0.handle(.padLost("unplugged")) },
    Ending(reason: .padLost, name: "plugged in again") { $0.replug() },
    Ending(reason: .padSuspect, name: "silent", delay: 0.75) { $0.wait(3) },
    Ending(reason: .padSuspect, name: "frozen", delay: 3) { $0.freeze(for: 4) },
    Ending(reason: .overload, name: "an overload", delay: 0.25) { $0.added = 2500 },
    Ending(reason: .noFlow, name: "an empty hopper", delay: 7, hasResult: true) { $0.flow = 0 },
    Ending(reason: .tooFast, name: "an open valve", delay: 2, hasResult: true, target: 300) { $0.flow = 60 },
    Ending(reason: .lifted, name: "a lifted vessel", delay: 0.25) { $0.added = -100 },
    Ending(reason: .targetChanged, name: "another target") { $0.ask(.target, .target(Target(mass: Grams(9)))) },
    Ending(reason: .targetChanged, name: "no target") { $0.ask(.target) },
    Ending(reason: .targetChanged, name: "a tare") { $0.ask(.tare, .tare(.mass(Grams(1)))) },
    Ending(reason: .targetChanged, name: "no tare") { $0.ask(.clearTare) },
    Ending(reason: .configuration, name: "another division") { $0.change { $0.scale.minimum = Grams(5) } },
    Ending(reason: .configuration, name: "no outputs") { $0.change { $0.outputs = [] } },
    Ending(reason: .configuration, name: "another dead time") { $0.change { $0.target.deadTime = .seconds(1) } },
    Ending(reason: .configuration, name: "another calibration") { $0.change { $0.curve = nil } },
    Ending(reason: .configuration, name: "the topic of an output, which only the edges know") { $0.change { _ in } },
    Ending(reason: .shutdown, name: "a shutdown") { $0.handle(.shutdown) },
    Ending(reason: .disconnected, name: "a lost connection", hasResult: true) {
      $0.handle(.connection(isConnected: false))
    },
    Ending(reason: .disconnected, name: "another connection", hasResult: true) {
      $0.handle(.connection(isConnected: true))
    },
    Ending(reason: .refused, name: "a refusal", hasResult: true) {
      if let output = DosedScale.grinder { $0.handle(.outputRefused(output)) }
    },
  ])
  func everyEndSwitchesTheOutputOff(_ ending: Ending) throws {
    var scale = try DosedScale()
    scale.prepare()
    scale.start(ending.target)
    scale.run(for: 4)
    #expect(scale.isOn && scale.take().switchings == [false, true])
    #expect(scale.machine.reading.instruments?.target?.dose == .running)
    let begin = scale.time
    ending.fault(&scale)
    while scale.isOn, scale.time < begin + 20 { scale.sample() }
    let off = try #require(scale.switchings.last).time
    #expect(off <= begin + ending.delay + 0.1 + 10 * (ending.reason == .reached && ending.delay > 1 ? 1 : 0))
    scale.run(for: 11)
    let effects = scale.take()
    let dose = try #require(effects.finished.first)
    #expect(effects.finished.count == 1 && dose.reason == ending.reason)
    #expect((dose.result != nil) == ending.hasResult, "\(String(describing: dose.result))")
    #expect(!effects.switchings.contains(true) && effects.switchings.last == false)
    #expect((dose.learning == .learned) == (ending.name == "the target"))
    #expect(scale.ledger.faults.isEmpty, "\(scale.ledger.faults)")
    #expect(scale.machine.reading.instruments?.target?.dose == nil)
  }

  @Test func aDoseLastsAMinuteAtMost() throws {
    var scale = try DosedScale()
    scale.flow = 0.3
    scale.prepare()
    scale.start(100)
    let begin = scale.time
    scale.run(for: 75)
    let dose = try #require(scale.take().finished.first)
    #expect(dose.reason == .timeout && dose.result != nil && dose.learning == .nothing)
    #expect(try (#require(scale.switchings.last).time - begin - 60).magnitude < 0.01)
  }

  @Test func aVesselThatIsLiftedAtTheStartEndsADose() throws {
    for samples in 0..<4 {
      var scale = try DosedScale()
      scale.prepare()
      scale.start(40)
      for _ in 0..<samples { scale.sample() }
      scale.added = -100
      scale.run(for: 0.5)
      #expect(!scale.isOn && scale.take().finished.map(\.reason) == [.lifted], "after \(samples)")
    }
  }

  /// A line goes through as many samples of a slow pad.
  @Test(arguments: [2.0, 5, 10, 80]) func aFlowThatIsTooFastIsSeenAtEveryRate(_ rate: Double) throws {
    var scale = try DosedScale(rate: rate)
    scale.flow = 40
    scale.prepare()
    scale.start(1000)
    scale.run(for: 20)
    #expect(scale.take().finished.map(\.reason) == [.tooFast])
    #expect(scale.fallen(at: .infinity) < 40 * (2 + 12 / rate))
  }

  @Test func aStopPrecedesRequestsThatWait() throws {
    var scale = try DosedScale()
    scale.prepare()
    scale.start(20)
    scale.run(for: 3)
    _ = scale.take()
    scale.ask(.commit)
    #expect(scale.isOn && scale.take().rejections.isEmpty, "the load moves")
    scale.ask(.dose)
    #expect(!scale.isOn && scale.take().rejections == [nil])
    scale.run(for: 12)
    for step in 0..<20 {
      if step == 10 { scale.start(50) }
      scale.added = Double(step)
      scale.sample()
    }
    _ = scale.take()
    scale.ask(.dose)
    #expect(scale.take().rejections == [.unstable, nil], "the dose that waits is stopped, too")
    scale.run(for: 5)
    #expect(!scale.take().switchings.contains(true))
  }

  @Test func aDoseThatWaitsDoesNotStartOnAnotherPad() throws {
    var scale = try DosedScale()
    scale.prepare()
    for step in 0..<20 {
      if step == 10 { scale.start(50) }
      scale.added = Double(step)
      scale.sample()
    }
    #expect(scale.take().switchings == [false])
    scale.handle(.padFound(.otherCell))
    #expect(scale.take().rejections == [.unstable])
    scale.run(for: 8)
    #expect(scale.take().switchings.isEmpty)
  }

  @Test func aWrongSampleDoesNotStopADose() throws {
    for off in [30.0, -30, 300] {
      var scale = try DosedScale()
      scale.prepare()
      scale.start(40)
      scale.run(for: 4)
      scale.sample(off: off)
      scale.run(for: 2)
      #expect(scale.isOn, "\(off)")
      scale.run(for: 25)
      let dose = try #require(scale.take().finished.first)
      #expect(dose.reason == .reached)
      #expect(try (#require(dose.result).value - 40).magnitude < 1, "\(String(describing: dose.result))")
    }
  }

  @Test(arguments: [false, true])
  func everyConnectionSwitchesTheOutputsOff(_ isRunning: Bool) throws {
    var scale = try DosedScale { $0.outputs += ["pump"].compactMap { OutputName($0) }.map { Output(name: $0) } }
    #expect(scale.take().switchings == [false, false])
    scale.prepare()
    if isRunning { scale.start(20) }
    scale.run(for: 1)
    _ = scale.take()
    scale.handle(.connection(isConnected: false))
    #expect(scale.take().switchings == (isRunning ? [false] : []))
    scale.run(for: 1)
    scale.handle(.connection(isConnected: true))
    #expect(scale.take().switchings == [false, false])
    scale.change { $0.outputs.removeLast() }
    #expect(scale.take().switchings == [false], "a removed output")
  }

  // MARK: Starts

  /// Why a dose does not start.
  struct Refusal: CustomTestStringConvertible, Sendable {
    var rejection: Rejection
    var target = 10.0
    var prepare: @Sendable (inout DosedScale) -> Void
    var testDescription: String { "\(rejection)" }
  }

  @Test(arguments: [
    Refusal(rejection: .unknownOutput) { $0.change { $0.outputs = [] } },
    Refusal(rejection: .brokerUnavailable) { $0.handle(.connection(isConnected: false)) },
    Refusal(rejection: .busy) { $0.start(20) },
    Refusal(rejection: .busy) {
      $0.start(20)
      $0.run(for: 2)
      $0.ask(.dose)
    },
    Refusal(rejection: .atTarget) { $0.added = 10 },
    Refusal(rejection: .atTarget) { $0.added = 9.95 },
    Refusal(rejection: .overload) { $0.added = 2500 },
    Refusal(rejection: .padMissing) { $0.handle(.padLost("unplugged")) },
    Refusal(rejection: .badPayload, target: 2001) { _ in },
  ])
  func aDoseThatCannotStartIsRejected(_ refusal: Refusal) throws {
    var scale = try DosedScale()
    scale.prepare()
    refusal.prepare(&scale)
    let isPadThere = refusal.rejection != .padMissing
    if isPadThere { scale.run(for: refusal.rejection == .busy ? 0.1 : 2) }
    _ = scale.take()
    scale.start(refusal.target)
    if isPadThere { scale.run(for: 3) }
    let effects = scale.take()
    #expect(effects.rejections == [refusal.rejection])
    #expect(!effects.switchings.contains(true))
  }

  @Test func aLoadThatMovesIsRejected() throws {
    var scale = try DosedScale()
    scale.prepare()
    _ = scale.take()
    scale.start(30)
    scale.ask(.dose)
    _ = scale.take()
    scale.run(for: 14)
    var step = 0.0
    for index in 0..<40 {
      if index == 10 { scale.start(30) }
      step += 1
      scale.added = step * 2
      scale.sample()
    }
    #expect(scale.take().rejections == [.unstable])
  }

  @Test func anEmptyPadIsRejectedAndAnEmptyPlateIsNot() throws {
    guard let output = DosedScale.grinder else { return }
    var settings = ScaleSettings()
    settings.outputs = [Output(name: output)]
    var pad = HandFedScale(settings)
    pad.handle(.connection(isConnected: true))
    let start = ActionRequest(
      action: .dose, parameters: .dose(.start(Dose(output: output, target: Target(mass: Grams(20))))), source: .mqtt)
    pad.handle(.request(start))
    pad.wait(.seconds(3))
    #expect(pad.take().rejections == [.empty])
    pad.settle(100)
    pad.handle(.request(start))
    pad.handle(.request(ActionRequest(action: .dose, source: .mqtt)))
    #expect(pad.take().rejections == [.atTarget, nil], "50 g on it")

    var plate = try DosedScale()
    plate.base = 0
    plate.prepare()
    _ = plate.take()
    plate.start(5)
    #expect(plate.take().rejections == [nil])
    plate.run(for: 16)
    #expect(plate.take().finished.map(\.reason) == [.reached])
    plate.clearPour()
    plate.run(for: 3)
    plate.ask(.tare, .tare(.mass(Grams(50))))
    _ = plate.take()
    plate.start(5)
    #expect(plate.take().rejections == [.empty], "the vessel whose tare is set is not there")
  }
}

extension DosedScale {
  /// Changes the settings with a closure.
  mutating func change(_ body: (inout ScaleSettings) -> Void) {
    var settings = machine.settings
    body(&settings)
    handle(.settings(settings))
  }
}
