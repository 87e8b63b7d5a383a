import Languages
import Weighing

extension Configuration {
  /// The pad and how to read it (`pad`).
  package struct Pad: Hashable, Sendable {
    /// The device.
    package var device = DeviceChoice.input(.automatic)
    /// The axis that carries the load.
    package var axis = AxisChoice.automatic
    /// Whether to grab the pad exclusively, so that a touchpad does not move a pointer.
    package var grab = true
    /// The surface of the pad.
    package var surface = ScaleSettings.Surface.contacts
    /// The clockwise rotation of the mounted pad.
    package var rotation = Rotation.none
    /// The areas for presses; no effect on a pad without positions or with a platter.
    package var zones = Zones.standard.zones
    /// The areas that are force faders; no effect likewise.
    package var controls: [Zones.Zone] = []
    /// How to read a load-cell converter; its name is in `device`.
    package var loadCell = ConverterSettings()

    /// All defaults.
    package init() {}
  }
}

extension Configuration.Pad: ConfigurationSection {
  static var keys: [Key<Self>] {
    Key(
      "device", \.device, .deviceChoice,
      "The input device: auto (/dev/input/grampad if udev provides it, otherwise the most suitable device that can weigh, "
        + "otherwise a load-cell converter), "
        + "simulated, an absolute path (/dev/input/by-id/...), or a mapping with one or more of {name: \"Some Touchpad\", "
        + "vendor: 0x06cb, product: 0x1234}. The IDs may also be four hexadecimal digits in quotes. {iio: hx711} is the "
        + "load-cell converter with this name. Set this if auto selects the wrong device; `grampad devices` lists the "
        + "candidates.")
    Key(
      "axis", \.axis, .axisChoice,
      "The axis that reports the load: auto (ABS_MT_PRESSURE, otherwise ABS_PRESSURE; on a Wii Balance Board its four "
        + "corners) or the kernel's name of an axis. Set this for pads that report pressure on another axis. A list of "
        + "names adds these axes, each less its minimum, for pads with several force sensors.")
    Key(
      "grab", \.grab, .flag,
      "Take exclusive access to the device, so that its events do not reach other programs. Set to false to keep using the "
        + "touchpad as a pointing device.")
    Key(
      "surface", \.surface, .oneOf(ScaleSettings.Surface.self),
      "contacts: loads are placed directly on the pad. platter: a plate that always rests on the pad carries the loads. A "
        + "load cell always carries a plate.")
    Key(
      "rotate", \.rotation, .rotation, settings: .page(.settingsRotation, in: .pad),
      "Clockwise rotation of the pad as mounted, in degrees.")
    Key(
      "zones", \.zones, .zones, settings: .page(.settingsZones, in: .pad),
      "Zones for finger presses. Each zone maps an action (\(Action.list) or the type of a "
        + "quick action), or history to scrub through the recorded weighings, to its extent from left to right (x) and from top to bottom (y), as fractions from 0 to 1. An "
        + "omitted axis covers the full width or height. Zones must not overlap. They have no effect on pads that do not "
        + "report positions or with surface: platter. Set to {} to weigh on the entire pad.")
    Key(
      "controls", \.controls, .controls, example: Zones.Zone.controlExample,
      settings: .page(.pageControls, in: .pad),
      "Force faders: zones that publish the force and the position of a finger on control/NAME, for example to dim a light. "
        + "Each name has 1 to \(ControlName.maximumBytes) letters, digits, _ and -. Extents are as for zones, which controls must "
        + "not overlap either.")
    Key(
      "channel", \.loadCell.channel, .channel, example: "voltage0-voltage1",
      "The channel of a load-cell converter, as `grampad devices` lists it.")
    Key(
      "invert", \.loadCell.isInverted, .flag, example: true,
      "Set to true if a load decreases the counts of the converter, because the wires of the load cell are swapped.")
    Key(
      "rate_hz", \.loadCell.rate, .rate(1...100_000), example: SampleRate(10),
      "The rate that a load-cell converter is meant to have, in samples per second. Grampad does not set it: the udev rule "
        + "of `grampad devices --udev` does. `health` reports a different rate.")
    Key(
      "gain", \.loadCell.gain, .number(above: 0, through: 1024), example: 128,
      "The gain that a load-cell converter is meant to have. The udev rule sets it, and `health` reports a different one."
    )
  }

  func check(_ section: inout SectionReader) {
    checkControls(&section)
    guard case .converter = device else { return }
    if section.isGiven("surface"), surface == .contacts {
      section.report("surface", .configPlateFixed)
    }
    if axis != .automatic { section.report("axis", .configNoAxes) }
  }

  /// Whether the device has to be opened again.
  package func needsAnotherSource(than old: Self) -> Bool {
    device != old.device || axis != old.axis || grab != old.grab || rotation != old.rotation
      || converter != old.converter
  }
}

extension ValueRule<String> {
  /// The name of a voltage channel of a converter.
  fileprivate static var channel: Self {
    let expected = Sentence(.acceptsChannel)
    return ValueRule(
      expected, schema: ["type": "string", "pattern": "^voltage[0-9a-z_-]*$", "maxLength": 64], output: { .text($0) }
    ) { node, reporter in
      guard case .text(let name) = node.scalar, name.hasPrefix("voltage"), name.utf8.count <= 64,
        name.utf8.allSatisfy({ isDigitByte($0) || (0x61...0x7a).contains($0) || $0 == 0x5f || $0 == 0x2d })
      else { return reporter.reportUnexpected(node, expected: expected) }
      return name
    }
  }
}

extension ValueRule<Rotation> {
  /// 0, 90, 180 or 270 degrees.
  static var rotation: Self {
    let expected = Sentence.oneOf(Rotation.allCases.map { String($0.rawValue) })
    return ValueRule(
      expected, schema: ["enum": .list(Rotation.allCases.map { .integer($0.rawValue) })],
      output: { .integer($0.rawValue) }
    ) { node, reporter in
      if case .number(let degrees) = node.scalar, let whole = Int(exactly: degrees),
        let turn = Rotation(rawValue: whole)
      {
        return turn
      }
      return reporter.reportUnexpected(node, expected: expected)
    }
  }
}
