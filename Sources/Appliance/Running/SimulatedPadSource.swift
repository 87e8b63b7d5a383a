import Configuration
import EventLoop
import Recordings
import Weighing

/// The simulated pad, in real time.
final class SimulatedPadSource: PadSource {
  private var pad: SimulatedPad
  private var assembler: FrameAssembler
  private var events: [InputEvent] = []
  private var due: Instant
  private var isTold = false

  /// Makes a source whose script starts at `start`.
  init(_ pad: SimulatedPad, _ configuration: Configuration.Pad) throws(UnsuitablePadError) {
    self.pad = pad
    assembler = try FrameAssembler(pad: pad.description, axis: configuration.axis, rotation: configuration.rotation)
    due = pad.start
  }

  var descriptor: Int32? { nil }
  var nextDeadline: Instant? { due }

  /// A simulated pad has no means of feedback.
  func show(_ feedback: Feedback) {}

  func process(at now: Instant, _ body: (PadEvent) -> Void) {
    if !isTold {
      isTold = true
      body(.found(pad.description, path: "simulated"))
    }
    while due <= now {
      for event in events {
        if let frame = assembler.handle(event) { body(.frame(frame)) }
      }
      events.removeAll(keepingCapacity: true)
      due = pad.next(into: &events)
    }
  }
}
