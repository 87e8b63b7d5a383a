import Weighing

/// What Grampad says about the flow of a series: its whole machine, with a timer that follows the pours.
struct FlowRun: CellDriver, Sendable {
  /// The flow after each sample in grams per second; `nil` while it is unknown.
  private(set) var flows: [Double?] = []
  /// The pours that the timer has followed, in seconds since the first sample.
  private(set) var pours: [TimedPour] = []
  /// The pours that the scale has detected, timed or not, in seconds since the first sample.
  private(set) var detected: [(began: Double, ended: Double?)] = []

  /// A pour as the timer shows it.
  struct TimedPour: Sendable {
    /// When it began, back-dated.
    var began: Double
    /// When it ended, back-dated; `nil` if the timer still runs.
    var ended: Double?
    /// When the scale has reported the start and the end.
    var reported: (begin: Double, end: Double?)
  }

  let start = Instant(nanoseconds: 1_000_000_000)
  let cell: BenchCell
  var scale: CellMachine

  /// Runs a series.
  ///
  /// - Parameter tares: When a preset tare is set, in seconds since the first sample: the next pour starts the timer.
  init(_ series: LoadSeries, on cell: BenchCell, _ setting: CellSetting, tares: [Double]) throws {
    var settings = try cell.settings(setting)
    settings.timer.timesPours = true
    settings.timer.pause = .zero
    self.cell = cell
    scale = try CellMachine(cell, settings, at: start)
    flows.reserveCapacity(series.times.count)
    var tares = tares[...]
    for (time, grams) in zip(series.times, series.grams) {
      while let tare = tares.first, tare <= time {
        tares.removeFirst()
        advance(to: instant(tare))
        let request = ActionRequest(
          action: .tare, parameters: .tare(.mass(Grams(max(grams, 0)))), source: .commandLine)
        scale.handle(.request(request), at: instant(tare))
        observe(at: instant(tare))
      }
      process(cell.counts(of: grams), at: instant(time))
    }
  }

  private mutating func process(_ counts: Int32, at time: Instant) {
    deliver(counts, at: time)
    flows.append(scale.machine.reading.flow)
  }

  /// Follows the timer: while a pour goes on, its start is dated again.
  mutating func observe(at time: Instant) {
    let last = scale.machine.pours
    if last.count > detected.count { detected.append((0, nil)) }
    if last.count > 0 { detected[last.count - 1] = (seconds(last.began), last.ended.map(seconds)) }
    for effect in scale.effects {
      guard case .event(let event) = effect else { continue }
      let now = seconds(event.time)
      switch event.kind {
      case .timerStarted(let elapsed, _, _):
        pours.append(TimedPour(began: now - elapsed.seconds, ended: nil, reported: (now, nil)))
      case .timerStopped(let elapsed, _, _):
        guard let pour = pours.last else { continue }
        pours[pours.count - 1].ended = pour.began + elapsed.seconds
        pours[pours.count - 1].reported.end = now
      default: break  // other events are not scored
      }
    }
    scale.effects.removeAll(keepingCapacity: true)
    if let pour = pours.last, pour.ended == nil, let elapsed = scale.machine.reading.timer {
      pours[pours.count - 1].began = seconds(scale.machine.reading.time) - elapsed.seconds
    }
  }
}
