import Configuration
import Languages
import Linux
import Messages
import Servers
import Synchronization
import Weighing

/// Calibrates the pad of the running appliance for a page or a program: at most one session at a time.
///
/// The weighing thread passes on what the pad does, the dashboard what the user asks. Fits and payloads are computed
/// outside the lock, so that the weighing thread waits for neither.
final class CalibrationService: Sendable {
  private let state = Mutex(State())
  /// What the page asks for: a fit takes its time.
  private let worker = Worker<@Sendable () -> Void>("calibration")
  private let follow: @Sendable (any PadObserver) -> Void

  /// Makes a service without a session.
  ///
  /// - Parameter follow: Lets an observer follow the pad.
  init(follow: @escaping @Sendable (any PadObserver) -> Void) { self.follow = follow }

  deinit { worker.stop() }

  /// Sets where accepted calibrations are stored; `nil` if they cannot be.
  func setStore(_ store: CalibrationStore?) { state.withLock { $0.store = store } }

  /// Whether a page or a program is calibrating.
  var isAttended: Bool { state.withLock { $0.session?.isAttended == true } }

  /// Sets the current configuration and its settings; a session that measures with others ends.
  func configure(_ configuration: Configuration, _ settings: ScaleSettings) {
    state.withLock { state in
      (state.configuration, state.settings) = (configuration, settings)
      state.session?.configure(settings, at: .now())
    }
  }

  /// Sets whether a pad is connected.
  func setPad(isPresent: Bool) { state.withLock { $0.isPadPresent = isPresent } }

  // MARK: Requests

  /// Starts the thread and returns what the page can ask for; call it once.
  func start() -> CalibratingSource {
    worker.startPerforming()
    return CalibratingSource(
      state: { [self] completion in worker.send { [self] in completion(json()) } },
      perform: { [self] payload, completion in worker.send { [self] in perform(payload, completion) } },
      certificate: { [self] completion in
        worker.send { [self] in completion(Result { () throws(RouteError) in try certificate() }) }
      })
  }

  /// The state of the session as JSON, for users who only look.
  private func json() -> [UInt8] {
    settle()
    return payload(identifier: nil)
  }

  /// Performs a command and passes on the state as JSON.
  private func perform(_ payload: [UInt8], _ completion: @escaping Completion<Result<[UInt8], RouteError>>) {
    do throws(RouteError) {
      let command = try Self.command(payload)
      switch command.work {
      case .start(let start): completion(.success(try begin(start)))
      case .takeOver: completion(.success(try takeOver()))
      case .status:
        try change(command.session) { _ in true }
        finish(completion)
      case .request(let request, let conditions):
        try change(command.session) { $0.perform(request, at: .now()) }
        if case .selfTest = request { state.withLock { $0.conditions = conditions } }
        finish(completion)
      case .apply(let acceptsDoubt): try apply(command.session, acceptsDoubt: acceptsDoubt, completion)
      case .undo: try undo(command.session, completion)
      case .close:
        try change(command.session) { session in
          session.finish(.closed)
          return true
        }
        finish(completion)
      }
    } catch {
      completion(.failure(error))
    }
  }

  private static func command(_ payload: [UInt8]) throws(RouteError) -> CalibrationCommand {
    do throws(PayloadError) {
      return try CalibrationCommand(payload)
    } catch {
      throw .badPayload(error.sentence)
    }
  }

  /// Passes on the state after a command.
  private func finish(_ completion: Completion<Result<[UInt8], RouteError>>) { completion(.success(json())) }

  private func begin(_ start: CalibrationCommand.Start) throws(RouteError) -> [UInt8] {
    let now = Instant.now()
    let identifier = Self.newIdentifier()
    try state.withLock { state throws(RouteError) in
      guard state.isPadPresent else { throw .refused(.init("pad_missing", .remoteNoPad)) }
      if state.session?.end == nil, state.session != nil, !start.replaces {
        throw .refused(.init("busy", .remoteOther))
      }
      let settings = state.settings
      state.session = CalibrationSession(
        masses: start.masses, capacity: settings.scale.capacity, division: settings.scale.division, shape: start.shape,
        rest: start.rest, at: now)
      (state.identifier, state.previous) = (identifier, nil)
    }
    follow(self)
    return payload(identifier: identifier)
  }

  /// Gives the session to another page or program; what was measured remains.
  private func takeOver() throws(RouteError) -> [UInt8] {
    let identifier = Self.newIdentifier()
    try change(state.withLock { $0.identifier }) { session in
      _ = session.perform(.stop, at: .now())
      return session.end == nil
    }
    state.withLock { $0.identifier = identifier }
    settle()
    return payload(identifier: identifier)
  }

  private func change(
    _ identifier: String?, _ body: (inout CalibrationSession) -> Bool
  ) throws(RouteError) {
    let (isPossible, isBack) = try state.withLock { state throws(RouteError) in
      guard var session = state.session, identifier == state.identifier else { throw .refused(Self.noSession) }
      state.session = nil
      defer { state.session = session }
      let wasAttended = session.isAttended
      session.extend(at: .now())
      return (body(&session), session.isAttended && !wasAttended)
    }
    // The weighing thread makes no ticks for an unattended session.
    if isBack { follow(self) }
    guard isPossible else { throw .refused(Self.notNow) }
  }

  private static let notNow = RouteError.Refusal("not_now", .remoteNotNow)

  // MARK: Applying

