import Recordings
import Weighing

/// A vessel on a load cell, and a source with a plug that an output of the scale switches.
struct DosedScale {
  var cell: CellScale
  /// Grams per second, once the source is on.
  var flow = 2.0 { didSet { shed += (oldValue - flow) * runningTime(at: time) } }
  /// From a switching of the output to its effect at the vessel, in seconds.
  var deadTime = 0.5
  /// The mass of the vessel and of what fell into it before, in grams.
  var base = 100.0
  /// What is added to the load by hand.
  var added = 0.0
  /// What fell at other flows before, beyond what the present flow would have brought.
  private var shed = 0.0
  /// Everything since the test last looked.
  private(set) var effects: [Effect] = []
  /// The switchings of the output since the last dose was started, in seconds.
  private(set) var switchings: [(isOn: Bool, time: Double)] = []
  private(set) var ledger = OutputLedger()
  /// What was learned for each label.
  private(set) var learned: [LearnedStop] = []

  static let grinder = OutputName("grinder")

  init(
    rate: Double = 10, noise: Double = 0.03, seed: UInt64 = 1, isConverter: Bool = true,
    _ change: (inout ScaleSettings) -> Void = { _ in }
  ) throws {
    cell = try CellScale(.white, rate: rate, division: 0.1, isConverter: isConverter, seed: seed) { settings in
      settings.scale.capacity = Grams(2000)
      settings.outputs = [Self.grinder].compactMap(\.self).map { Output(name: $0) }
      change(&settings)
    }
    cell.noise = noise
    // The empty plate, whose load is learned.
    cell.hold(0, for: 3)
    collect()
    handle(.connection(isConnected: true))
  }

  var time: Double { cell.time }
  var machine: ScaleMachine { cell.machine }

  /// The mass that has fallen.
  func fallen(at time: Double) -> Double { flow * runningTime(at: time) + shed }

  /// How long the source has run, in seconds.
  private func runningTime(at time: Double) -> Double {
    var (sum, isOn, last) = (0.0, false, 0.0)
    for switching in switchings where switching.time + deadTime <= time {
      if isOn { sum += switching.time + deadTime - last }
      (isOn, last) = (switching.isOn, switching.time + deadTime)
    }
    return isOn ? sum + time - last : sum
  }

  /// Whether the output is on.
  var isOn: Bool { ledger.isOn }

  private mutating func collect() {
    let new = cell.take()
    for effect in new {
      ledger.observe(effect)
      if case .learnedStops(let stops, _) = effect { learned = stops }
      if case .output(let change, let time) = effect { switchings.append((change.isOn, cell.seconds(time))) }
    }
    effects += new
  }

  mutating func handle(_ input: ScaleMachine.Input) {
    cell.handle(input)
    collect()
  }

  mutating func ask(_ action: Action, _ parameters: ActionArguments = .none, label: String? = nil) {
    handle(.request(ActionRequest(action: action, label: label, parameters: parameters, source: .mqtt)))
  }

  /// One sample, off by so much.
  mutating func sample(off: Double = 0) {
    cell.sample(max(base + added + fallen(at: time), 0), off: off)
    collect()
  }

  /// Delivers samples.
  mutating func run(for seconds: Double) {
    let end = time + seconds
    while time < end { sample() }
  }

  /// Delivers nothing, with this many looks at the time.
  mutating func wait(_ seconds: Double, looks: Int = 1) {
    for _ in 0..<looks {
      cell.wait(seconds / Double(looks))
      collect()
    }
  }

  /// Looks at the time until shortly before the next sample.
  mutating func look(_ times: Int) {
    for index in 0..<times { cell.look(at: time - (0.9 - 0.1 * Double(index)) / cell.rate) }
    collect()
  }

  mutating func replug() {
    cell.replug()
    collect()
  }

  mutating func freeze(for seconds: Double) {
    cell.freeze(at: cell.last, for: seconds)
    collect()
  }

  mutating func take() -> [Effect] {
    defer { effects.removeAll() }
    return effects
  }

  /// Empties the vessel, waits for rest and tares.
  mutating func prepare() {
    clearPour()
    added = 0
    run(for: 3)
    ask(.tare)
    run(for: 0.3)
  }

  mutating func start(_ target: Double, tolerance: Double? = nil, label: String? = nil) {
    guard let output = Self.grinder else { return }
    let target = Target(mass: Grams(target), tolerance: tolerance.map { Grams($0) })
    ask(.dose, .dose(.start(Dose(output: output, target: target))), label: label)
  }

  /// A person pours from a moment on.
  mutating func pour(from time: Double) { switchings = [(true, time - deadTime)] }

  /// The person stops, and the stop takes effect a dead time later.
  mutating func endPour() { if switchings.last?.isOn == true { switchings.append((false, time)) } }

  /// Empties the vessel.
  mutating func clearPour() {
    switchings.removeAll()
    shed = 0
  }

  /// Tares, doses and waits for the result; `nil` without a result within half a minute.
  mutating func dose(_ target: Double, label: String? = nil, during body: (inout DosedScale) -> Void = { _ in })
    -> FinishedDose?
  {
    prepare()
    _ = take()
    start(target, label: label)
    let end = time + 30
    while time < end {
      sample()
      body(&self)
      if let finished = effects.finished.last { return finished }
    }
    return nil
  }
}

/// Checks what is sent to the outputs.
struct OutputLedger {
  private(set) var faults: [String] = []
  private(set) var isOn = false
  /// Whether a dose has just started, whose output is not on yet.
  private var hasStarted = false

  mutating func observe(_ effect: Effect) {
    switch effect {
    case .output(let change, let time):
      if change.isOn, isOn { faults.append("on twice at \(time.nanoseconds)") }
      if change.isOn, !hasStarted { faults.append("on without a dose at \(time.nanoseconds)") }
      (isOn, hasStarted) = (change.isOn, false)
    case .event(let event):
      if case .doseStarted = event.kind { hasStarted = true }
      if case .dosed = event.kind, isOn { faults.append("on after a dose at \(event.time.nanoseconds)") }
    default: break
    }
  }
}

extension [Effect] {
  var switchings: [Bool] { compactMap { if case .output(let change, _) = $0 { change.isOn } else { nil } } }
  var finished: [FinishedDose] { events.compactMap { if case .dosed(let dose) = $0 { dose } else { nil } } }
  var stops: [TargetStop] { events.compactMap { if case .targetStop(let stop) = $0 { stop } else { nil } } }
  var learned: [LearnedStop] {
    compactMap { if case .learnedStopChange(let stop, _) = $0 { stop } else { nil } }
  }
}
