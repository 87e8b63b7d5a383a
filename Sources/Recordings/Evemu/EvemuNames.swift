import Weighing

/// The kernel's names that evemu writes into comments, from linux/input-event-codes.h.
enum EvemuNames {
  static func type(_ type: EventType) -> String {
    switch type.rawValue {
    case 0x00: "EV_SYN"
    case 0x01: "EV_KEY"
    case 0x02: "EV_REL"
    case 0x03: "EV_ABS"
    case 0x04: "EV_MSC"
    case 0x05: "EV_SW"
    case 0x11: "EV_LED"
    case 0x12: "EV_SND"
    case 0x14: "EV_REP"
    case 0x15: "EV_FF"
    case 0x16: "EV_PWR"
    case 0x17: "EV_FF_STATUS"
    default: "EV_0x" + String(type.rawValue, radix: 16)
    }
  }

  static func code(_ code: UInt16, of type: EventType) -> String {
    switch type {
    case .key: KeyCode(rawValue: code).name
    case .absolute: AxisCode(rawValue: code).name
    case .synchronization: named(code, ["SYN_REPORT", "SYN_CONFIG", "SYN_MT_REPORT", "SYN_DROPPED"], "SYN")
    case .relative:
      named(
        code, ["REL_X", "REL_Y", "REL_Z", "REL_RX", "REL_RY", "REL_RZ", "REL_HWHEEL", "REL_DIAL", "REL_WHEEL"], "REL")
    case .miscellaneous:
      named(code, ["MSC_SERIAL", "MSC_PULSELED", "MSC_GESTURE", "MSC_RAW", "MSC_SCAN", "MSC_TIMESTAMP"], "MSC")
    case .led:
      named(
        code,
        [
          "LED_NUML", "LED_CAPSL", "LED_SCROLLL", "LED_COMPOSE", "LED_KANA", "LED_SLEEP", "LED_SUSPEND", "LED_MUTE",
          "LED_MISC", "LED_MAIL", "LED_CHARGING",
        ], "LED")
    case .sound: named(code, ["SND_CLICK", "SND_BELL", "SND_TONE"], "SND")
    default: "0x" + String(code, radix: 16)
    }
  }

  static func property(_ code: UInt16) -> String {
    named(
      code,
      [
        "INPUT_PROP_POINTER", "INPUT_PROP_DIRECT", "INPUT_PROP_BUTTONPAD", "INPUT_PROP_SEMI_MT",
        "INPUT_PROP_TOPBUTTONPAD", "INPUT_PROP_POINTING_STICK", "INPUT_PROP_ACCELEROMETER", "INPUT_PROP_PRESSUREPAD",
      ], "INPUT_PROP")
  }

  private static func named(_ code: UInt16, _ names: [String], _ prefix: String) -> String {
    Int(code) < names.count ? names[Int(code)] : prefix + "_0x" + String(code, radix: 16)
  }
}
