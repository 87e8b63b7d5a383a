import CEvdev

/// The description of a uinput device: its axes, keys, name, LED, sound and motors.
struct PadShape {
  enum Kind: String {
    /// Protocol B, with the single-touch axes that the kernel's drivers emulate.
    case multitouch
    /// One touch, on the plain axes.
    case single
    /// One touch and no pressure: a pad that cannot weigh.
    case plain
    /// A Wii Balance Board as the kernel's hid-wiimote describes it: four corners, no touch.
    case board
    /// A device with keys only, which repeat while they are held.
    case keys
    /// A whole keyboard with repeating keys, as scanners are.
    case keyboard

    /// Whether the device has neither axes nor contacts.
    var isKeyboard: Bool { self == .keys || self == .keyboard }
  }

  /// The range of an axis and its units per millimetre or gram; 0 if not stated.
  struct Axis {
    var minimum: Int32
    var maximum: Int32
    var resolution: Int32
  }

  var kind = Kind.multitouch
  var name = "Test Force Pad"
  var vendor: Int32 = 0x1209
  var product: Int32 = 0x4750
  var x: Axis? = Axis(minimum: 0, maximum: 1224, resolution: 12)
  var y: Axis? = Axis(minimum: 0, maximum: 756, resolution: 12)
  var pressure = Axis(minimum: 0, maximum: 1023, resolution: 0)
  var pressureCode = UInt32(ABS_PRESSURE)
  var slots: Int32 = 5
  var keys: [UInt32] = [UInt32(BTN_LEFT), UInt32(BTN_TOUCH), UInt32(BTN_TOOL_FINGER), UInt32(BTN_TOOL_DOUBLETAP)]
  var led = false
  /// SND_TONE or SND_BELL.
  var sound: UInt32?
  var rumble = false

  /// Reads `KEY=VALUE` words.
  init(_ words: [String]) throws(PadError) {
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { throw PadError("`\(word)` is not KEY=VALUE") }
      try set(parts[0], to: parts[1])
    }
    if kind == .board {
      (name, vendor, product) = ("Nintendo Wii Remote Balance Board", 0x057e, 0x0306)
      keys = [UInt32(BTN_SOUTH)]
    }
    if kind == .keyboard { keys = (KEY_ESC...KEY_COMPOSE).map { UInt32($0) } }
    if kind == .multitouch, pressureCode != UInt32(ABS_PRESSURE) {
      throw PadError("pressure-axis is for a single pad")
    }
  }

  private mutating func set(_ key: String, to value: String) throws(PadError) {
    switch key {
    case "kind": kind = try Self.read(key, value, Kind.init(rawValue:))
    case "name": name = value
    case "vendor": vendor = try Self.read(key, value) { Int32($0, radix: 16) }
    case "product": product = try Self.read(key, value) { Int32($0, radix: 16) }
    case "x": x = try value == "none" ? nil : Self.read(key, value, Self.axis)
    case "y": y = try value == "none" ? nil : Self.read(key, value, Self.axis)
    case "pressure": pressure = try Self.read(key, value, Self.axis)
    case "pressure-axis":
      pressureCode = try Self.read(key, value) { name in
        let code = libevdev_event_code_from_name(UInt32(EV_ABS), name)
        return code < 0 ? nil : UInt32(code)
      }
    case "slots": slots = try Self.read(key, value) { Int32($0) }
    case "keys":
      keys = try value.split(separator: ",").map { name throws(PadError) in
        try Self.read(key, String(name)) { name in
          let code = libevdev_event_code_from_name(UInt32(EV_KEY), name)
          return code < 0 ? nil : UInt32(code)
        }
      }
    case "sound":
      sound = try Self.read(key, value) { ["tone": UInt32(SND_TONE), "bell": UInt32(SND_BELL), "no": nil][$0] }
    case "rumble": rumble = try Self.read(key, value) { ["yes": true, "no": false][$0] }
    case "led": led = try Self.read(key, value) { ["yes": true, "no": false][$0] }
    case _: throw PadError("there is no key `\(key)`; see --help")
    }
  }

  private static func read<Value>(
    _ key: String, _ text: String, _ parse: (String) -> Value?
  ) throws(PadError) -> Value {
    guard let value = parse(text) else { throw PadError("\(key): cannot read `\(text)`; see --help") }
    return value
  }

  /// Reads `MINIMUM:MAXIMUM` with an optional `:RESOLUTION`.
  private static func axis(_ text: String) -> Axis? {
    let numbers = text.split(separator: ":").map { Int32($0) }
    guard numbers.count == 2 || numbers.count == 3, let minimum = numbers[0], let maximum = numbers[1],
      let resolution = numbers.count == 3 ? numbers[2] : 0
    else { return nil }
    return Axis(minimum: minimum, maximum: maximum, resolution: resolution)
  }
}
