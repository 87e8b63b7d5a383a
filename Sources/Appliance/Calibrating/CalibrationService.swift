import Configuration
import Dashboard
import EventLoop
import Messages
import Synchronization
import Weighing

/// Calibrates the pad of the running appliance for a page or a program: at most one session at a time.
///
/// The weighing thread passes on what the pad does, the dashboard what the user asks. Fits and payloads are computed
/// outside the lock, so that the weighing thread waits for neither.
final class CalibrationService: Sendable {
  private struct State: Sendable {
    var session: CalibrationSession?
    /// Identifies the page that started the session.
    var identifier = ""
    var settings = ScaleSettings()
    var isPadPresent = false
  }

  private let state = Mutex(State())
  private let follow: @Sendable (any PadObserver) -> Void

  /// Makes a service without a session.
  ///
  /// - Parameter follow: Lets an observer follow the pad.
  init(follow: @escaping @Sendable (any PadObserver) -> Void) { self.follow = follow }

  /// Sets the current settings; a session that measures with others ends.
  func configure(_ settings: ScaleSettings) {
    state.withLock { state in
      state.settings = settings
      state.session?.configure(settings, at: .now())
    }
  }

  /// Sets whether a pad is connected.
  func setPad(isPresent: Bool) { state.withLock { $0.isPadPresent = isPresent } }

  // MARK: Requests

  /// The state of the session as JSON, for users who only look.
  func json() -> [UInt8] {
    settle()
    return payload(identifier: nil)
  }

  /// Performs a command and returns the state as JSON.
  ///
  /// - Throws: `RouteError`.
  func perform(_ payload: [UInt8]) throws(RouteError) -> [UInt8] {
    let command: CalibrationCommand
    do throws(PayloadError) {
      command = try CalibrationCommand(payload)
    } catch {
      throw .badPayload(error.detail)
    }
    switch command.work {
    case .start(let start): return try begin(start)
    case .status: try change(command.session) { _ in true }
    case .request(let request, _): try change(command.session) { $0.perform(request, at: .now()) }
    case .apply: throw .refused(Self.notNow)
    case .close:
      try change(command.session) { session in
        session.finish(.closed)
        return true
      }
    }
    settle()
    return self.payload(identifier: nil)
  }

  private func begin(_ start: CalibrationCommand.Start) throws(RouteError) -> [UInt8] {
    let now = Instant.now()
    let identifier = Self.newIdentifier()
    try state.withLock { state throws(RouteError) in
      guard state.isPadPresent else { throw .refused(.init("pad_missing", "No pad is connected.")) }
      if state.session?.end == nil, state.session != nil, !start.replaces {
        throw .refused(.init("busy", "Another page or program is calibrating."))
      }
      let settings = state.settings
      state.session = CalibrationSession(
        masses: start.masses, capacity: settings.capacity, division: settings.division, shape: start.shape,
        rest: start.rest, at: now)
      state.identifier = identifier
    }
    follow(self)
    return payload(identifier: identifier)
  }

  private func change(
    _ identifier: String?, _ body: (inout CalibrationSession) -> Bool
  ) throws(RouteError) {
    try state.withLock { state throws(RouteError) in
      guard var session = state.session, identifier == state.identifier else {
        throw .refused(.init("no_session", "This calibration is over. Start again."))
      }
      state.session = nil
      defer { state.session = session }
      session.extend(at: .now())
      guard body(&session) else { throw .refused(Self.notNow) }
    }
  }

  private static let notNow = RouteError.Refusal("not_now", "This is not possible at this step.")

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

  private func payload(identifier: String?) -> [UInt8] {
    let (session, settings) = state.withLock { ($0.session, $0.settings) }
    var json = JSONWriter()
    json.object { json in
      if let identifier {
        json.key("session")
        json.string(identifier)
      }
      for (key, mass) in [("capacity_g", settings.capacity), ("division_g", settings.division.step)] {
        json.key(key)
        json.number(mass.value)
      }
      if let session {
        session.write(&json, at: .now())
      } else {
        json.key("state")
        json.string("none")
      }
    }
    return json.bytes
  }

  /// 128 random bits.
  private static func newIdentifier() -> String {
    var random = SystemRandomNumberGenerator()
    return [random.next(), random.next()].map { (bits: UInt64) in HexadecimalText.fixed(bits) }.joined()
  }
}

extension CalibrationService: PadObserver {
  func attach(_ scale: ScaleMachine, at now: Instant) {
    state.withLock { $0.session?.attach(scale) }
  }

  func handle(_ event: PadEvent, at now: Instant) {
    state.withLock { $0.session?.handle(event, at: now) }
  }

  func advance(to now: Instant) {
    state.withLock { $0.session?.advance(to: now) }
  }

  var nextDeadline: Instant? { state.withLock { $0.session?.nextDeadline } }
}
