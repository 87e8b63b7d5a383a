import Recordings
import Weighing

/// Small recordings in our own words.
enum EvemuSamples {
  static let header = """
    # EVEMU 1.3
    # a pad for tests
    N: Kitchen Pad
    I: 0003 16c0 05df 0111
    P: 04 00 00 00 00 00 00 00
    B: 00 0b 00 00 00 00 00 00 00
    B: 01 00 00 00 00 00 00 00 00
    B: 01 00 00 00 00 00 00 00 00
    B: 01 00 00 00 00 00 00 00 00
    B: 01 00 00 00 00 00 00 00 00
    B: 01 00 00 00 00 00 00 00 00
    B: 01 20 04 00 00 00 00 00 00
    B: 03 00 00 00 00 00 80 60 06
    B: 11 01 00 00 00 00 00 00 00
    A: 2f 0 4 0 0 0
    A: 35 0 2000 0 0 20
    A: 36 -50 1300 4 1 20
    A: 39 0 65535 0 0 0
    A: 3a 0 1023 0 0 2

    """

  static let events = """
    E: 0.000001 0003 0039 0000\t# EV_ABS / ABS_MT_TRACKING_ID   0
    E: 0.000001 0003 0035 1000\t# EV_ABS / ABS_MT_POSITION_X    1000
    E: 0.000001 0003 003a 0077\t# EV_ABS / ABS_MT_PRESSURE      77
    E: 0.000001 0001 014a 0001\t# EV_KEY / BTN_TOUCH            1
    E: 0.000001 0000 0000 0000\t# ------------ SYN_REPORT (0) ---------- +0ms
    E: 1.208000 0003 0039 -001\t# EV_ABS / ABS_MT_TRACKING_ID   -1
    E: 1.208000 0001 014a 0000\t# EV_KEY / BTN_TOUCH            0
    E: 1.208000 0000 0000 0000\t# ------------ SYN_REPORT (0) ---------- +1208ms

    """

  static let pad = PadDescription(
    name: "Kitchen Pad", id: PadIdentity(bus: 3, vendor: 0x16c0, product: 0x05df, version: 0x111),
    axes: [
      .slot: AxisRange(minimum: 0, maximum: 4), .multitouchX: AxisRange(minimum: 0, maximum: 2000, resolution: 20),
      .multitouchY: AxisRange(minimum: -50, maximum: 1300, fuzz: 4, flat: 1, resolution: 20),
      .trackingID: AxisRange(minimum: 0, maximum: 65535),
      .multitouchPressure: AxisRange(minimum: 0, maximum: 1023, resolution: 2),
    ],
    keys: [.touch, .toolFinger], properties: [2], otherCodes: [.led: [0]])

  static func event(_ microseconds: Int64, _ type: EventType, _ code: UInt16, _ value: Int32) -> InputEvent {
    InputEvent(
      time: Instant(seconds: microseconds / 1_000_000, microseconds: microseconds % 1_000_000), type: type, code: code,
      value: value)
  }

  static func read(_ text: String) throws -> Recording { try EvemuReader.recording(from: Array(text.utf8)) }
}
