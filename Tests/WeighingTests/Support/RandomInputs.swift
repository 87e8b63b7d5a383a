import Recordings
import Weighing

/// What might happen to a scale, at random: loads, presses, gaps, requests, pads and settings.
struct RandomInputs {
  private(set) var inputs: [(time: Instant, input: ScaleMachine.Input)] = []
  private var random: SplitMix64
  private var now: Instant
  private var serial: UInt64 = 0
  private var contacts: [Contact] = []

  init(seed: UInt64, count: Int, start: Instant = Instant(nanoseconds: 5_000_000_000)) {
    random = SplitMix64(seed: seed)
    now = start
    inputs.append((now, .padFound(pad())))
    while inputs.count < count { add() }
  }

  private mutating func chance(_ oneIn: UInt64) -> Bool { random.next() % oneIn == 0 }

  private mutating func pad() -> PadDescription {
    chance(8) ? PadDescription(name: "mouse") : chance(4) ? .single() : .slots(countsPerGram: chance(3) ? 0 : 2)
  }

  private mutating func add() {
    now = now + .milliseconds(chance(20) ? Int(random.next() % 7000) : 8)
    if chance(40) { now = now + Interval(nanoseconds: Int64(random.next() % 3_000_000)) }
    switch random.next() % 100 {
    case 0: inputs.append((now, .padLost("unplugged")))
    case 1...2: inputs.append((now, .padFound(pad())))
    case 3...4: inputs.append((now, .settings(settings())))
    case 5...12:
      let action = [Action.tare, .clearTare, .zero].randomElement(using: &random) ?? .tare
      inputs.append((now, .request(ActionRequest(action: action, source: .mqtt, identifier: random.next()))))
    default: for _ in 0..<Int(1 + random.next() % 12) { addFrame() }
    }
  }

  private mutating func addFrame() {
    now = now + .milliseconds(8)
    if chance(15) || contacts.isEmpty { change() }
    for index in contacts.indices {
      let noise = Int((1.5 * random.gaussian()).rounded())
      contacts[index].raw = RawForce(contacts[index].raw.counts + noise)
      contacts[index].isAtMaximum = contacts[index].raw.counts >= 1000
    }
    inputs.append((now, .frame(Frame(time: now, contacts: contacts, followsGap: chance(100)))))
  }

  private mutating func change() {
    if chance(2), !contacts.isEmpty { contacts.removeFirst() }
    guard contacts.count < 3, !chance(3) else { return }
    serial += 1
    let place = Position(x: chance(4) ? 0.05 : 0.5, y: random.unit())
    let raw = chance(12) ? 1000 : chance(30) ? -20 : Int(random.next() % 800)
    contacts.append(
      Contact(serial: serial, position: place, origin: place, raw: RawForce(raw), isAtMaximum: raw >= 1000))
  }

  private mutating func settings() -> ScaleSettings {
    var settings = ScaleSettings()
    settings.capacity = Grams([200.0, 385, 1000].randomElement(using: &random) ?? 385)
    settings.division = Division(Grams([0.1, 1, 5].randomElement(using: &random) ?? 1)) ?? .gram
    settings.surface = chance(3) ? .platter : .contacts
    settings.tareOnRelease = chance(2) ? .keep : .clear
    settings.zones = chance(3) ? .none : .standard
    settings.axis = chance(6) ? .named(.pressure) : .automatic
    settings.stableTime = .milliseconds(100 + Int(random.next() % 600))
    settings.settleTime = .milliseconds(Int(random.next() % 3000))
    settings.liveInterval = .milliseconds(20 + Int(random.next() % 300))
    settings.heartbeat = .milliseconds(500 + Int(random.next() % 5000))
    settings.publishesContacts = chance(4)
    if chance(3) {
      let points = [(0, 0.0), (300, 100), (1000, 400)].map { CalibrationPoint(raw: RawForce($0), mass: Grams($1)) }
      settings.curve = try? CalibrationCurve(shape: .monotone, points: points)
    }
    return settings
  }
}

extension Effect {
  /// The same, so much later.
  func shifted(by interval: Interval) -> Effect {
    switch self {
    case .live(var reading):
      reading.time = reading.time + interval
      return .live(reading)
    case .settled(var reading):
      reading.time = reading.time + interval
      return .settled(reading)
    case .contacts(var report):
      report.time = report.time + interval
      return .contacts(report)
    case .event(var event):
      event.time = event.time + interval
      return .event(event)
    case .result(var result):
      result.time = result.time + interval
      result.reading.time = result.reading.time + interval
      return .result(result)
    case .gesture(var report):
      report.time = report.time + interval
      if let time = report.preview?.time { report.preview?.time = time + interval }
      return .gesture(report)
    case .feedback(let feedback, let time): return .feedback(feedback, at: time + interval)
    case .actions(let list, let time): return .actions(list, at: time + interval)
    case .weighing(let record, let time): return .weighing(record, at: time + interval)
    case .record(var draft):
      draft.time = draft.time + interval
      return .record(draft)
    }
  }
}
