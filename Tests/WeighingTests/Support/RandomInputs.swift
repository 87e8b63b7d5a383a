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
    inputs.append((now, .connection(isConnected: !chance(4))))
    while inputs.count < count { add() }
  }

  private mutating func chance(_ oneIn: UInt64) -> Bool { random.next() % oneIn == 0 }

  private mutating func pad() -> PadDescription {
    if chance(8) { return PadDescription(name: "mouse") }
    if chance(4) { return .single() }
    return chance(3) ? .plain : .slots(countsPerGram: chance(3) ? 0 : 2)
  }

  private mutating func add() {
    now = now + .milliseconds(chance(20) ? Int(random.next() % 7000) : 8)
    if chance(40) { now = now + Interval(nanoseconds: Int64(random.next() % 3_000_000)) }
    switch random.next() % 100 {
    case 0: inputs.append((now, .padLost("unplugged")))
    case 1...2: inputs.append((now, .padFound(pad())))
    case 3...4: inputs.append((now, .settings(settings())))
    case 5...12: inputs.append((now, .request(request())))
    case 13: inputs.append((now, .replaceActions(chance(3) ? nil : quickActions(), request())))
    case 14...18:
      let change = [ButtonChange.Change.pressed, .pressed, .released, .released, .lost].randomElement(using: &random)
      let action = ["commit", "tare", "beans"].randomElement(using: &random) ?? "void"
      inputs.append(
        (now, .button(ButtonChange(button: chance(4) ? 2 : 1, action: action, change: change ?? .lost))))
    case 19...30: addPress()
    case 31...32: scan()
    case 33: addLink()
    default: for _ in 0..<Int(1 + random.next() % 12) { addFrame() }
    }
  }

  /// Adds a change of the link to the broker, a refusal of it, or what earlier runs have learned.
  private mutating func addLink() {
    switch random.next() % 4 {
    case 0: inputs.append((now, .connection(isConnected: false)))
    case 1: if let output = output() { inputs.append((now, .outputRefused(output))) }
    case 2:
      let samples = (0..<Int(random.next() % 7)).map { _ in
        LearnedStop.Sample(flow: 5 * random.unit(), arrived: Grams(4 * random.unit() - 1))
      }
      inputs.append((now, .restoreStops([LearnedStop(label: "beans", samples: samples)])))
    default: inputs.append((now, .connection(isConnected: true)))
    }
  }

  private mutating func output() -> OutputName? { OutputName(chance(4) ? "pump" : "grinder") }

  private mutating func scan() {
    if let code = ScannedCode("\(random.next() % 3)") { inputs.append((now, .scanned(code))) }
  }

  private mutating func request() -> ActionRequest {
    let names = Action.allCases.map(\.rawValue) + ["beans", "rice", "commit"]
    let expiry = chance(6) ? now + .milliseconds(Int(random.next() % 900)) : nil
    let name = names.randomElement(using: &random) ?? "tare"
    return ActionRequest(
      name: name, parameters: parameters(name), source: chance(3) ? .start : .mqtt,
      identifier: 1 + random.next() % (1 << 60), expiry: expiry)
  }

  private mutating func parameters(_ name: String) -> ActionArguments {
    let mass = Grams(400 * random.unit())
    guard !chance(3), let container = ContainerName("c\(random.next() % 3)") else { return .none }
    return switch Action(rawValue: name) {
    case .tare: .tare(chance(2) ? .mass(mass) : .container(container))
    case .timer: .timer(TimerCommand.allCases.randomElement(using: &random) ?? .reset)
    case .target: .target(Target(mass: mass, stopsAhead: [nil, true, false].randomElement(using: &random) ?? nil))
    case .dose: .dose(dose(Target(mass: mass, tolerance: chance(2) ? Grams(0.5) : nil)))
    case .count: .count(chance(2) ? .sample(pieces: 5, spread: 0.02) : .mass(mass, spread: 0.02))
    case .container: .container(chance(3) ? .remove(container) : .store(container))
    case .clearTare, .zero, .commit, .void, .relabel, nil: .none
    }
  }

  private mutating func dose(_ target: Target) -> DoseCommand {
    guard !chance(6), let output = output() else { return .forget(label: chance(2) ? "" : "beans") }
    return .start(Dose(output: output, target: target))
  }

  private mutating func quickActions() -> [QuickAction] {
    [QuickAction(type: "beans", title: "Beans"), QuickAction(type: "rice", title: "Rice", run: .tare)]
      .filter { _ in chance(2) }
  }

  /// Adds a finger in a zone or force on the load, often long enough to confirm.
  private mutating func addPress() {
    let before = contacts
    serial += 1
    let own = serial
    let x = chance(3) ? 0.05 : 0.95
    for height in [0.8, 0.8, 0.5] {
      contacts = before + [.finger(chance(5) ? 0.5 : 1, at: height, x: x, serial: own)]
      now = now + .milliseconds(chance(2) ? 8 : 150 + Int(random.next() % 400))
      inputs.append((now, .frame(Frame(time: now, contacts: contacts))))
    }
    if !chance(8) { contacts = before }
    for _ in 0..<2 {
      now = now + .milliseconds(8)
      inputs.append((now, .frame(Frame(time: now, contacts: contacts))))
    }
    if chance(2) { now = now + .milliseconds(Int(random.next() % 900)) }
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
    settings.scale.capacity = Grams([200.0, 385, 1000].randomElement(using: &random) ?? 385)
    settings.scale.division = Division(Grams([0.1, 1, 5].randomElement(using: &random) ?? 1)) ?? .gram
    settings.surface = chance(3) ? .platter : .contacts
    settings.scale.tareOnRelease = chance(2) ? .keep : .clear
    settings.zones = chance(3) ? .none : .standard
    settings.axis = chance(6) ? .named(.pressure) : .automatic
    settings.stability.time = .milliseconds(100 + Int(random.next() % 600))
    settings.confirm.settle = .milliseconds(Int(random.next() % 3000))
    settings.publish.liveMaximum = SampleRate(1000 / Double(20 + random.next() % 300))
    settings.publish.heartbeat = .milliseconds(500 + Int(random.next() % 5000))
    settings.publish.contacts = chance(4)
    settings.recognisesContainers = chance(2)
    settings.target.stopsAhead = chance(2)
    settings.target.deadTime = .milliseconds(Int(random.next() % 1000))
    settings.outputs = ["grinder", "pump"].compactMap { OutputName($0) }.filter { _ in !chance(4) }
      .map { Output(name: $0, maximumFlow: chance(3) ? 5 : 25) }
    settings.scanning.hold = .seconds(Double(1 + random.next() % 20))
    settings.scanning.commits = chance(2)
    settings.scanning.codes = [ScannedCode("1"), ScannedCode("2")].compactMap(\.self).map {
      CodeMeaning(
        code: $0, label: chance(2) ? "beans" : nil, container: ContainerName("c\(random.next() % 3)"), target: Grams(50)
      )
    }
    settings.scale.commitsAutomatically = chance(3)
    settings.confirm.full = Grams([20.0, 173].randomElement(using: &random) ?? 173)
    settings.confirm.threshold = [0.5, 0.97, 1].randomElement(using: &random) ?? 0.97
    settings.confirm.dwell = .milliseconds(Int(random.next() % 500))
    settings.confirm.hold = .milliseconds(1 + Int(random.next() % 2500))
    settings.quickActions = chance(2) ? [] : quickActions()
    if chance(3) {
      let points = [(0, 0.0), (300, 100), (1000, 400)].map { CalibrationPoint(raw: RawForce($0), mass: Grams($1)) }
      settings.curve = try? CalibrationCurve(shape: .monotone, points: points)
    }
    return settings
  }
}
