import Recordings
import Weighing

/// Runs a simulated pad and looks at every sample, as a pad that repeats its values would report it.
struct SimulatedLoads {
  var pad: SimulatedPad
  var assembler: FrameAssembler
  var events: [InputEvent] = []
  var frame = Frame(time: Instant(nanoseconds: 0))
  var now = Instant(nanoseconds: 0)

  init(
    _ physics: PadPhysics, _ script: LoadScript, _ form: PadProtocol = .slots, seed: UInt64 = 1
  ) throws {
    pad = SimulatedPad(physics, script: script, reporting: form, seed: seed)
    var axis = AxisChoice.automatic
    if case .plain(let code) = form { axis = .named(code) }
    assembler = try FrameAssembler(pad: pad.description, axis: axis)
  }

  /// The next sample's raw value, whether or not it was sent.
  mutating func next() -> Int {
    events.removeAll(keepingCapacity: true)
    now = pad.next(into: &events)
    for event in events { if let frame = assembler.handle(event) { self.frame = frame } }
    return frame.raw.counts
  }

  /// The raw value at a time in seconds.
  mutating func raw(at seconds: Double) -> Int {
    var raw = 0
    repeat { raw = next() } while now.nanoseconds < Int64(seconds * 1e9)
    return raw
  }

  /// A pad of such a resolution that rounding does not matter.
  static var fine: PadPhysics {
    var physics = PadPhysics.ideal
    physics.axisMaximum = 4_200_000
    return physics
  }
}

extension LoadScript {
  /// One load at 1 s that stays.
  static func one(_ grams: Double) -> LoadScript {
    var script = LoadScript()
    script.place(Grams(grams), at: .seconds(1))
    return script
  }
}
