import Testing
import Weighing

/// What holds for every reading and every answer, whatever happens.
@Suite struct InvariantTests {
  @Test(arguments: 1...80)
  func everyReadingMakesSense(_ seed: UInt64) {
    let script = RandomInputs(seed: seed, count: 250)
    var machine = ScaleMachine(settings: ScaleSettings(), at: script.inputs[0].time)
    var effects: [Effect] = []
    var asked: [UInt64] = []
    var faults: [String] = []
    for (time, input) in script.inputs {
      switch input {
      case .request(let request), .replaceActions(_, let request): asked.append(request.identifier)
      case .padFound, .padLost, .frame, .button, .recorded, .settings, .journalLost, .journalRecovered, .refresh,
        .restore, .restoreContainers, .restoreStops, .connection, .outputRefused, .history, .shutdown, .pairing,
        .scanned:
        break
      }
      let new = machine.handle(input, at: time)
      effects += new
      for draft in new.drafts { effects += machine.handle(.recorded(CommitTests.outcome(draft)), at: time) }
      faults += Self.faults(in: machine.reading)
    }
    let end = script.inputs[script.inputs.count - 1].time + .seconds(20)
    let last = machine.advance(to: end)
    effects += last
    for draft in last.drafts { effects += machine.handle(.recorded(CommitTests.outcome(draft)), at: end) }
    for reading in effects.live + effects.settled + effects.results.map(\.reading) {
      faults += Self.faults(in: reading)
    }
    for reading in effects.settled where reading.state != .stable || reading.uncertainty == nil {
      faults.append("settled \(reading)")
    }
    #expect(faults.isEmpty, "\(faults.prefix(3))")
    // Those of presses and keys have no identifier.
    let answered = effects.results.map(\.request.identifier).filter { $0 != 0 }
    #expect(answered.sorted() == asked.sorted(), "every request is answered once")
    #expect(effects.weighings == effects.results.compactMap(\.weighing), "and every record told of once")
    #expect(effects.drafts.allSatisfy(Self.isCertain), "\(effects.drafts.filter { !Self.isCertain($0) })")
    for report in effects.gestures {
      faults += report.preview?.reading.map { $0.isStable && report.intention >= 0.25 ? [] : ["preview \($0)"] } ?? []
    }
    let rejected = effects.events.filter { if case .rejected = $0 { true } else { false } }
    #expect(rejected.count == effects.rejections.filter { $0 != nil }.count)
    // The tare epoch counts, and only up.
    let epochs = effects.compactMap { effect -> Int? in
      switch effect {
      case .live(let reading), .reading(let reading), .settled(let reading): reading.tareEpoch
      case .event(let event): event.tareEpoch
      case .result(let result): result.reading.tareEpoch
      case .contacts, .gesture, .control, .feedback, .record, .weighing, .lastWeighing, .actions, .memory, .padWarning,
        .sampling, .containers, .containerChange, .pendingLabel, .output, .learnedStops, .learnedStopChange:
        nil
      }
    }
    #expect(epochs == epochs.sorted())
    #expect(machine.tareEpoch == effects.events.filter(Self.countsAsEpoch).count)
  }

  /// A net under the minimum, a gross under zero or an unknown uncertainty is never recorded.
  private static func isCertain(_ draft: WeighingDraft) -> Bool {
    guard case .weighing(let measurement) = draft.kind else { return true }
    return measurement.uncertainty != nil && measurement.net.mass.magnitude >= Grams(2)
      && measurement.gross.mass >= Grams(-2)
  }

  private static func countsAsEpoch(_ kind: ScaleEvent.Kind) -> Bool {
    switch kind {
    case .tared, .tareCleared, .zeroed: true
    case .rejected, .voided, .relabelled, .overload, .padLost, .padFound, .calibrated, .reloaded, .journalLoss,
      .journalRecovered,
      .padSuspect, .targetReached, .timerStarted, .timerStopped, .recalled, .pairing, .scanned,
      .targetStop, .doseStarted, .dosed:
      false
    }
  }

  private static func faults(in reading: Reading) -> [String] {
    var faults: [String] = []
    func must(_ rule: Bool, _ name: String) { if !rule { faults.append("\(name): \(reading)") } }
    let offline = reading.state == .offline
    must((reading.net == nil) == (reading.isOverloaded || offline), "net")
    must((reading.highResolution == nil) == (reading.net == nil), "high resolution goes with net")
    must(reading.isOverloaded == (reading.state == .overload), "overload")
    must(reading.printable.contains("+") == reading.isOverloaded, "printable in overload")
    must(reading.printable.hasSuffix(" g"), "printable")
    must((reading.calibration == nil) == offline, "calibration")
    must((0...1).contains(reading.force), "force")
    must(!reading.isStable || reading.uncertainty != nil, "a stable reading has an uncertainty")
    must(!reading.isStable || reading.state == .stable || reading.state == .pressing, "stable")
    must(reading.state != .stable || reading.isStable, "state stable")
    if reading.state == .empty {
      must(reading.net?.steps == 0 && reading.gross.steps == 0 && reading.printable.hasPrefix("0"), "empty")
    }
    if reading.state == .settling || reading.state == .stable, let net = reading.net {
      must(reading.gross.steps == net.steps + reading.tare.steps, "gross = net + tare")
      let mass = reading.highResolution?.value ?? .nan
      must((mass - net.mass.value).magnitude <= 0.96 * net.division.step.value, "rounded to the division")
    }
    return faults
  }
}
