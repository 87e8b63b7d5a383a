import Weighing

/// What Grampad makes of a series: its whole machine, driven as in `run`.
struct CellRun: CellDriver, Sendable {
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

  let start = Instant(nanoseconds: 1_000_000_000)
  let cell: BenchCell
  var scale: CellMachine
  private var stableSince: Double?

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
    scale = try CellMachine(cell, settings, at: start)
    processEffects()
    readings.reserveCapacity(series.times.count)
    for (time, grams) in zip(series.times, series.grams) { process(cell.counts(of: grams), at: instant(time)) }
    let end = (series.times.last ?? 0) + silence
    advance(to: instant(end))
    if let stableSince { stableTimes.append(stableSince...max(end, stableSince)) }
  }

  private mutating func process(_ counts: Int32, at time: Instant) {
    deliver(counts, at: time)
    let reading = scale.machine.reading
    readings.append(
      CellReading(
        displayed: reading.net?.mass.value, level: reading.highResolution?.value,
        uncertainty: reading.uncertainty?.value,
        isStable: reading.isStable, zeroError: scale.machine.plateCounts.map { cell.grams(at: $0) }))
  }

  mutating func observe(at time: Instant) {
    if scale.machine.reading.isStable {
      if stableSince == nil { stableSince = seconds(time) }
    } else if let began = stableSince {
      stableTimes.append(began...max(seconds(time), began))
      stableSince = nil
    }
    processEffects()
  }

  private mutating func processEffects() {
    for effect in scale.effects {
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
    scale.effects.removeAll(keepingCapacity: true)
  }
}
