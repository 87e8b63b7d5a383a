import Weighing

/// Grampad: the events of the pad, processed by the same machine as in `run`.
struct GrampadScale: BenchFilter {
  let name = BenchFilterName.grampad
  let criterion: StabilityCriterion?
  private var machine: ScaleMachine
  private var assembler: FrameAssembler
  private(set) var stableSince: Instant?

  init(pad: PadDescription, settings: ScaleSettings, start: Instant) throws {
    machine = ScaleMachine(settings: settings, at: start)
    assembler = try FrameAssembler(pad: pad, axis: settings.axis)
    criterion = StabilityCriterion(limit: settings.stability.motion.value, time: settings.stability.time)
    _ = machine.handle(.padFound(pad), at: start)
  }

  var level: Double { machine.reading.highResolution?.value ?? 0 }
  var displayed: Double? { machine.reading.net?.mass.value }

  /// Does nothing: the machine detects a new load from the events.
  mutating func restart() {}

  mutating func process(_ sample: BenchSample) {
    for event in sample.events {
      guard let frame = assembler.handle(event) else { continue }
      advance(to: Instant(nanoseconds: frame.time.nanoseconds - 1))
      _ = machine.handle(.frame(frame), at: frame.time)
      updateStability(at: frame.time)
    }
    advance(to: sample.time)
  }

  /// Advances time from deadline to deadline, as `run` does.
  private mutating func advance(to time: Instant) {
    while let due = machine.nextDeadline, due <= time {
      _ = machine.advance(to: due)
      updateStability(at: due)
    }
    _ = machine.advance(to: time)
  }

  private mutating func updateStability(at time: Instant) {
    if !machine.reading.isStable {
      stableSince = nil
    } else if stableSince == nil {
      stableSince = time
    }
  }
}
