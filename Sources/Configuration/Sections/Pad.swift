import Weighing

extension Configuration {
  /// The pad and how to read it (`pad`).
  package struct Pad: Hashable, Sendable {
    /// The device.
    package var device = DeviceChoice.automatic
    /// The axis that carries the load.
    package var axis = AxisChoice.automatic
    /// Whether to grab the pad exclusively, so that a touchpad does not move a pointer.
    package var grab = true
    /// The surface of the pad.
    package var surface = Surface.contacts
    /// The clockwise rotation of the mounted pad.
    package var rotation = Rotation.none
    /// The areas for presses; no effect on a pad without positions or with a platter.
    package var zones = Zone.standard

    /// All defaults.
    package init() {}
  }

  /// The surface of the pad (`pad.surface`).
  package enum Surface: String, Hashable, Sendable, CaseIterable {
    /// The load touches the pad directly.
    case contacts
    /// A platter that always touches the pad carries the load.
    case platter
  }
}

extension Configuration.Pad: ConfigurationSection {
  init(from section: inout SectionReader) {
    section.read("device", .deviceChoice(words: ["auto": .automatic, "simulated": .simulated]), into: &device)
    section.read("axis", .axisChoice, into: &axis)
    section.read("grab", .flag, into: &grab)
    section.read("surface", .oneOf(Configuration.Surface.self), into: &surface)
    section.read("rotate", .rotation, into: &rotation)
    section.read("zones", .zones, into: &zones)
  }

  var entries: [YAMLEntry] {
    let axisName: String
    switch axis {
    case .automatic: axisName = "auto"
    case .named(let code): axisName = code.name
    }
    return [
      ("device", device.yaml), ("axis", .text(axisName)), ("grab", .flag(grab)), ("surface", .text(surface.rawValue)),
      ("rotate", .integer(rotation.rawValue)),
      ("zones", .map(zones.map { ($0.action.name, $0.area.yaml) })),
    ]
  }
}

extension ValueRule<AxisChoice> {
  /// `auto` or the kernel's name of an axis.
  static var axisChoice: Self {
    ValueRule { node, reporter in
      guard case .text(let name) = node.scalar else {
        return reporter.reportUnexpected(node, expected: "auto or the name of an axis, ABS_...")
      }
      if name == "auto" { return .automatic }
      if let code = AxisCode(name: name) { return .named(code) }
      return reporter.reportUnexpected(
        node, expected: "auto or the name of an axis, ABS_...",
        suggestion: closest(to: name, in: ["auto"] + AxisCode.allNames))
    }
  }
}

extension ValueRule<Rotation> {
  /// 0, 90, 180 or 270 degrees.
  static var rotation: Self {
    ValueRule { node, reporter in
      if case .number(let degrees) = node.scalar, let whole = Int(exactly: degrees),
        let turn = Rotation(rawValue: whole)
      {
        return turn
      }
      return reporter.reportUnexpected(node, expected: "0, 90, 180 or 270")
    }
  }
}
