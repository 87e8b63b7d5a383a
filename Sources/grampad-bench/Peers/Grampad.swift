import Weighing

/// The scale itself: the pad's events through the same machine that `run` drives.
struct GrampadScale: Contender {
  let name = ContenderName.grampad
  let criterion: StabilityCriterion?
  private var machine: ScaleMachine
  private var assembler: FrameAssembler
  private(set) var stableSince: Instant?

  init(pad: PadDescription, settings: ScaleSettings, start: Instant) throws {
    machine = ScaleMachine(settings: settings, at: start)
    assembler = try FrameAssembler(pad: pad, axis: settings.axis)
    criterion = StabilityCriterion(limit: settings.motion.value, time: settings.stableTime)
    _ = machine.handle(.padFound(pad), at: start)
  }

  var level: Double { machine.reading.highResolution?.value ?? 0 }
  var displayed: Double? { machine.reading.net?.mass.value }

  /// It sees by itself what is put down.
  mutating func restart() {}

  mutating func take(_ sample: PadSample) {
    for event in sample.events {
      guard let frame = assembler.handle(event) else { continue }
      pass(to: Instant(nanoseconds: frame.time.nanoseconds - 1))
      _ = machine.handle(.frame(frame), at: frame.time)
      note(at: frame.time)
    }
    pass(to: sample.time)
  }

  /// Lets time pass from deadline to deadline, as `run` does.
  private mutating func pass(to time: Instant) {
    while let due = machine.nextDeadline, due <= time {
      _ = machine.advance(to: due)
      note(at: due)
    }
    _ = machine.advance(to: time)
  }

  private mutating func note(at time: Instant) {
    if !machine.reading.isStable {
      stableSince = nil
    } else if stableSince == nil {
      stableSince = time
    }
  }
}
