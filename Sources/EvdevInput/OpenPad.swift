import EventLoop
import Weighing

/// A device that is open, and the frames and buttons that its events make.
final class OpenPad {
  /// The device.
  let device: EvdevDevice
  /// Whether any event has come from it.
  private(set) var hasDelivered = false

  /// Its lights, sounds and shakes, where it has any.
  var feedback: PadFeedback?

  private var assembler: FrameAssembler
  private var buttons: BoundKeys
  private var report = ReportContent()
  private var kernelReport = KernelReport()

  /// Makes frames of a device's events, and button changes of its bound keys.
  ///
  /// - Throws: `EvdevError.unsuitable`, when it cannot weigh.
  init(
    _ device: EvdevDevice, axis: AxisChoice, rotation: Rotation, buttons bindings: [ButtonBinding]
  ) throws(EvdevError) {
    self.device = device
    do {
      assembler = try FrameAssembler(pad: device.description, axis: axis, rotation: rotation)
    } catch {
      throw .unsuitable(path: device.path, reason: error)
    }
    // Below zero, where `ButtonInput` has no numbers.
    var number = 0
    buttons = BoundKeys(bindings, of: device) {
      number -= 1
      return number
    }
  }

  /// The frame of what lay on the pad when it was opened; what happened before is not known, so it follows a gap.
  func firstFrame() -> Frame {
    var frame = Frame(time: .now(), followsGap: true)
    assembler.noteGap()
    device.tellState { event in
      buttons.handle(event) { _, _ in }
      if let complete = assembler.handle(event) { frame = complete }
    }
    return frame
  }

  /// Reads what waits and tells its frames, buttons and gaps.
  func readFrames(_ body: (PadEvent) -> Void) throws(EvdevError) {
    try device.readEvents { event in
      hasDelivered = true
      if event.type == .synchronization && event.code == SynchronizationCode.dropped { body(.gap) }
      buttons.handle(event) { body(.button($0, $1)) }
      // The kernel lifts every finger of a pad that is unplugged: no press may fire of that.
      if kernelReport.ends(with: event) { assembler.noteGap() }
      guard report.isOfThePad(event) else { return }
      if let frame = assembler.handle(event) { body(.frame(frame)) }
    }
  }

  /// Tells of every button that is down that nobody knows any more.
  func loseButtons(_ body: (PadEvent) -> Void) {
    buttons.lose(at: .now()) { body(.button($0, $1)) }
  }
}

/// Whether a report comes from the pad, or is but the echo of a light, sound or shake that a program has asked it for.
///
/// libevdev leaves out what a device does not know, the number of a shake too; then a report without anything is left.
/// The kernel itself never sends an empty one (evdev_pass_values of drivers/input/evdev.c).
private struct ReportContent {
  private var hasNews = false

  /// Whether an event says something of the pad; a report of echoes alone does not.
  mutating func isOfThePad(_ event: InputEvent) -> Bool {
    switch event.type {
    case .led, .sound, .forceFeedback:
      return false
    case .synchronization where event.code == SynchronizationCode.report:
      defer { hasNews = false }
      return hasNews
    default:  // not an enum of ours: a type is any number
      hasNews = true
      return true
    }
  }
}
