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
      if case .request(let request) = input { asked.append(request.identifier) }
      effects += machine.handle(input, at: time)
      faults += Self.faults(in: machine.reading)
    }
    effects += machine.advance(to: script.inputs[script.inputs.count - 1].time + .seconds(20))
    for reading in effects.live + effects.settled + effects.results.map(\.reading) {
      faults += Self.faults(in: reading)
    }
    for reading in effects.settled where reading.state != .stable || reading.uncertainty == nil {
      faults.append("settled \(reading)")
    }
    #expect(faults.isEmpty, "\(faults.prefix(3))")
    #expect(effects.results.map(\.request.identifier) == asked, "every request is answered once, in order")
    let rejected = effects.events.filter { if case .rejected = $0 { true } else { false } }
    #expect(rejected.count == effects.rejections.filter { $0 != nil }.count)
    // The tare epoch counts, and only up.
    let epochs = effects.compactMap { effect -> Int? in
      switch effect {
      case .live(let reading), .settled(let reading): reading.tareEpoch
      case .event(let event): event.tareEpoch
      case .result(let result): result.reading.tareEpoch
      case .contacts, .gesture, .feedback, .record, .weighing, .actions: nil
      }
    }
    #expect(epochs == epochs.sorted())
    #expect(machine.tareEpoch == effects.events.filter(Self.countsAsEpoch).count)
  }

  private static func countsAsEpoch(_ kind: ScaleEvent.Kind) -> Bool {
    switch kind {
    case .tared, .tareCleared, .zeroed: true
    case .rejected, .voided, .overload, .padLost, .padFound, .calibrated, .reloaded: false
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
      must((mass - net.mass.value).magnitude <= 0.76 * net.division.step.value, "rounded to the division")
    }
    return faults
  }
}