  /// Stores the calibration and puts it in force.
  private func apply(
    _ identifier: String?, acceptsDoubt: Bool, _ completion: @escaping Completion<Result<[UInt8], RouteError>>
  ) throws(RouteError) {
    settle()
    let (new, curve, before) = try state.withLock {
      state throws(RouteError) -> (Configuration.Calibration, CalibrationCurve?, CalibrationCurve?) in
      guard let session = state.session, identifier == state.identifier else { throw .refused(Self.noSession) }
      let outcome = try Self.applicable(session, acceptsDoubt: acceptsDoubt)
      let record = StoredCalibration(
        outcome, of: session.procedure.trial, pad: session.pad, date: WallClock.recorded.text(.wallClock()))
      let new = Configuration.Calibration(record)
      do throws(UnusableCalibrationError) {
        return (new, try new.makeCurve(), state.settings.curve)
      } catch {
        throw .refused(.init("refused", Sentence(.refused, ["reason": error.sentence])))
      }
    }
    try replace(identifier, with: new, curve, completion) { state, replaced in
      state.session?.markApplied(curve)
      state.previous = state.previous ?? Previous(calibration: replaced, curve: before)
    }
  }

  /// Puts the calibration from before the session back in force.
  private func undo(
    _ identifier: String?, _ completion: @escaping Completion<Result<[UInt8], RouteError>>
  ) throws(RouteError) {
    guard let previous = state.withLock({ identifier == $0.identifier ? $0.previous : nil }) else {
      throw .refused(.init("nothing_to_undo", .remoteNotApplied))
    }
    try replace(identifier, with: previous.calibration, previous.curve, completion) { state, _ in
      state.session?.markApplied(nil)
      state.previous = nil
    }
  }

  /// Puts a calibration with this curve in force, and passes on the state after that.
  ///
  /// - Parameter onReplaced: Called under the lock, if the session is still the same, with the calibration that was stored before.
  private func replace(
    _ identifier: String?, with calibration: Configuration.Calibration?, _ curve: CalibrationCurve?,
    _ completion: @escaping Completion<Result<[UInt8], RouteError>>,
    onReplaced: @escaping @Sendable (inout State, Configuration.Calibration?) -> Void
  ) throws(RouteError) {
    guard let store = state.withLock({ $0.store }) else { throw .refused(Self.noConfiguration) }
    // Announced before, so that the session recognises the new curve as its own.
    try change(identifier) { session in
      session.announce(curve)
      return session.end == nil
    }
    store.replace(calibration) { [self] result in
      switch result {
      case .failure(let error): completion(.failure(RouteError(error)))
      case .success(let replaced):
        state.withLock { state in
          if identifier == state.identifier { onReplaced(&state, replaced) }
        }
        worker.send { [self] in finish(completion) }
      }
    }
  }

  /// The outcome to apply; throws the reason if it cannot be applied.
  private static func applicable(
    _ session: CalibrationSession, acceptsDoubt: Bool
  ) throws(RouteError) -> CalibrationTrial.Outcome {
    if let outcome = session.applicable(acceptingDoubt: acceptsDoubt) { return outcome }
    if let end = session.end { throw .refused(.init("no_session", end.sentence)) }
    switch session.outcome {
    case .failure(let error)?: throw .refused(.init("refused", Sentence(.refused, ["reason": error.sentence])))
    case .success(let outcome)? where session.activity == .ready:
      throw .refused(.init("doubtful", outcome.doubt?.sentence ?? notNow.detail))
    case .success?, nil: break
    }
    let open = session.procedure.states.count { $0 == .open }
    guard session.activity == .ready, open > 0 else { throw .refused(notNow) }
    throw .refused(
      .init(
        "incomplete", Sentence(.remoteSteps, ["number": open, "count": session.procedure.steps.count])))
  }

  private static let noSession = RouteError.Refusal("no_session", .remoteOver)
  private static let noConfiguration = RouteError.Refusal("no_configuration", .remoteNoFile)

  /// Computes the outcome of a trial that is complete.
  private func settle() {
    let procedure = state.withLock { $0.session.flatMap { $0.needsOutcome ? $0.procedure : nil } }
    guard let procedure else { return }
    let outcome: Result<CalibrationTrial.Outcome, CalibrationError>
    do throws(CalibrationError) {
      outcome = .success(try procedure.trial.outcome())
    } catch {
      outcome = .failure(error)
    }
    state.withLock { $0.session?.decide(outcome, of: procedure) }
  }

  /// The certificate of the self-test.
  private func certificate() throws(RouteError) -> String {
    let state = state.withLock { $0 }
    return try CalibrationCertificateFile(state.session, under: state.configuration, conditions: state.conditions).text
  }

  private func payload(identifier: String?) -> [UInt8] { state.withLock { $0 }.json(identifier: identifier) }

  /// 128 random bits.
  private static func newIdentifier() -> String {
    var random = SystemRandomNumberGenerator()
    return [random.next(), random.next()].map { (bits: UInt64) in HexadecimalText.fixed(bits) }.joined()
  }
}

extension CalibrationService: PadObserver {
  func attach(_ scale: ScaleMachine, at now: Instant) { state.withLock { $0.session?.attach(scale) } }

  func handle(_ event: PadEvent, at now: Instant) { state.withLock { $0.session?.handle(event, at: now) } }

  func advance(to now: Instant) { state.withLock { $0.session?.advance(to: now) } }

  var nextDeadline: Instant? { state.withLock { $0.session?.nextDeadline } }
}

extension RouteError {
  fileprivate init(_ error: SettingsError) {
    switch error {
    case .notWritable: self = .failed(.init("not_saved", error.sentence))
    case .configuration: self = .failed(.init("configuration_invalid", error.sentence))
    case .conflict, .nothingToUndo, .invalid: self = .refused(.init("invalid", error.sentence))
    }
  }
}
