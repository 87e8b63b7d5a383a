import Recordings
import Testing

@testable import Weighing

/// A scale with a simulated pad whose loads a test puts on, and a session that calibrates it.
struct CalibrationBench {
  private(set) var pad: SimulatedPad
  private(set) var scale: ScaleMachine
  var session: CalibrationSession
  private(set) var now: Instant
  /// What the scale has published.
  private(set) var effects: [Effect] = []
  private var assembler: FrameAssembler
  private var loads = 0
  /// Whether the user is there.
  var isAttended = true

  static let masses = [50.0, 100, 200, 300, 380].map { Grams($0) }

  init(
    _ masses: [Grams] = masses, physics: PadPhysics = .typical, settings: ScaleSettings = ScaleSettings(),
    load: Double? = nil, seed: UInt64 = 1
  ) throws {
    var physics = physics
    physics.rate = 60
    pad = SimulatedPad(physics, script: LoadScript(), seed: seed)
    assembler = try FrameAssembler(pad: pad.description, axis: settings.axis)
    scale = ScaleMachine(settings: settings, at: pad.start)
    now = pad.start
    session = CalibrationSession(
      masses: masses, capacity: settings.scale.capacity, division: settings.scale.division, rest: .seconds(3),
      at: pad.start)
    _ = scale.handle(.padFound(pad.description), at: now)
    put(load)
    run(4)
    session = CalibrationSession(
      masses: masses, capacity: settings.scale.capacity, division: settings.scale.division, rest: .seconds(3), at: now)
    session.attach(scale)
  }

  /// Takes everything off the pad, and puts a mass on it.
  mutating func put(_ grams: Double?) {
    loads += 1
    let load = grams.map { HandledLoads.Load(id: loads, mass: Grams($0), position: Position(x: 0.5, y: 0.5)) }
    pad.hold(HandledLoads(loads: [load].compactMap(\.self)))
  }

  /// Passes time, as the weighing thread does.
  mutating func run(_ seconds: Double, losingEvents: Bool = false) {
    let end = now + .seconds(seconds)
    var events: [InputEvent] = []
    var isLost = losingEvents
    while now < end {
      events.removeAll(keepingCapacity: true)
      now = pad.next(into: &events)
      for event in events {
        guard var frame = assembler.handle(event) else { continue }
        frame.followsGap = frame.followsGap || isLost
        isLost = false
        scale.handle(.frame(frame), at: frame.time, into: &effects)
        session.handle(.frame(frame), at: now)
      }
      scale.advance(to: now, into: &effects)
      session.advance(to: now)
      scale.checkInvariants()
      if let broken = session.brokenInvariant { Issue.record("\(broken)") }
    }
    if isAttended { session.extend(at: now) }
    decide()
  }

  /// Performs a request, which is possible or not.
  mutating func ask(
    _ request: CalibrationSession.Request, isPossible: Bool? = nil, at location: SourceLocation = #_sourceLocation
  ) {
    let wasPossible = session.perform(request, at: now)
    if let isPossible { #expect(wasPossible == isPossible, "\(request)", sourceLocation: location) }
    #expect(session.brokenInvariant == nil, sourceLocation: location)
    decide()
  }

  /// Puts a mass on and begins to measure the current step.
  mutating func begin(_ grams: Double?) {
    put(grams)
    run(1)
    ask(.measure)
  }

  /// Puts a mass on and measures the current step.
  mutating func measure(_ grams: Double?) {
    begin(grams)
    finish()
  }

  /// Waits until the session is ready, at most for three minutes.
  mutating func finish() {
    let end = now + .seconds(180)
    while session.end == nil, session.activity != .ready, now < end { run(0.5) }
  }

  /// Measures all steps as a careful user does; a mass may be another one than stated.
  mutating func measureAll(instead: [Double: Double] = [:]) {
    while let step = session.procedure.step {
      let mass = step.mass.value
      let before = session.procedure.index
      measure(mass > 0 ? instead[mass] ?? mass : nil)
      if session.procedure.objection != nil { ask(.keep) }
      if session.procedure.index == before { return }
    }
  }

  private mutating func decide() {
    guard session.needsOutcome else { return }
    let procedure = session.procedure
    do throws(CalibrationError) {
      session.decide(.success(try procedure.trial.outcome()), of: procedure)
    } catch {
      session.decide(.failure(error), of: procedure)
    }
  }

  /// Why the calibration is refused; `nil` if it is not.
  var refusal: CalibrationError? {
    if case .failure(let error)? = session.outcome { error } else { nil }
  }
}
