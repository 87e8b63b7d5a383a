import Configuration
import Languages
import Recordings
import Weighing

/// The simulated pad, in real time.
final class SimulatedPadSource: PadSource {
  private var pad: SimulatedPad
  private var assembler: FrameAssembler
  /// The assembler of a pad that was just plugged in.
  private let newAssembler: FrameAssembler
  private var events: [InputEvent] = []
  private var due: Instant
  private var isTold = false
  private let hands: InteractivePad?
  /// What a user does with the pad, as of the last sample.
  private var held = InteractivePad.State()

  /// Makes a source whose script starts at `start`.
  ///
  /// - Parameter hands: Moves the loads instead of the script.
  init(
    _ pad: SimulatedPad, _ configuration: Configuration.Pad, hands: InteractivePad? = nil
  ) throws(UnsuitablePadError) {
    (self.pad, self.hands) = (pad, hands)
    newAssembler = try FrameAssembler(pad: pad.description, axis: configuration.axis, rotation: configuration.rotation)
    assembler = newAssembler
    due = pad.start
  }

  var descriptor: Int32? { nil }
  var nextDeadline: Instant? { due }

  /// A simulated pad has no means of feedback.
  func show(_ feedback: Feedback) {}

  func process(at now: Instant, _ body: (PadEvent) -> Void) {
    if let hands { follow(hands.state(at: now), body) }
    if !isTold, held.isPlugged {
      isTold = true
      body(.found(pad.description, path: "simulated"))
    }
    while due <= now {
      for event in events {
        if let frame = assembler.handle(event), isTold { body(.frame(frame)) }
      }
      events.removeAll(keepingCapacity: true)
      due = pad.next(into: &events)
    }
  }

  private func follow(_ state: InteractivePad.State, _ body: (PadEvent) -> Void) {
    guard state != held else { return }
    if state.isScripted {
      pad.restartScript()
    } else if held.isScripted || state.loads != held.loads {
      pad.hold(state.loads)
    }
    if isTold, !state.isPlugged {
      isTold = false
      body(.lost(reason: Sentence(.padUnpluggedInPage)))
    } else if !held.isPlugged, state.isPlugged {
      pad.replug()
      assembler = newAssembler
      events.removeAll(keepingCapacity: true)
    }
    held = state
  }
}
