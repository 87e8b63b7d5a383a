import Weighing

/// Grampad: its whole machine, with a target that it stops ahead of, or whose displayed net is compared.
struct GrampadDoser: Doser, CellDriver {
  let start = Instant(nanoseconds: 1_000_000_000)
  let cell: BenchCell
  var scale: CellMachine
  private let stopsAhead: Bool
  private var target = Double.infinity
  private var began = Double.infinity
  private var stopped: Double?
  private var command: (command: PlantCommand, time: Double)?

  /// A coffee scale; with half a gram of noise, a kitchen scale.
  init(_ condition: DoseCondition, stopsAhead: Bool) throws {
    let series = LoadSeries(
      name: "dose", kind: .pour, times: [], grams: [], countsPerGram: 1540, bits: 23, capacity: 2000)
    cell = BenchCell(series, delivery: .converter)
    scale = try CellMachine(cell, try cell.settings(condition.noise > 0.2 ? .half : .tenths), at: start)
    self.stopsAhead = stopsAhead
  }

  var isDone: Bool { stopped != nil }

  mutating func tare(at time: Double) { request(.tare, .none, at: time) }

  mutating func aim(at target: Double, at time: Double) {
    self.target = target
    (began, stopped, command) = (.infinity, nil, nil)
    request(.target, .target(Target(mass: Grams(target), tolerance: nil, stopsAhead: stopsAhead)), at: time)
  }

  mutating func begin(at time: Double) { began = time }

  mutating func advance(to time: Double) -> (command: PlantCommand, time: Double)? {
    advance(to: instant(time))
    defer { command = nil }
    return command
  }

  mutating func process(_ sample: DoseSample) -> PlantCommand? {
    deliver(cell.counts(of: sample.gross), at: instant(sample.time))
    defer { command = nil }
    return command?.command
  }

  mutating func end(at time: Double) {
    if stopped == nil { request(.target, .none, at: time) }
    began = .infinity
  }

  private mutating func request(_ action: Action, _ parameters: ActionArguments, at time: Double) {
    let request = ActionRequest(action: action, label: "dose", parameters: parameters, source: .commandLine)
    scale.handle(.request(request), at: instant(time))
    observe(at: instant(time))
  }

  mutating func observe(at time: Instant) {
    for effect in scale.effects {
      if case .event(let event) = effect, case .targetStop = event.kind { stop(at: seconds(event.time)) }
    }
    scale.effects.removeAll(keepingCapacity: true)
    // A millionth: multiples of a decimal division are not exact.
    if !stopsAhead, let net = scale.machine.reading.net, net.mass.value >= target - 1e-6 { stop(at: seconds(time)) }
  }

  private mutating func stop(at time: Double) {
    guard stopped == nil, time > began else { return }
    stopped = time
    command = (.stop, time)
  }
}
