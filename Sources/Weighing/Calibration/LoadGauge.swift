/// Measures loads in counts, for a calibration: the very scale of `run`, asked what its filter knows.
///
/// A load is at rest when the filter's window has stood for `time` and its slope has not carried it further than `limit`
/// meanwhile. So a load that was put down is waited for, and one that creeps is waited for until it creeps no more.
public struct LoadGauge: Sendable {
  /// What is on the pad.
  public enum State: Hashable, Sendable {
    /// No pad yet, or none any more.
    case noPad(String)
    /// Something moves, or has not been looked at for long enough: what is known so far.
    case settling(LoadRest)
    /// It rests.
    case resting(LoadRest)
  }

  /// How long a load is looked at.
  public let time: Interval

  private var machine: ScaleMachine
  private var emptySince: Instant?
  private var reason = "no pad was found"
  private let motion: Grams

  /// Makes a gauge without a pad.
  ///
  /// - Parameters:
  ///   - settings: Those of the scale; its calibration is what `reading` goes by.
  ///   - time: How long a load has to rest.
  public init(settings: ScaleSettings, time: Interval, at now: Instant) {
    machine = ScaleMachine(settings: settings, at: now)
    motion = settings.motion
    self.time = time
  }

  /// What the scale says now.
  public var reading: Reading { machine.reading }

  /// The axis that is measured; `nil` without a pad.
  public var axis: LoadAxis? { machine.pad?.axis }

  /// The pad; `nil` without one.
  public var description: PadDescription? { machine.pad?.description }

  /// The curve that the pad is weighed by; `nil` for what its driver states or the nominal response.
  public var curve: CalibrationCurve? {
    guard let pad = machine.pad, pad.calibration.origin == .user else { return nil }
    return machine.settings.curve
  }

  /// Returns the number of counts that correspond to a mass near a load.
  public func counts(of mass: Grams, at rest: LoadRest) -> Double {
    guard let pad = machine.pad else { return 0 }
    return mass.value / max(pad.calibration.slope(at: RawForce(Int(rest.counts))), .leastNormalMagnitude)
  }

  /// Takes what happened to the pad: a pad, a frame, its loss.
  public mutating func handle(_ input: ScaleMachine.Input, at time: Instant) {
    if case .padLost(let reason) = input { self.reason = reason }
    _ = machine.handle(input, at: time)
    note(machine.now)
  }

  /// Lets time pass.
  public mutating func advance(to time: Instant) {
    _ = machine.advance(to: time)
    note(machine.now)
  }

  /// When the gauge next has something to do if nothing happens.
  public var nextDeadline: Instant? { machine.nextDeadline }

  /// What is on the pad now.
  public var state: State {
    guard machine.pad != nil else { return .noPad(reason) }
    let now = machine.now
    guard !machine.axisAtEnd else { return .resting(LoadRest(counts: 0, end: now, isAtMaximum: true)) }
    guard let estimate = machine.filter.estimate(at: now) else {
      let rest = LoadRest(counts: 0, duration: emptySince.map { now - $0 } ?? .zero, end: now)
      return rest.duration >= time ? .resting(rest) : .settling(rest)
    }
    let rest = LoadRest(
      counts: estimate.level, spread: machine.filter.sampleDeviation, deviation: estimate.deviation,
      drift: estimate.slope, duration: now - estimate.since, end: now)
    let rests = rest.duration >= time && rest.drift.magnitude * time.seconds <= counts(of: motion, at: rest)
    return rests ? .resting(rest) : .settling(rest)
  }

  private mutating func note(_ now: Instant) {
    let isEmpty = machine.pad != nil && machine.filter.isIdle && !machine.axisAtEnd
    emptySince = isEmpty ? emptySince ?? now : nil
  }
}
