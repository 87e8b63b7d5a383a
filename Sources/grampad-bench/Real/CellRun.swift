import Weighing

/// What Grampad makes of a series: its whole machine, driven as in `run`.
struct CellRun: Sendable {
  /// The reading after each sample.
  private(set) var readings: [CellReading] = []
  /// The times during which the reading is stable, in seconds since the first sample; the last one may be open.
  private(set) var stableTimes: [ClosedRange<Double>] = []
  /// The messages on the topic `stable`: when, and the net.
  private(set) var settled: [(time: Double, net: Double)] = []
  /// The events `zeroed`: when, and the mass.
  private(set) var zeroed: [(time: Double, mass: Double)] = []
  /// The number of presses that have fired, rejected ones included. Nothing else requests an action.
  private(set) var presses = 0
  /// The number of times that a press was confirmed, whether or not it fired then.
  private(set) var confirmations = 0
  /// The number of events `overload`.
  private(set) var overloads = 0

  private let start = Instant(nanoseconds: 1_000_000_000)
  private let cell: BenchCell
  private var machine: ScaleMachine
  private var assembler: FrameAssembler
  private var effects: [Effect] = []
  private var stableSince: Double?
  private var last: Int32?

  /// A reading at a moment.
  struct CellReading: Sendable {
    /// The displayed net; `nil` in overload.
    var displayed: Double?
    /// The net, unrounded.
    var level: Double?
    var uncertainty: Double?
    var isStable: Bool
    /// How far the learned plate is from the true one, in grams; `nil` before it is learned.
    var zeroError: Double?
  }

  /// Runs a series.
  ///
  /// - Parameter silence: How long nothing arrives after the last sample, in seconds.
  init(_ series: LoadSeries, on cell: BenchCell, _ setting: CellSetting, silence: Double = 0) throws {
    let settings = try cell.settings(setting)
    self.cell = cell
    machine = ScaleMachine(settings: settings, at: start)
    assembler = try FrameAssembler(pad: cell.description, axis: settings.axis)
    machine.handle(.padFound(cell.description), at: start, into: &effects)
    processEffects()
    readings.reserveCapacity(series.times.count)
    for (time, grams) in zip(series.times, series.grams) { process(cell.counts(of: grams), at: instant(time)) }
    let end = (series.times.last ?? 0) + silence
    advance(to: instant(end))
    if let stableSince { stableTimes.append(stableSince...max(end, stableSince)) }
  }

  private func instant(_ time: Double) -> Instant { start + .seconds(time) }
  private func seconds(_ instant: Instant) -> Double { (instant - start).seconds }

  private mutating func process(_ counts: Int32, at time: Instant) {
    advance(to: Instant(nanoseconds: time.nanoseconds - 1))
    if !cell.dropsRepeats || counts != last {
      if last == nil { send(.key, KeyCode.touch.rawValue, 1, at: time) }
      send(.absolute, AxisCode.pressure.rawValue, counts, at: time)
      if let frame = send(.synchronization, SynchronizationCode.report, 0, at: time) {
        machine.handle(.frame(frame), at: time, into: &effects)
        observe(at: time)
      }
      last = counts
    }
    advance(to: time)
    let reading = machine.reading
    readings.append(
      CellReading(
        displayed: reading.net?.mass.value, level: reading.highResolution?.value,
        uncertainty: reading.uncertainty?.value,
        isStable: reading.isStable, zeroError: machine.plateCounts.map { cell.grams(at: $0) }))
  }

  @discardableResult
  private mutating func send(_ type: EventType, _ code: UInt16, _ value: Int32, at time: Instant) -> Frame? {
    assembler.handle(InputEvent(time: time, type: type, code: code, value: value))
  }

  /// Advances the time from deadline to deadline, as `run` does.
  private mutating func advance(to time: Instant) {
    while let due = machine.nextDeadline, due <= time {
      machine.advance(to: due, into: &effects)
      observe(at: due)
    }
    machine.advance(to: time, into: &effects)
    observe(at: time)
  }

  private mutating func observe(at time: Instant) {
    if machine.reading.isStable {
      if stableSince == nil { stableSince = seconds(time) }
    } else if let began = stableSince {
      stableTimes.append(began...max(seconds(time), began))
      stableSince = nil
    }
    processEffects()
  }

  private mutating func processEffects() {
    for effect in effects {
      switch effect {
      case .settled(let reading): settled.append((seconds(reading.time), reading.net?.mass.value ?? .nan))
      case .event(let event):
        if case .zeroed(let mass) = event.kind { zeroed.append((seconds(event.time), mass.mass.value)) }
        if event.kind == .overload { overloads += 1 }
      case .gesture(let report): if report.state == .confirmed { confirmations += 1 }
      case .record, .result: presses += 1
      default: break  // other effects are not scored
      }
    }
    effects.removeAll(keepingCapacity: true)
  }
}
