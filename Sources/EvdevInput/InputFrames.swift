import Weighing

/// Converts the events of a pad to frames, button changes and gaps; for live devices and recordings.
package struct InputFrames: Sendable {
  private var assembler: FrameAssembler?
  private var buttons: BoundKeys
  private var content: ReportContent
  private var kernelReport = KernelReport()

  /// Makes frames with an assembler, and button changes of bound keys.
  init(_ assembler: FrameAssembler?, buttons: BoundKeys) {
    (self.assembler, self.buttons) = (assembler, buttons)
    content = ReportContent(countsEmpty: false)
  }

  /// For the events of a recording from its beginning, when no key is down.
  ///
  /// A recording does not contain the path of its device, so a button bound by path is assumed to be on this one.
  ///
  /// - Throws: `UnsuitablePadError` if the device can neither weigh nor has a bound key.
  package init(
    recordingOf device: PadDescription, axis: AxisChoice, rotation: Rotation, buttons bindings: [ButtonBinding]
  ) throws(UnsuitablePadError) {
    buttons = BoundKeys(bindings, ofRecorded: device)
    content = ReportContent(countsEmpty: true)
    do throws(UnsuitablePadError) {
      assembler = try FrameAssembler(pad: device, axis: axis, rotation: rotation)
    } catch {
      guard !buttons.isEmpty else { throw error }
      unsuitable = error
    }
  }

  /// Why the device cannot weigh, if it is used only for its keys; `nil` for a pad.
  package private(set) var unsuitable: UnsuitablePadError?

  /// Processes one event; reports the results in order.
  package mutating func handle(_ event: InputEvent, _ body: (PadEvent) -> Void) {
    if event.type == .synchronization && event.code == SynchronizationCode.dropped { body(.gap) }
    buttons.handle(event) { body(.button($0, $1)) }
    // The kernel releases all contacts of a pad that is unplugged: this must not trigger an action.
    if kernelReport.ends(with: event) { assembler?.markGap() }
    guard content.isOfThePad(event) else { return }
    if let frame = assembler?.handle(event) { body(.frame(frame)) }
  }

  /// Processes the state after opening: the frame of the current load, which follows a gap, because earlier events are
  /// unknown.
  mutating func begin(_ tellState: ((InputEvent) -> Void) -> Void) -> Frame? {
    var first: Frame?
    assembler?.markGap()
    tellState { event in
      buttons.handle(event) { _, _ in }
      if let frame = assembler?.handle(event) { first = frame }
    }
    return first
  }

  /// Reports every button that is down as lost.
  mutating func loseButtons(at time: Instant, _ body: (PadEvent) -> Void) {
    buttons.releaseAll(at: time) { body(.button($0, $1)) }
  }
}

/// Whether a report comes from the pad, or is only the echo of a light, sound or vibration requested by a program.
///
/// libevdev omits codes that a device does not declare, including the id of an effect; then an empty report remains.
/// The kernel itself never sends an empty one (evdev_pass_values of drivers/input/evdev.c). In a recording, which may
/// have been written by hand, an empty report means that nothing has changed.
private struct ReportContent {
  private let countsEmpty: Bool
  private var hasNews = false
  private var hasEcho = false

  init(countsEmpty: Bool) { self.countsEmpty = countsEmpty }

  /// Whether an event comes from the pad; false for the echo of feedback.
  mutating func isOfThePad(_ event: InputEvent) -> Bool {
    switch event.type {
    case .led, .sound, .forceFeedback:
      hasEcho = true
      return false
    case .synchronization where event.code == SynchronizationCode.report:
      defer { (hasNews, hasEcho) = (false, false) }
      return hasNews || countsEmpty && !hasEcho
    default:  // not an enum of ours: a type is any number
      hasNews = true
      return true
    }
  }
}
