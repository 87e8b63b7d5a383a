/// A calibration on a running scale: the user's requests, the pad and time go in, the state comes out.
///
/// ```
///   ready ──measure──► measuring ──result──► ready, with a note
///     │                    └──gap, stop────► ready
///     ├──verify, selfTest─► loading ──done──► ready, with the result
///     └─────────any──────────────────────────────────► ended: closed, abandoned, pad lost, reloaded
///
///   present ──patience──► absent, if a measurement would be lost ──keepingTime──► ended: abandoned
///      └─────▲─extend────────┘                  otherwise: ended: abandoned
/// ```
/// The scale keeps weighing with its own calibration. The session measures with a copy of the scale and is pure: a
/// deadline stops it when its user is gone, and another one ends it. The fit may take milliseconds, so the caller computes it: whenever
/// `needsOutcome` is true, it passes the outcome of `procedure.trial` to `decide`.
package struct CalibrationSession: Sendable {
  /// Whether a page or a program uses the session, until a deadline.
  private enum User: Hashable, Sendable {
    /// A page or a program has sent a request recently.
    case present(until: Instant)
    /// No page or program has; the measurements are kept until one continues with them.
    case absent(until: Instant)
  }

  /// The time without a request after which the session counts as unattended. Browsers run the timers of a hidden page once a
  /// minute.
  package static let patience = Interval.seconds(150)
  /// How long the measurements are kept after that. The first mass and the empty pad are measured twice, which shows how
  /// much the pad has drifted in between.
  package static let keepingTime = Interval.seconds(86_400)
  /// The maximum time for a load to come to rest after the user has asked to measure it; hands shake and pads creep.
  package static let measurementTime = Interval.seconds(30)
  /// The interval between two looks at the load.
  private static let tick = Interval.milliseconds(100)

  /// The steps.
  package private(set) var procedure: CalibrationProcedure
  /// The measurement; `nil` before the pad is connected to the session, and when it is over.
  package private(set) var gauge: LoadGauge?
  /// What the session does.
  package private(set) var activity = Activity.ready
  /// What the last request or measurement has led to.
  package private(set) var note: Note?
  /// The result of the fit; `nil` while steps are open.
  package private(set) var outcome: Result<CalibrationTrial.Outcome, CalibrationError>?
  /// The curve of the outcome as it is stored and used; `nil` if it is not in use.
  package private(set) var appliedCurve: CalibrationCurve?
  /// The curve that the session itself puts in force, whose arrival does not end it; `nil` if it does so with none.
  private var announcedCurve: CalibrationCurve??
  /// The last verification.
  package private(set) var verification: Verification?
  /// The last self-test, with its mass and its end.
  package private(set) var selfTest: (test: SelfTest, mass: Grams, end: Instant)?
  /// Why the session is over; `nil` while it is not.
  package private(set) var end: End?
  /// The pad that is calibrated; `nil` before it is connected to the session.
  package private(set) var pad: CalibratedPad?
  private let division: Division
  /// How long a load has to be at rest.
  private let restTime: Interval
  private var user: User
  private var nextTick: Instant

  /// Starts a session.
  ///
  /// - Parameters:
  ///   - masses: The masses to measure; empty for a verification or a self-test alone.
  ///   - rest: How long a load has to be at rest.
  package init(
    masses: [Grams], capacity: Grams, division: Division, shape: CurveShape? = nil, rest: Interval, at now: Instant
  ) {
    procedure = CalibrationProcedure(masses: masses, capacity: capacity, division: division, shape: shape)
    (self.division, restTime) = (division, rest)
    user = .present(until: now + Self.patience)
    nextTick = now + Self.tick
  }

  // MARK: Pad and time

  /// Connects the session to the pad of a running scale.
  package mutating func attach(_ scale: ScaleMachine) {
    guard end == nil, gauge == nil else { return }
    guard let connected = scale.pad else { return finish(.noPad) }
    pad = CalibratedPad(connected.description, axis: connected.axis)
    gauge = LoadGauge(scale, time: restTime)
  }

  /// Processes an event of the pad.
  package mutating func handle(_ event: PadEvent, at now: Instant) {
    defer { assertInvariants() }
    guard end == nil, gauge != nil else { return }
    switch event {
    case .frame(let frame):
      gauge?.handle(.frame(frame), at: frame.time)
      if frame.followsGap { interrupt(.gap) }
      observe(now)
    case .lost(let reason), .waiting(let reason): finish(.padLost(reason))
    case .found: finish(.otherPad)
    // The frame after a gap is marked.
    case .button, .gap, .setupWarning: break
    }
  }

  /// When the session next needs `advance(to:)`; `nil` if it is over.
  package var nextDeadline: Instant? {
    guard end == nil else { return nil }
    switch user {
    case .present(let deadline): return min(nextTick, deadline)
    case .absent(let deadline): return deadline
    }
  }

  /// Advances the time.
  package mutating func advance(to now: Instant) {
    guard end == nil else { return }
    switch user {
    case .present(let deadline) where now >= deadline: return leave(now)
    case .absent(let deadline) where now >= deadline: return finish(.abandoned)
    case .absent: return
    case .present: break
    }
    guard now >= nextTick else { return }
    nextTick = now + Self.tick
    gauge?.advance(to: now)
    observe(now)
  }

  /// Whether a page or a program attends to the session.
  package var isAttended: Bool { if case .present = user { end == nil } else { false } }

  /// The user is still there, or there again.
  package mutating func extend(at now: Instant) { user = .present(until: now + Self.patience) }

  /// Stops what a user has to attend to. Measurements that are not in use are kept.
  private mutating func leave(_ now: Instant) {
    guard appliedCurve == nil, procedure.states.contains(where: { $0.rest != nil }) else { return finish(.abandoned) }
    interrupt(.stopped)
    user = .absent(until: now + Self.keepingTime)
  }

  /// Applies changed settings of the scale; those that the session has stored itself do not end it.
  package mutating func configure(_ settings: ScaleSettings, at now: Instant) {
    guard end == nil, let gauge else { return }
    guard gauge.settings.measuresLike(settings, besides: announcedCurve) else { return finish(.reloaded) }
    self.gauge?.handle(.settings(settings), at: now)
  }

  /// Ends the session.
  package mutating func finish(_ reason: End) {
    guard end == nil else { return }
    (end, gauge, activity) = (reason, nil, .ready)
  }

  private mutating func observe(_ now: Instant) {
    guard let gauge else { return }
    if case .noPad(let reason) = gauge.state { return finish(reason.map { .padLost($0) } ?? .noPad) }
    switch activity {
    case .ready: break
    case .measuring(var measurement):
      let result = measurement.observe(gauge.state, on: gauge, at: now)
      activity = result == nil ? .measuring(measurement) : .ready
      if let result {
        note = .answer(procedure.record(result, on: gauge))
        procedureChanged()
      }
    case .verifying(var loading, var verification):
      guard progress(&loading, gauge, now) else { return }
      if loading.task == nil, let calibration = calibration {
        verification.reading = loading.reading(calibration)
        (self.verification, activity) = (verification, .ready)
      } else {
        activity = .verifying(loading, verification)
      }
    case .testing(var loading, let mass):
      guard progress(&loading, gauge, now) else { return }
      if loading.task == nil, let calibration = calibration {
        selfTest = (loading.selfTest(calibration, limits: SelfTest.Limits(division: division)), mass, now)
        activity = .ready
      } else {
        activity = .testing(loading, mass: mass)
      }
    }
  }

  /// Observes the load; returns `false` if this has ended the activity.
  private mutating func progress(_ loading: inout LoadingProcedure, _ gauge: LoadGauge, _ now: Instant) -> Bool {
    do throws(LoadingProcedure.Failure) {
      try loading.observe(gauge.state, on: gauge, at: now)
      return true
    } catch {
      interrupt(.failed(error))
      return false
    }
  }

  private mutating func interrupt(_ note: Note) {
    guard activity != .ready else { return }
    (activity, self.note) = (.ready, note)
  }

  // MARK: Requests

  /// The calibration to verify: the one that was just made, else that of the scale.
  package var calibration: Calibration? {
    guard let gauge, let axis = gauge.axis else { return nil }
    if let curve = try? outcome?.get().choice.curve {
      return Calibration(curve: curve, axis: axis, capacity: gauge.settings.scale.capacity)
    }
    return gauge.calibration
  }

  /// Whether the outcome has to be computed.
  package var needsOutcome: Bool { end == nil && outcome == nil && !procedure.steps.isEmpty && procedure.isComplete }

  /// Sets the outcome of a trial, unless the procedure has changed since.
  package mutating func decide(
    _ outcome: Result<CalibrationTrial.Outcome, CalibrationError>, of procedure: CalibrationProcedure
  ) {
    if needsOutcome, procedure == self.procedure { self.outcome = outcome }
  }

  /// Performs a request of the user; returns `false` if it is not possible now.
  package mutating func perform(_ request: Request, at now: Instant) -> Bool {
    defer { assertInvariants() }
    guard end == nil, let gauge else { return false }
    switch (request, activity) {
    case (.stop, .measuring), (.stop, .verifying), (.stop, .testing):
      interrupt(.stopped)
      return true
    case (.measure, .ready): return measure(gauge, now)
    case (.keep, .ready), (.repeatStep, .ready):
      guard procedure.objection != nil else { return false }
      if request == .keep { procedure.keep() } else { procedure.repeatStep() }
    case (.skip, .ready):
      guard procedure.step != nil else { return false }
      procedure.skip()
    case (.select(let index), .ready):
      let isResult = index == procedure.steps.count && !procedure.states.contains(.open)
      guard procedure.steps.indices.contains(index) || isResult && index > 0 else { return false }
      procedure.select(index)
    case (.correct(let index, let mass), .ready):
      guard procedure.steps.indices.contains(index), case let old = procedure.steps[index].mass, old > .zero else {
        return false
      }
      procedure.correct(old, to: mass)
    case (.choose(let shape), .ready):
      procedure.shape = shape
    case (.verify(let mass, let tolerance), .ready):
      guard calibration != nil else { return false }
      (verification, note) = (nil, nil)
      // The mass of the last step may still lie there.
      let other = procedure.lastLoad.flatMap { $0.mass == mass ? nil : $0.rest }
      activity = .verifying(
        .verification(of: mass, hasPlatter: gauge.hasPlatter, after: other),
        Verification(mass: mass, tolerance: tolerance ?? division.step))
      return true
    case (.selfTest(let mass, let rounds, let creepTime), .ready):
      // Its certificate is about the calibration in use.
      guard !hasUnusedOutcome, calibration != nil else { return false }
      (selfTest, note) = (nil, nil)
      activity = .testing(.selfTest(of: mass, rounds: rounds, creepTime: creepTime), mass: mass)
      return true
    case (_, .ready), (_, .measuring), (_, .verifying), (_, .testing): return false
    }
    note = nil
    procedureChanged()
    return true
  }

  private mutating func measure(_ gauge: LoadGauge, _ now: Instant) -> Bool {
    guard procedure.step != nil, procedure.objection == nil else { return false }
    activity = .measuring(LoadMeasurement(unlike: procedure.earlierLoads, until: now + Self.measurementTime))
    note = nil
    observe(now)
    return true
  }

  private mutating func procedureChanged() { (outcome, appliedCurve) = (nil, nil) }

  /// Whether there is a calibration that is not in use.
  package var hasUnusedOutcome: Bool { appliedCurve == nil && (try? outcome?.get()) != nil }

  /// The outcome that may be applied; `nil` without one, if it is refused, or if it is in doubt and the user has not
  /// accepted that.
  package func applicable(acceptingDoubt: Bool) -> CalibrationTrial.Outcome? {
    guard end == nil, activity == .ready, let outcome = try? outcome?.get() else { return nil }
    return outcome.doubt == nil || acceptingDoubt ? outcome : nil
  }

  /// Announces a change of the curve by the session itself; `nil` for a scale without a curve.
  package mutating func announce(_ curve: CalibrationCurve?) { announcedCurve = .some(curve) }

  /// The outcome is in use as this curve, or no longer: `nil`. A self-test was about the calibration in use before.
  package mutating func markApplied(_ curve: CalibrationCurve?) {
    appliedCurve = (try? outcome?.get()) == nil ? nil : curve
    selfTest = nil
    if curve == nil { verification = nil }
  }
}

extension ScaleSettings {
  /// Whether loads are measured in the same way, apart from a curve that may be the new one.
  fileprivate func measuresLike(_ other: ScaleSettings, besides curve: CalibrationCurve??) -> Bool {
    other.scale.capacity == scale.capacity && other.scale.division == scale.division && other.surface == surface
      && other.axis == axis && other.stability == stability && other.zones == zones
      && (other.curve == self.curve || curve.map { other.curve == $0 } == true)
  }
}

extension CalibrationSession: Invariants {
  var invariants: KeyValuePairs<String, Bool> {
    [
      "what has ended measures nothing": end == nil || gauge == nil && activity == .ready,
      "a measurement has a pad": activity == .ready || gauge != nil,
      "a measurement is attended to": activity == .ready || isAttended,
      "an outcome is one of complete steps": outcome == nil || procedure.isComplete,
      "a curve in use is an outcome": appliedCurve == nil || outcome != nil,
    ]
  }
}
