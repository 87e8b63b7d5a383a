/// Measures loads in counts for a calibration, with the filter of the scale.
///
/// A load is at rest when the window of the filter is as old as `time` and its slope has not moved the load by more
/// than the motion limit in this time. The gauge thus waits for a load that is put down, and for the end of creep.
public struct LoadGauge: Sendable {
  /// The state of the pad.
  public enum State: Hashable, Sendable {
    /// No pad is connected, for this reason; `nil` before one was searched for.
    case noPad(Sentence?)
    /// The load moves, or was not measured for long enough: the measurement so far.
    case settling(LoadRest)
    /// The load is at rest.
    case resting(LoadRest)
  }

  /// How long a load has to be at rest.
  public let time: Interval

  private var machine: ScaleMachine
  private var emptySince: Instant?
  private var reason: Sentence?
  private let motion: Grams

  /// Makes a gauge without a pad.
  ///
  /// - Parameters:
  ///   - settings: The settings of the scale; `reading` uses their calibration.
  ///   - time: How long a load has to be at rest.
  public init(settings: ScaleSettings, time: Interval, at now: Instant) {
    machine = ScaleMachine(settings: settings, at: now)
    motion = settings.stability.motion
    self.time = time
  }

  /// Makes a gauge of a running scale: it knows what is on the pad, even if the pad is silent.
  package init(_ machine: ScaleMachine, time: Interval) {
    self.machine = machine
    motion = machine.settings.stability.motion
    self.time = time
    updateEmptySince(machine.now)
  }

  /// The settings of the scale.
  package var settings: ScaleSettings { machine.settings }

  /// The calibration in use; `nil` without a pad, and for a converter without points.
  package var calibration: Calibration? { machine.pad.flatMap { $0.isCalibrated ? $0.calibration : nil } }

  /// Whether a plate always rests on the pad: a load cell and a Balance Board always carry one.
  package var hasPlatter: Bool { machine.settings.surface == .platter || axis?.carriesPlate == true || isConverter }

  /// Whether the pad is a load cell behind a converter, which reads any offset when it is empty.
  package var isConverter: Bool { description?.deliversEverySample == true }

  /// Whether nothing touches the pad when it is empty.
  package var isBareWhenEmpty: Bool { !hasPlatter && axis?.mayRestAboveZero == false }

  /// Whether a load is more than an empty pad reads.
  package func isLoaded(_ rest: LoadRest) -> Bool {
    guard let axis else { return false }
    // The offset of a converter is learned as that of the plate.
    if isConverter { return rest.isAtMaximum || !machine.reading.isInsideZero }
    return rest.isAtMaximum
      || rest.counts
        > CalibrationTrial.mostWhenEmpty(rest, isBare: isBareWhenEmpty, fullScale: axis.fullScale)
  }

  /// Whether two loads are equal within the noise and the limit of motion.
  package func isAlike(_ a: LoadRest, _ b: LoadRest) -> Bool {
    guard a.isAtMaximum == b.isAtMaximum else { return false }
    let noise = 5 * (a.deviation * a.deviation + b.deviation * b.deviation).squareRoot()
    let limit = calibration == nil ? axis.map(Self.drift) : nil
    return (a.counts - b.counts).magnitude <= max(noise, limit ?? counts(of: motion, at: a))
  }

  /// The drift of a load cell without a calibration that is not a load, in counts: its range and the capacity say nothing about grams, and by
  /// them, 20 g on a common cell would be less than one. Chosen: 1,024 counts of 24 bits. A cell for 20 kg with 2 mV/V has 4,000 in 20 g; the
  /// drift of an HX711 in its first minute is a few hundred. With a smaller limit, drift counts as the next mass; with a larger one, a light mass
  /// is not noticed.
  private static func drift(_ axis: LoadAxis) -> Double { Double(axis.fullScale.counts) / 16_384 }

  /// The axis that is measured; `nil` without a pad.
  public var axis: LoadAxis? { machine.pad?.axis }

  /// The pad; `nil` while none is connected.
  public var description: PadDescription? { machine.pad?.description }

  /// The curve in use; `nil` for the resolution of the driver and the nominal response.
  public var curve: CalibrationCurve? {
    guard let pad = machine.pad, pad.calibration.origin == .user else { return nil }
    return machine.settings.curve
  }

  /// Converts a mass to counts near a load.
  public func counts(of mass: Grams, at rest: LoadRest) -> Double {
    guard let pad = machine.pad else { return 0 }
    return mass.value / max(pad.calibration.slope(at: RawForce(Int(rest.counts))), .leastNormalMagnitude)
  }

  /// Processes an input of the pad: its connection, a frame, its loss.
  public mutating func handle(_ input: ScaleMachine.Input, at time: Instant) {
    if case .padLost(let reason) = input { self.reason = reason }
    _ = machine.handle(input, at: time)
    updateEmptySince(machine.now)
  }

  /// Advances the time.
  public mutating func advance(to time: Instant) {
    _ = machine.advance(to: time)
    updateEmptySince(machine.now)
  }

  /// When the gauge next needs `advance(to:)`, if nothing happens before.
  public var nextDeadline: Instant? { machine.nextDeadline }

  /// The current state.
  public var state: State {
    guard machine.pad != nil else { return .noPad(reason) }
    let now = machine.now
    guard !machine.meter.isAtEnd else { return .resting(LoadRest(counts: 0, end: now, isAtMaximum: true)) }
    guard let estimate = machine.meter.estimate(at: now) else {
      let rest = LoadRest(counts: 0, duration: emptySince.map { now - $0 } ?? .zero, end: now)
      return rest.duration >= time ? .resting(rest) : .settling(rest)
    }
    let observed = machine.meter.observed(until: now)
    let rest = LoadRest(
      counts: estimate.level, spread: machine.meter.sampleDeviation, deviation: estimate.deviation,
      drift: estimate.slope, duration: observed - estimate.since, end: observed)
    let rests = rest.duration >= time && rest.drift.magnitude * time.seconds <= counts(of: motion, at: rest)
    return rests ? .resting(rest) : .settling(rest)
  }

  private mutating func updateEmptySince(_ now: Instant) {
    let isEmpty = machine.pad != nil && machine.meter.isIdle && !machine.meter.isAtEnd
    emptySince = isEmpty ? emptySince ?? now : nil
  }
}
