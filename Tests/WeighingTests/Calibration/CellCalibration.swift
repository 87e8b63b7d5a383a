import Recordings
import Testing
import Weighing

/// A fresh load cell behind a converter, which a user calibrates step by step while the scale runs.
struct CellCalibration {
  private(set) var scale: ScaleMachine
  private(set) var session: CalibrationSession
  /// What the scale has published.
  private(set) var effects: [Effect] = []
  /// What lies on the plate.
  private(set) var load = 0.0
  private(set) var now = Instant(nanoseconds: 1_000_000_000)
  /// The state that was stored last.
  private var memory: ScaleMemory?
  private let settings: ScaleSettings
  private let pad: PadDescription
  /// The counts under the plate alone.
  let empty: Double
  let countsPerGram: Double
  private let noise: Double
  private var random: SplitMix64

  static let capacity = 500.0

  /// Makes a cell of any sensitivity, plate, offset and noise, with the configuration of the build sheet of the HX711.
  ///
  /// - Parameters:
  ///   - sensitivity: Its counts per gram instead.
  ///   - other: The settings instead.
  init(masses: [Double], seed: UInt64, sensitivity: Double? = nil, settings other: ScaleSettings? = nil) {
    random = SplitMix64(seed: seed)
    let drawn = 1000 + 3000 * random.unit()
    countsPerGram = sensitivity ?? drawn
    empty = Double(1 << 23) + (random.unit() - 0.3) * 400_000
    noise = 0.01 + 0.02 * random.unit()
    var settings = ScaleSettings()
    settings.scale.capacity = Grams(Self.capacity)
    settings.scale.division = Division(Grams(0.1)) ?? .gram
    settings.scale.minimum = Grams(0.2)
    settings.stability.motion = Grams(0.2)
    if let other { settings = other }
    self.settings = settings
    pad = PadDescription(
      name: "hx711", axes: [.pressure: AxisRange(minimum: 0, maximum: 1 << 24 - 1)], keys: [.touch],
      deliversEverySample: true)
    scale = ScaleMachine(settings: settings, at: now)
    session = CalibrationSession(
      masses: masses.map { Grams($0) }, capacity: settings.scale.capacity, division: settings.scale.division,
      rest: .seconds(3),
      at: now)
    effects += scale.handle(.padFound(pad), at: now)
    run(3)
    session = CalibrationSession(
      masses: masses.map { Grams($0) }, capacity: settings.scale.capacity, division: settings.scale.division,
      rest: .seconds(3),
      at: now)
    session.attach(scale)
  }

  var reading: Reading { scale.reading }

  /// Puts a mass on the plate instead of what is there, and lets it rest.
  mutating func put(_ grams: Double, for seconds: Double = 4) {
    load = grams
    run(seconds)
  }

  /// Delivers ten samples a second.
  mutating func run(_ seconds: Double) {
    for _ in 0..<Int(seconds * 10) {
      now = now + .milliseconds(100)
      let counts = (empty + countsPerGram * (load + noise * random.gaussian())).rounded()
      let contact = Contact(serial: 1, position: nil, origin: nil, raw: RawForce(Int(counts)), isAtMaximum: false)
      let frame = Frame(time: now, contacts: [contact])
      scale.handle(.frame(frame), at: now, into: &effects)
      scale.checkInvariants()
      session.handle(.frame(frame), at: now)
      session.advance(to: now)
    }
    session.extend(at: now)
  }

  /// Measures all steps but those that the user skips; the mass of the last one stays on the plate.
  mutating func measureAll(skipping: (CalibrationStep) -> Bool = { _ in false }) throws {
    while let step = session.procedure.step {
      if skipping(step) {
        try perform(.skip)
        continue
      }
      put(step.mass.value, for: 1)
      let before = session.procedure.index
      try perform(.measure)
      for _ in 0..<40 where session.activity != .ready { run(1) }
      try #require(session.procedure.index != before, "\(String(describing: session.note))")
    }
    session.decide(.success(try session.procedure.trial.outcome()), of: session.procedure)
  }

  /// Measures the step with what the user puts on, whatever it should be.
  mutating func measure(_ grams: Double) throws {
    put(grams, for: 1)
    try perform(.measure)
    for _ in 0..<40 where session.activity != .ready { run(1) }
  }

  private mutating func perform(_ request: CalibrationSession.Request) throws {
    let isPossible = session.perform(request, at: now)
    try #require(isPossible, "\(request)")
  }

  /// The settings with the calibration that was measured.
  func calibrated(on date: String = "2026-11-27T18:00:00.000Z") throws -> ScaleSettings {
    let curve = try #require(session.applicable(acceptingDoubt: false)).choice.curve
    var settings = settings
    settings.curve = curve
    settings.curveZero = CalibratedZero(counts: try #require(curve.countsWithoutLoad), date: date)
    return settings
  }

  /// Puts settings in force, as the appliance does with those of its session.
  mutating func apply(_ settings: ScaleSettings) {
    session.announce(settings.curve)
    session.configure(settings, at: now)
    effects += scale.handle(.settings(settings), at: now)
  }

  /// Ends the run and begins another one, with the state that the last one has stored.
  mutating func restart(_ settings: ScaleSettings, keepsState: Bool) {
    memory = effects.compactMap { if case .memory(let memory, _) = $0 { memory } else { nil } }.last ?? memory
    now = now + .seconds(5)
    scale = ScaleMachine(settings: settings, at: now)
    effects = []
    if keepsState, let memory { _ = scale.handle(.restore(memory), at: now) }
    effects += scale.handle(.padFound(pad), at: now)
    run(4)
  }

  /// Requests an action.
  mutating func ask(_ action: Action) {
    effects += scale.handle(.request(ActionRequest(action: action, source: .mqtt)), at: now)
  }

  /// Checks that the scale shows what lies on the plate.
  func showsTheTruth(_ what: Comment, _ location: SourceLocation = #_sourceLocation) {
    guard load > 0 else {
      #expect(reading.printable == "0.0 g", what, sourceLocation: location)
      return
    }
    let error = (reading.highResolution?.value ?? .infinity) - load
    let limit = 5 * (reading.uncertainty?.value ?? 0)
    #expect(
      reading.state == .stable && error.magnitude <= limit, "\(what): \(load) g, \(reading)", sourceLocation: location)
  }
}
