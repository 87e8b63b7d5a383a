import EvdevInput
import EventLoop
import Logging
import Recordings
import Weighing

/// Where frames come from; owned by the weighing loop's thread.
protocol PadSource: AnyObject {
  /// A descriptor that is readable when `process` has something to do; `nil` for a source that goes by the clock.
  var descriptor: Int32? { get }
  /// When `process` has something to do whatever the descriptor says.
  var nextDeadline: Instant? { get }
  /// Tells what the pad has to say.
  func process(at now: Instant, _ body: (PadEvent) -> Void)
  /// Lets the pad show, sound or shake, as far as it can; never waits.
  func show(_ feedback: Feedback)
}

/// A pad behind evdev.
final class EvdevPadSource: PadSource {
  private let input: PadInput

  /// Makes a source that looks for its pad on first use.
  ///
  /// - Parameter buttons: Its own keys among them are told with its frames.
  init(_ configuration: Configuration.Pad, buttons: [ButtonBinding], logger: Logger) throws(EvdevError) {
    input = try PadInput(
      configuration.device.selector, axis: configuration.axis, rotation: configuration.rotation,
      grab: configuration.grab, buttons: buttons,
      logger: logger)
  }

  var descriptor: Int32? { input.fileDescriptor }
  var nextDeadline: Instant? { nil }

  func process(at now: Instant, _ body: (PadEvent) -> Void) { input.process(body) }
  func show(_ feedback: Feedback) { input.show(feedback) }
}

/// The simulated pad, in real time.
final class SimulatedPadSource: PadSource {
  private var pad: SimulatedPad
  private var assembler: FrameAssembler
  private var events: [InputEvent] = []
  private var due: Instant
  private var isTold = false

  /// Makes a source that begins its script at `start`.
  init(_ pad: SimulatedPad, _ configuration: Configuration.Pad) throws(UnsuitablePad) {
    self.pad = pad
    assembler = try FrameAssembler(pad: pad.description, axis: configuration.axis, rotation: configuration.rotation)
    due = pad.start
  }

  var descriptor: Int32? { nil }
  var nextDeadline: Instant? { due }

  /// A simulated pad has nothing to show it with.
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
