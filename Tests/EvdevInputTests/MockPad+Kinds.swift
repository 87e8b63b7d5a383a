import Weighing

extension MockPad {
  /// A pad with five slots, 0...253 counts.
  static func protocolB(number: Int = 0, name: String = "Mock Force Pad", resolution: Int32 = 0) -> MockPad {
    let width = AxisRange(minimum: 0, maximum: 1224, resolution: 12)
    let height = AxisRange(minimum: 0, maximum: 756, resolution: 12)
    let force = AxisRange(minimum: 0, maximum: 253, resolution: resolution)
    var pad = MockPad(axes: [
      .x: width, .y: height, .pressure: force, .slot: AxisRange(minimum: 0, maximum: 4), .multitouchX: width,
      .multitouchY: height, .trackingID: AxisRange(minimum: 0, maximum: 65535), .multitouchPressure: force,
    ])
    pad.name = name
    pad.number = number
    pad.properties = [0, 2]
    return pad
  }

  /// A pad that knows one contact, 0...`maximum` counts.
  static func singleTouch(number: Int = 0, name: String = "Mock Single Pad", maximum: Int32 = 1023) -> MockPad {
    var pad = MockPad(axes: [
      .x: AxisRange(minimum: 0, maximum: 1000), .y: AxisRange(minimum: 0, maximum: 800),
      .pressure: AxisRange(minimum: 0, maximum: maximum),
    ])
    pad.name = name
    pad.number = number
    return pad
  }

  /// A pad that lists its contacts, without slots.
  static func protocolA(number: Int = 0) -> MockPad {
    var pad = MockPad(axes: [
      .multitouchX: AxisRange(minimum: 0, maximum: 1000), .multitouchY: AxisRange(minimum: 0, maximum: 800),
      .multitouchPressure: AxisRange(minimum: 0, maximum: 255),
    ])
    pad.name = "Mock Listing Pad"
    pad.number = number
    return pad
  }

  /// A pen tablet: pressure, but of the pen's tip.
  static func pen(number: Int = 0) -> MockPad {
    var pad = singleTouch(number: number, name: "Mock Pen", maximum: 8191)
    pad.keys = [.toolPen, .touch]
    pad.id.vendor = 0x056a
    return pad
  }

  /// A Wii Balance Board, as the kernel's hid-wiimote describes it.
  static func balanceBoard(number: Int = 0) -> MockPad {
    let board = PadDescription.balanceBoard
    var pad = MockPad(axes: board.axes)
    pad.name = board.name
    pad.id = board.id
    pad.unique = ""
    pad.keys = Array(board.keys)
    pad.number = number
    return pad
  }

  /// A keyboard without axes.
  static func keyboard(number: Int = 0) -> MockPad {
    var pad = MockPad(axes: [:])
    pad.name = "Mock Keyboard"
    pad.keys = (1...50).map { KeyCode(rawValue: $0) }
    pad.lights = [0, 1, 2]
    pad.number = number
    return pad
  }
}
