import Weighing

/// Turns the events of a pad into frames, button changes and gaps: the same for a live device and for a recording.
package struct PadEvents: Sendable {
  private var assembler: FrameAssembler?
  private var buttons: BoundKeys
  private var content: ReportContent
  private var kernelReport = KernelReport()

  /// Makes frames with an assembler, and button changes of bound keys.
  init(_ assembler: FrameAssembler?, buttons: BoundKeys) {
    self.assembler = assembler
    self.buttons = buttons
    content = ReportContent(countsEmpty: false)
  }

  /// Takes the events of a recording, from its beginning, at which no key is down.
  ///
  /// A recording does not tell the path of its device, so a button that is bound by path is taken to be of this one.
  ///
  /// - Throws: `UnsuitablePad` when the device can neither weigh nor has a key that is bound.
  package init(
    recordingOf device: PadDescription, axis: AxisChoice, rotation: Rotation, buttons bindings: [ButtonBinding]
  ) throws(UnsuitablePad) {
    buttons = BoundKeys(bindings, ofRecorded: device)
    content = ReportContent(countsEmpty: true)
    do throws(UnsuitablePad) {
      assembler = try FrameAssembler(pad: device, axis: axis, rotation: rotation)
    } catch {
      guard !buttons.isEmpty else { throw error }
      unsuitable = error
    }
  }

  /// Why the device cannot weigh, where it is here for its keys alone; `nil` for a pad.
  package private(set) var unsuitable: UnsuitablePad?

  /// Takes one event; tells what it makes, in order.
  package mutating func handle(_ event: InputEvent, _ body: (PadEvent) -> Void) {
    if event.type == .synchronization && event.code == SynchronizationCode.dropped { body(.gap) }
    buttons.handle(event) { body(.button($0, $1)) }
    // The kernel lifts every finger of a pad that is unplugged: no press may fire of that.
    if kernelReport.ends(with: event) { assembler?.noteGap() }
    guard content.isOfThePad(event) else { return }
    if let frame = assembler?.handle(event) { body(.frame(frame)) }
  }

  /// Takes the state at the opening of a device: the frame of what lies on it, which follows a gap, since what happened
  /// before is not known.
  mutating func begin(_ tellState: ((InputEvent) -> Void) -> Void) -> Frame? {
    var first: Frame?
    assembler?.noteGap()
    tellState { event in
      buttons.handle(event) { _, _ in }
      if let frame = assembler?.handle(event) { first = frame }
    }
    return first
  }

  /// Tells of every button that is down that nobody knows any more.
  mutating func loseButtons(at time: Instant, _ body: (PadEvent) -> Void) {
    buttons.lose(at: time) { body(.button($0, $1)) }
  }
}

/// Whether a report comes from the pad, or is but the echo of a light, sound or shake that a program has asked it for.
///
/// libevdev leaves out what a device does not know, the number of a shake too; then a report without anything is left.
/// The kernel itself never sends an empty one (evdev_pass_values of drivers/input/evdev.c). In a recording, which may have
/// been written by hand, an empty report says that all is as it was.
private struct ReportContent {
  private let countsEmpty: Bool
  private var hasNews = false
  private var hasEcho = false

  init(countsEmpty: Bool) { self.countsEmpty = countsEmpty }

  /// Whether an event says something of the pad; a report of echoes alone does not.
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
