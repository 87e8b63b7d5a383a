import Weighing

/// The scale itself: the pad's events through the same machine that `run` drives.
struct GrampadScale: Contender {
  let name = "Grampad"
  let source = "Sources/Weighing/Scale/ScaleMachine.swift"
  private(set) var machine: ScaleMachine
  private var assembler: FrameAssembler
  /// Every settled reading since the last look.
  var settled: [Reading] = []

  init(pad: PadDescription, settings: ScaleSettings, start: Instant) throws {
    machine = ScaleMachine(settings: settings, at: start)
    assembler = try FrameAssembler(pad: pad, axis: settings.axis)
    _ = machine.handle(.padFound(pad), at: start)
  }

  var level: Double { machine.reading.highResolution?.value ?? 0 }
  var isStable: Bool? { machine.reading.isStable }
  var displayed: Double { machine.reading.net?.mass.value ?? .nan }

  mutating func take(_ sample: PadSample) {
    for event in sample.events {
      if let frame = assembler.handle(event) { keep(machine.handle(.frame(frame), at: frame.time)) }
    }
    keep(machine.advance(to: sample.time))
  }

  private mutating func keep(_ effects: [Effect]) {
    for case .settled(let reading) in effects { settled.append(reading) }
  }
}
