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
  /// The raw value that no contact exceeds while the ranges are as they were at the opening.
  private let rangeEnd: RawForce?
  private var excess = Excess()

  /// Contacts beyond the range of the axis.
  private struct Excess {
    /// Whether the last frame had one.
    var isPresent = false
    /// Whether one has come since the ranges were last compared.
    var isNew = false

    mutating func observe(_ event: PadEvent, _ end: RawForce?) {
      guard case .frame(let frame) = event, let end else { return }
      let isBeyond = frame.contacts.contains { $0.isAtMaximum && $0.raw > end }
      if isBeyond && !isPresent { isNew = true }
      isPresent = isBeyond
    }
  }

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
    rangeEnd = (try? device.description.loadAxis(axis))?.rangeEnd(on: device.description)
  }

  /// The frame of the load at the opening; earlier events are unknown, so it follows a gap.
  func firstFrame() -> Frame { events.begin { device.tellState($0) } ?? Frame(time: .now(), followsGap: true) }

  /// Reads pending events and reports frames, buttons and gaps; returns whether there was any event.
  func readFrames(_ body: (PadEvent) -> Void) throws(EvdevError) -> Bool {
    var hasEvents = false
    // Also if reading fails after some events.
    defer { if hasEvents { hasDelivered = true } }
    try Self.read(device, &events, &excess, rangeEnd, &hasEvents, body)
    return hasEvents
  }

  /// Whether the kernel states other ranges than at the opening: udev or another program has corrected them.
  func hasOtherRanges() -> Bool {
    excess.isNew = false
    // libevdev keeps the ranges of the opening, so the device is opened again; it may be gone by now.
    guard let now = try? EvdevDevice(path: device.path) else { return false }
    return now.description.axes != device.description.axes
  }

  /// Whether a contact has gone beyond the range, which may therefore have changed; once for each time it does.
  var mayHaveOtherRanges: Bool { excess.isNew }

  /// Reads with one exclusive access to the frames, which Swift checks once instead of for each event.
  private static func read(
    _ device: EvdevDevice, _ frames: inout InputFrames, _ excess: inout Excess, _ rangeEnd: RawForce?,
    _ hasEvents: inout Bool, _ body: (PadEvent) -> Void
  ) throws(EvdevError) {
    try device.readEvents { event in
      hasEvents = true
      frames.handle(event) { made in
        excess.observe(made, rangeEnd)
        body(made)
      }
    }
  }

  /// Reports every button that is down as lost.
  func loseButtons(_ body: (PadEvent) -> Void) { events.loseButtons(at: .now(), body) }
}
