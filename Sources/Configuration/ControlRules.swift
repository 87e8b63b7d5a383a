import Languages
import Weighing

extension Zones.Zone {
  /// A force fader, as an example for the documentation.
  static let controlExample = ControlName("lamp").map { [Self(.control($0), .init(x: 0.2...0.8, y: 0...0.15))] }

  /// The maximum number of force faders. Chosen: more are too small for a finger next to a load.
  package static let maximumControls = 8
}

extension ValueRule<[Zones.Zone]> {
  /// A mapping from names to areas that do not overlap.
  static var controls: Self {
    let limit = Zones.Zone.maximumControls
    let expected = Sentence(
      .acceptsControls, ["form": "{NAME: {x: [0.2, 0.8], y: [0, 0.15]}, ...}", "limit": limit])
    let areaRule = ValueRule<Zones.Area>.area
    return ValueRule(
      expected,
      schema: [
        "type": "object", "maxProperties": .integer(limit),
        "propertyNames": ["type": "string", "pattern": .text("^[A-Za-z0-9_-]{1,\(ControlName.maximumBytes)}$")],
        "additionalProperties": areaRule.schema(),
      ],
      output: areaRule.entries
    ) { node, reporter in
      let areas = reporter.areas(of: node, expected: expected) { name, position, reporter in
        ControlName(name).map(Zones.Purpose.control)
          ?? reporter.report(
            .configControlName, ["maximum": ControlName.maximumBytes], at: position)
      }
      if let areas, areas.count > limit {
        return reporter.report(.configManyControls, ["count": areas.count, "limit": limit], at: node.position)
      }
      return areas
    }
  }
}

extension Configuration.Pad {
  /// Rejects controls that overlap a zone.
  func checkControls(_ section: inout SectionReader) {
    for control in controls {
      guard let zone = zones.first(where: { $0.area.overlaps(control.area) }) else { continue }
      let reporter = section.reporter.below("controls").below(control.purpose.name)
      reporter.report(
        section.isGiven("zones") ? .configZoneOverlaps : .configDefaultZoneOverlaps, ["zone": zone.purpose.name],
        at: reporter.context.positions[reporter.keyPath] ?? .start)
    }
  }
}
