import Weighing

extension PadDescription {
  /// A pad that only says how hard: force is added to the load.
  static var plain: PadDescription { .single(hasPositions: false) }
}

extension Contact {
  /// A load in the middle of the pad.
  static func load(_ counts: Int, serial: UInt64 = 1) -> Contact {
    let middle = Position(x: 0.5, y: 0.5)
    return Contact(
      serial: serial, position: middle, origin: middle, raw: RawForce(counts), isAtMaximum: counts >= 1000)
  }

  /// A finger in a strip, that came down at 0.8 of the height; its force is a fraction of 173 g, two counts a gram.
  static func finger(
    _ force: Double, at height: Double = 0.8, x: Double = 0.95, serial: UInt64 = 2, from: Double = 0.8,
    fromX: Double? = nil
  ) -> Contact {
    let counts = Int((force * 346).rounded())
    return Contact(
      serial: serial, position: Position(x: x, y: height), origin: Position(x: fromX ?? x, y: from),
      raw: RawForce(counts),
      isAtMaximum: counts >= 1000)
  }
}

extension HandFedScale {
  /// One frame of these contacts, and 8 ms.
  mutating func show(_ contacts: Contact..., gap: Bool = false) { show(contacts: contacts, gap: gap) }

  mutating func show(contacts: [Contact], gap: Bool = false) {
    frame(contacts, gap: gap)
    wait(Self.period)
  }

  /// The finger stands still for the shortest time that confirms, then these contacts are left.
  mutating func lift(_ contacts: Contact...) {
    wait(.milliseconds(100))
    frame(contacts)
    wait(Self.period)
  }

  mutating func key(_ change: ButtonChange.Change, _ button: Int = 1, action: String = "commit") {
    handle(.button(ButtonChange(button: button, action: action, change: change)))
  }

  /// Adds force to a silent load: up in 40 ms, held, and back in 40 ms; all in counts.
  mutating func press(on base: Int, by force: Int = 346, for interval: Interval = .milliseconds(600)) {
    for step in 1...5 {
      frame(base + force * step / 5)
      wait(Self.period)
    }
    wait(interval)
    for step in (0..<5).reversed() {
      frame(base + force * step / 5)
      wait(Self.period)
    }
  }
}

extension [Effect] {
  var gestures: [GestureReport] { compactMap { if case .gesture(let report) = $0 { report } else { nil } } }
  var feedback: [Feedback] { compactMap { if case .feedback(let feedback, _) = $0 { feedback } else { nil } } }
  var drafts: [WeighingDraft] { compactMap { if case .record(let draft) = $0 { draft } else { nil } } }
  var weighings: [RecordedWeighing] { compactMap { if case .weighing(let record, _) = $0 { record } else { nil } } }
  /// The states of the press, each where it changed.
  var states: [GestureReport.State] {
    gestures.reduce(into: []) { states, report in if states.last != report.state { states.append(report.state) } }
  }
  /// The nets that are to be recorded, in divisions.
  var nets: [Int] {
    drafts.compactMap { if case .weighing(let measurement) = $0.kind { measurement.net.steps } else { nil } }
  }
  /// The nets that are to be recorded, in grams.
  var recordedMasses: [Double] {
    drafts.compactMap { if case .weighing(let measurement) = $0.kind { measurement.net.mass.value } else { nil } }
  }
  /// The tares that were taken, in grams.
  var tareMasses: [Double] { events.compactMap { if case .tared(let mass, _) = $0 { mass.mass.value } else { nil } } }
  /// What is reported as wrong with the pad, each on a change.
  var padWarnings: [PadWarning?] {
    compactMap { if case .padWarning(let warning, _) = $0 { .some(warning) } else { nil } }
  }
  /// The tares that were taken, in divisions.
  var tares: [Int] { events.compactMap { if case .tared(let mass, _) = $0 { mass.steps } else { nil } } }
}
