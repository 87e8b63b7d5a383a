public import Weighing

/// The kernel protocol in which a simulated pad reports its contacts.
public enum PadProtocol: Hashable, Sendable {
  /// Multitouch protocol B: up to five contacts in slots.
  case slots
  /// Multitouch protocol A: all contacts in every frame.
  case listed
  /// One contact: BTN_TOUCH, ABS_X, ABS_Y and ABS_PRESSURE with the force of all.
  case single
  /// A single axis, like that of a load cell or a joystick (`pad.axis`).
  case plain(AxisCode)
  /// Four axes that share the force by its position: a Wii Balance Board.
  case corners

  /// The slots of protocol B. Synaptics' ForcePad senses the force of five fingers.
  package static let slotCount = 5
  /// The ranges of the positions. Chosen: 100 mm by 65 mm at 20 counts per millimetre.
  static let x = AxisRange(minimum: 0, maximum: 2000, resolution: 20)
  static let y = AxisRange(minimum: 0, maximum: 1300, resolution: 20)

  package func description(force: AxisRange) -> PadDescription {
    var pad = PadDescription(name: "Grampad Simulated Pad", id: PadIdentity(bus: 0x06, version: 1))
    switch self {
    case .slots:
      pad.axes = [
        .slot: AxisRange(minimum: 0, maximum: Int32(Self.slotCount) - 1), .multitouchX: Self.x, .multitouchY: Self.y,
        .trackingID: AxisRange(minimum: 0, maximum: 0xffff), .multitouchPressure: force,
      ]
    case .listed: pad.axes = [.multitouchX: Self.x, .multitouchY: Self.y, .multitouchPressure: force]
    case .single: pad.axes = [.x: Self.x, .y: Self.y, .pressure: force]
    case .plain(let code): pad.axes = [code: force]
    case .corners: return .balanceBoard
    }
    if case .plain = self { return pad }
    pad.keys = [.touch, .toolFinger]
    return pad
  }
}
