import Recordings
import Weighing

/// One load on one pad, measured by all filters.
struct Trial {
  let pad: BenchPad
  let load: BenchLoad
  /// Standard deviation of a sample at that load, in grams.
  let deviation: Double
  /// When the load comes to rest.
  let restsAt: Instant
  private let device: SimulatedPad
  private let ideal: SimulatedPad
  private let settings: ScaleSettings
  private let curve: CalibrationCurve

  /// One division, the default of the configuration.
  static let division = 1.0
  /// The tolerance of the stability time.
  static let tolerance = Interval.milliseconds(50)
  /// Time in seconds after rest from which steady noise is scored.
  static let steadyAfter = 2.0

  init(_ pad: BenchPad, _ settings: ScaleSettings, _ curve: CalibrationCurve, _ load: BenchLoad, seed: UInt64) {
    (self.pad, self.settings, self.curve, self.load) = (pad, settings, curve, load)
    device = SimulatedPad(pad.physics, script: load.script, reporting: .slots, seed: seed)
    ideal = SimulatedPad(pad.idealPhysics, script: load.script, reporting: .slots, seed: seed)
    deviation = pad.sampleDeviation(at: load.mass)
    restsAt = device.start + load.rest
  }

  /// Makes all filters, in the order of `BenchFilterName`.
  func filters(_ tuning: PeerTuning) throws -> [any BenchFilter] {
    try BenchFilterName.allCases.map { name in
      switch name {
      case .grampad: try GrampadScale(pad: device.description, settings: settings, start: device.start)
      case .trackWeight: TrackWeightMean()
      case .hx711: HX711Average()
      case .espHome: ESPHomeFilters()
      case .kalman: SimpleKalman()
      case .tunedKalman: tuning.kalman
      case .oneEuro: OneEuro()
      case .tunedOneEuro: tuning.oneEuro
      case .alphaBeta: AlphaBeta()
      case .tunedAlphaBeta: tuning.alphaBeta
      case .bound: RestMean(rest: restsAt)
      }
    }
  }

  /// Runs the trial and returns the result of each filter.
  func run(_ filters: [any BenchFilter]) -> [TrialResult] {
    var (device, ideal, filters) = (device, ideal, filters)
    var observers = filters.map { TrialObserver($0) }
    var recent = LoadHistory(filters.compactMap { $0.criterion?.time }.max() ?? .zero, rate: pad.rate)
    var (touch, felt) = (Touch(), Touch())
    let physics = pad.idealPhysics
    var events: [InputEvent] = []
    var idealEvents: [InputEvent] = []
    var rests = false
    while true {
      events.removeAll(keepingCapacity: true)
      idealEvents.removeAll(keepingCapacity: true)
      let time = device.next(into: &events)
      ideal.next(into: &idealEvents)
      let elapsed = time - device.start
      if elapsed > load.end { break }
      let begins = touch.update(with: events)
      _ = felt.update(with: idealEvents)
      let truth = physics.force(at: Double(felt.counts)).value
      recent.append(truth, at: time)
      let isDisturbed = load.disturbance?.contains(elapsed) ?? false
      // The forces of stirring and vibration are not part of the load.
      let isShaken = isDisturbed && load.kind != .drip
      let observed = TrialObserver.Sample(
        time: time, sinceRest: elapsed.seconds - load.rest.seconds,
        truth: isShaken ? load.script.truth(at: elapsed).value : truth, isDisturbed: isDisturbed)
      let beginsRest = !rests && observed.sinceRest >= 0
      rests = observed.sinceRest >= 0
      let grams = touch.counts == 0 ? 0 : curve.mass(at: RawForce(Int(touch.counts))).value
      let sample = BenchSample(time: time, grams: grams, events: events[...])
      for index in filters.indices {
        if begins { filters[index].restart() }
        if beginsRest { observers[index].beginRest(level: filters[index].level, truth: truth) }
        filters[index].process(sample)
        observers[index].observe(filters[index], at: observed, of: self, recent)
      }
    }
    for index in observers.indices { observers[index].end() }
    return observers.map(\.result)
  }

  /// Whether a hand still moves the load at a moment and the load is more than a division from its final value.
  func isEarly(_ moment: Instant, truth: Double) -> Bool {
    guard let movement = load.movements.first(where: { $0.contains(moment - device.start) }) else { return false }
    return (load.script.truth(at: movement.upperBound).value - truth).magnitude > Self.division
  }
}

/// The counts of a pad with one contact, from its events.
private struct Touch {
  var counts: Int32 = 0

  /// Processes the events of a sample and returns whether a load was put on the empty pad.
  mutating func update(with events: [InputEvent]) -> Bool {
    var begins = false
    for event in events where event.type == .absolute {
      if event.code == AxisCode.multitouchPressure.rawValue { counts = event.value }
      if event.code == AxisCode.trackingID.rawValue {
        if event.value < 0 { counts = 0 } else { begins = true }
      }
    }
    return begins
  }
}
