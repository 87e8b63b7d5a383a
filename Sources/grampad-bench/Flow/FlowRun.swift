import Weighing

/// What Grampad says about the flow of a series: its whole machine with a timer that follows the pours.
struct FlowRun: Sendable {
  /// The flow after each sample in grams per second; `nil` while it is unknown.
  private(set) var flows: [Double?] = []
  /// The pours that the timer has followed, in seconds since the first sample.
  private(set) var pours: [TimedPour] = []

  /// A pour as the timer shows it.
  struct TimedPour: Sendable {
    /// When it began, dated back.
    var began: Double
    /// When it ended, dated back; `nil` if the timer still runs.
    var ended: Double?
    /// When the scale has reported the begin and the end.
    var reported: (begin: Double, end: Double?)
  }

  private let start = Instant(nanoseconds: 1_000_000_000)
  private let cell: BenchCell
  private var machine: ScaleMachine
  private var assembler: FrameAssembler
  private var effects: [Effect] = []
  private var last: Int32?

  /// Runs a series.
  ///
  /// - Parameter tares: When a preset tare is set, in seconds since the first sample: the next pour starts the timer.
  init(_ series: LoadSeries, on cell: BenchCell, _ setting: CellSetting, tares: [Double]) throws {
    var settings = try cell.settings(setting)
    settings.timesPours = true
    self.cell = cell
    machine = ScaleMachine(settings: settings, at: start)
    assembler = try FrameAssembler(pad: cell.description, axis: settings.axis)
    machine.handle(.padFound(cell.description), at: start, into: &effects)
    flows.reserveCapacity(series.times.count)
    var tares = tares[...]
    for (time, grams) in zip(series.times, series.grams) {
      while let tare = tares.first, tare <= time {
        tares.removeFirst()
        advance(to: instant(tare))
        let request = ActionRequest(
          action: .tare, parameters: .tare(.mass(Grams(max(grams, 0)))), source: .commandLine)
        machine.handle(.request(request), at: instant(tare), into: &effects)
        observe()
      }
      process(cell.counts(of: grams), at: instant(time))
    }
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
        observe()
      }
      last = counts
    }
    advance(to: time)
    flows.append(machine.reading.flow)
  }

  @discardableResult
  private mutating func send(_ type: EventType, _ code: UInt16, _ value: Int32, at time: Instant) -> Frame? {
    assembler.handle(InputEvent(time: time, type: type, code: code, value: value))
  }

  /// Advances the time from deadline to deadline, as `run` does.
  private mutating func advance(to time: Instant) {
    while let due = machine.nextDeadline, due <= time {
      machine.advance(to: due, into: &effects)
      observe()
    }
    machine.advance(to: time, into: &effects)
    observe()
  }

  /// Follows the timer: while a pour goes on, its begin is dated again.
  private mutating func observe() {
    for effect in effects {
      guard case .event(let event) = effect else { continue }
      let now = seconds(event.time)
      switch event.kind {
      case .timerStarted(let elapsed):
        pours.append(TimedPour(began: now - elapsed.seconds, ended: nil, reported: (now, nil)))
      case .timerStopped(let elapsed):
        guard let pour = pours.last else { continue }
        pours[pours.count - 1].ended = pour.began + elapsed.seconds
        pours[pours.count - 1].reported.end = now
      default: break  // other events are not scored
      }
    }
    effects.removeAll(keepingCapacity: true)
    if let pour = pours.last, pour.ended == nil, let elapsed = machine.reading.timer {
      pours[pours.count - 1].began = seconds(machine.reading.time) - elapsed.seconds
    }
  }
}
