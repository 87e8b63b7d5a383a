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

  private var events: PadEvents

  /// Makes frames of a device's events, and button changes of its bound keys.
  ///
  /// - Throws: `EvdevError.unsuitable`, when it cannot weigh.
  init(
    _ device: EvdevDevice, axis: AxisChoice, rotation: Rotation, buttons bindings: [ButtonBinding]
  ) throws(EvdevError) {
    self.device = device
    let assembler: FrameAssembler
    do throws(UnsuitablePad) {
      assembler = try FrameAssembler(pad: device.description, axis: axis, rotation: rotation)
    } catch {
      throw .unsuitable(path: device.path, reason: error)
    }
    // Below zero, where `ButtonInput` has no numbers.
    var number = 0
    let buttons = BoundKeys(bindings, of: device) {
      number -= 1
      return number
    }
    events = PadEvents(assembler, buttons: buttons)
  }

  /// The frame of what lay on the pad when it was opened; what happened before is not known, so it follows a gap.
  func firstFrame() -> Frame {
    events.begin { device.tellState($0) } ?? Frame(time: .now(), followsGap: true)
  }

  /// Reads what waits and tells its frames, buttons and gaps; whether any event did.
  func readFrames(_ body: (PadEvent) -> Void) throws(EvdevError) -> Bool {
    var hasEvents = false
    defer { hasDelivered = hasDelivered || hasEvents }
    try device.readEvents { event in
      hasEvents = true
      events.handle(event, body)
    }
    return hasEvents
  }

  /// Tells of every button that is down that nobody knows any more.
  func loseButtons(_ body: (PadEvent) -> Void) { events.loseButtons(at: .now(), body) }
}
