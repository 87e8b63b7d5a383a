import Recordings
import Weighing

/// One load on one pad, watched by all contenders.
struct Trial {
  let pad: BenchPad
  let load: BenchLoad
  /// One standard deviation of a sample at that load, in grams.
  let deviation: Double
  /// When the load comes to rest.
  let restsAt: Instant
  private let device: SimulatedPad
  private let ideal: SimulatedPad
  private let settings: ScaleSettings
  private let curve: CalibrationCurve

  /// One division.
  static let division = ScaleSettings().division.step.value
  /// What the issue allows `stable` to be apart from its time.
  static let tolerance = Interval.milliseconds(50)
  /// From so many seconds after rest the reading is scored as steady.
  static let steadyAfter = 2.0

  init(_ pad: BenchPad, _ settings: ScaleSettings, _ curve: CalibrationCurve, _ load: BenchLoad, seed: UInt64) {
    self.pad = pad
    self.settings = settings
    self.curve = curve
    self.load = load
    device = SimulatedPad(pad.physics, script: load.script, reporting: .slots, seed: seed)
    ideal = SimulatedPad(pad.idealPhysics, script: load.script, reporting: .slots, seed: seed)
    deviation = pad.sampleDeviation(at: load.mass)
    restsAt = device.start + load.rest
  }

  /// All contenders, as they are before the trial, in the order of `ContenderName`.
  func contenders(_ tuning: PeerTuning) throws -> [any Contender] {
    try ContenderName.allCases.map { name in
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

  /// What each contender did, in their order.
  func run(_ contenders: [any Contender]) -> [TrialResult] {
    var (device, ideal, contenders) = (device, ideal, contenders)
    var watches = contenders.map { Watch($0) }
    var recent = RecentLoad(contenders.compactMap { $0.criterion?.time }.max() ?? .zero, rate: pad.rate)
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
      let begins = touch.take(events)
      _ = felt.take(idealEvents)
      let truth = physics.force(at: Double(felt.counts)).value
      recent.append(truth, at: time)
      let isDisturbed = load.disturbance?.contains(elapsed) ?? false
      // Stirring and shaking are no part of the load.
      let isShaken = isDisturbed && load.kind != .drip
      let moment = Watch.Moment(
        time: time, sinceRest: elapsed.seconds - load.rest.seconds,
        truth: isShaken ? load.script.truth(at: elapsed).value : truth, isDisturbed: isDisturbed)
      let beginsRest = !rests && moment.sinceRest >= 0
      rests = moment.sinceRest >= 0
      let grams = touch.counts == 0 ? 0 : curve.mass(at: RawForce(Int(touch.counts))).value
      let sample = PadSample(time: time, grams: grams, events: events[...])
      for index in contenders.indices {
        if begins { contenders[index].restart() }
        if beginsRest { watches[index].beginRest(level: contenders[index].level, truth: truth) }
        contenders[index].take(sample)
        watches[index].see(contenders[index], at: moment, of: self, recent)
      }
    }
    for index in watches.indices { watches[index].end() }
    return watches.map(\.result)
  }

  /// Whether a hand still moves the load at a moment, more than a division from where it will leave it.
  func isEarly(_ moment: Instant, truth: Double) -> Bool {
    guard let movement = load.movements.first(where: { $0.contains(moment - device.start) }) else { return false }
    return (load.script.truth(at: movement.upperBound).value - truth).magnitude > Self.division
  }
}

/// The counts of a pad with one thing on it, kept from its events.
private struct Touch {
  var counts: Int32 = 0

  /// Takes the events of a sample; returns whether something was put on the empty pad.
  mutating func take(_ events: [InputEvent]) -> Bool {
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
