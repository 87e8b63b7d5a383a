import Linux
import Weighing

/// An open device, with the frames and buttons made from its events.
final class OpenPad {
  /// The device.
  let device: EvdevDevice
  /// Whether it has sent any event.
  private(set) var hasDelivered = false

  /// Its feedback, if it has any.
  var feedback: PadFeedback?

  private var events: InputFrames

  /// Makes frames from a device's events, and button changes from its bound keys.
  ///
  /// - Throws: `EvdevError.unsuitable` if it cannot weigh.
  init(
    _ device: EvdevDevice, axis: AxisChoice, rotation: Rotation, buttons bindings: [ButtonBinding]
  ) throws(EvdevError) {
    self.device = device
    let assembler: FrameAssembler
    do throws(UnsuitablePadError) {
      assembler = try FrameAssembler(pad: device.description, axis: axis, rotation: rotation)
    } catch {
      throw .unsuitable(path: device.path, reason: error)
    }
    // Negative, so that they differ from the numbers of `ButtonInput`.
    var number = 0
    let buttons = BoundKeys(bindings, of: device) {
      number -= 1
      return number
    }
    events = InputFrames(assembler, buttons: buttons)
  }

  /// The frame of the load at the opening; earlier events are unknown, so it follows a gap.
  func firstFrame() -> Frame { events.begin { device.tellState($0) } ?? Frame(time: .now(), followsGap: true) }

  /// Reads pending events and reports frames, buttons and gaps; returns whether there was any event.
  func readFrames(_ body: (PadEvent) -> Void) throws(EvdevError) -> Bool {
    var hasEvents = false
    // Also if reading fails after some events.
    defer { if hasEvents { hasDelivered = true } }
    try Self.read(device, &events, &hasEvents, body)
    return hasEvents
  }

  /// Reads with one exclusive access to the frames, which Swift checks once instead of for each event.
  private static func read(
    _ device: EvdevDevice, _ frames: inout InputFrames, _ hasEvents: inout Bool, _ body: (PadEvent) -> Void
  ) throws(EvdevError) {
    try device.readEvents { event in
      hasEvents = true
      frames.handle(event, body)
    }
  }

  /// Reports every button that is down as lost.
  func loseButtons(_ body: (PadEvent) -> Void) { events.loseButtons(at: .now(), body) }
}
