import Recordings
import Weighing

/// A simulated pad, its frames and a scale on them, sample by sample.
struct SimulatedScale {
  var pad: SimulatedPad
  var assembler: FrameAssembler
  var machine: ScaleMachine
  private(set) var now: Instant
  private var events: [InputEvent] = []

  init(
    _ physics: PadPhysics, _ script: LoadScript, settings: ScaleSettings = ScaleSettings(), seed: UInt64 = 1,
    form: PadProtocol = .slots
  ) throws {
    pad = SimulatedPad(physics, script: script, reporting: form, seed: seed)
    assembler = try FrameAssembler(pad: pad.description, axis: settings.axis)
    now = pad.start
    machine = ScaleMachine(settings: settings, at: now)
    _ = machine.handle(.padFound(pad.description), at: now)
  }

  /// Goes on by one sample of the pad; what the scale did up to and with it.
  mutating func step() -> [Effect] {
    events.removeAll(keepingCapacity: true)
    now = pad.next(into: &events)
    var effects: [Effect] = []
    for event in events {
      if let frame = assembler.handle(event) { effects += machine.handle(.frame(frame), at: frame.time) }
    }
    return effects + machine.advance(to: now)
  }

  /// Goes on up to a time of the script.
  mutating func run(until end: Interval) -> [Effect] {
    var effects: [Effect] = []
    while now - pad.start < end { effects += step() }
    return effects
  }
}

extension PadPhysics {
  /// The pad of the requirements: 1,023 counts at 125 Hz, noise of 1.5 counts, clearly bent.
  static var required: PadPhysics {
    var physics = PadPhysics.ideal
    physics.curve = .divider(0.6)
    physics.noiseCounts = 1.5
    return physics
  }

  /// Settings with a calibration at five true points.
  func calibrated(_ shape: CurveShape = .monotone) throws -> ScaleSettings {
    var settings = ScaleSettings()
    let points = calibrationPoints(5, upTo: Grams(400)).map { CalibrationPoint(raw: $0.raw, mass: $0.grams) }
    settings.curve = try CalibrationCurve(shape: shape, points: points)
    return settings
  }
}

/// How one load came to rest on a simulated pad.
struct Weighed {
  /// The time from which the load rests.
  var rest = Instant(nanoseconds: 0)
  /// The time at which it was reported as stable, and the error of that reading in grams.
  var settled: Instant?
  var settledError = Double.nan
  /// How far off a reading that was called stable ever was, in grams.
  var worstStable = 0.0
  /// How far off the displayed and the unrounded reading were in the end, in grams.
  var displayedError = Double.nan
  var finalError = Double.nan
  /// How often the display changed after it had settled.
  var changesAfter = 0

  /// Seconds from rest to the announcement; negative before.
  var delay: Double { settled.map { ($0 - rest).seconds } ?? .infinity }

  /// Puts `mass` down within `hand` and looks on for `watch` after that.
  init(
    _ mass: Double, physics: PadPhysics, settings: ScaleSettings, seed: UInt64, hand: Interval = .milliseconds(150),
    watch: Interval = .milliseconds(1200)
  ) throws {
    var script = LoadScript()
    script.place(Grams(mass), at: .milliseconds(100), over: hand, speed: physics.resonance > 0 ? 0.02 : 0)
    var scale = try SimulatedScale(physics, script, settings: settings, seed: seed)
    var shown: DisplayedMass?
    var rested: Instant?
    while scale.now - scale.pad.start < .milliseconds(100) + hand + watch {
      for reading in scale.step().settled where settled == nil {
        settled = reading.time
        settledError = ((reading.highResolution?.value ?? .nan) - mass).magnitude
      }
      rested = rested ?? scale.pad.restsSince.flatMap { $0 - scale.pad.start > .milliseconds(100) ? $0 : nil }
      let reading = scale.machine.reading
      if reading.isStable {
        worstStable = max(worstStable, ((reading.highResolution?.value ?? .infinity) - mass).magnitude)
      }
      if settled != nil, reading.net != shown {
        if shown != nil { changesAfter += 1 }
        shown = reading.net
      }
    }
    rest = rested ?? scale.now
    displayedError = ((scale.machine.reading.net?.mass.value ?? .nan) - mass).magnitude
    finalError = ((scale.machine.reading.highResolution?.value ?? .nan) - mass).magnitude
  }
}
