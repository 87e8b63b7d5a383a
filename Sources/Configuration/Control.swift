import Languages
import Weighing

extension Configuration {
  /// An area of the pad that is a force fader (an entry of `pad.controls`).
  package struct Control: Hashable, Sendable {
    /// The name, a level of its topic.
    package var name: ControlName
    /// The area.
    package var area: Area

    /// The maximum number of controls. Chosen: more are too small for a finger next to a load.
    package static let maximumCount = 8

    /// Makes a control.
    package init(name: ControlName, area: Area) {
      self.name = name
      self.area = area
    }

    /// An example for the documentation.
    static let example = ControlName("lamp").map { [Control(name: $0, area: Area(x: 0.2...0.8, y: 0...0.15))] }
  }
}

extension ValueRule<[Configuration.Control]> {
  /// A mapping from names to areas that do not overlap.
  static var controls: Self {
    let limit = Configuration.Control.maximumCount
    let expected = Sentence(
      .acceptsControls, ["form": "{NAME: {x: [0.2, 0.8], y: [0, 0.15]}, ...}", "limit": limit])
    let areaRule = ValueRule<Configuration.Area>.area
    return ValueRule(
      expected,
      schema: [
        "type": "object", "maxProperties": .integer(limit),
        "propertyNames": ["type": "string", "pattern": .text("^[A-Za-z0-9_-]{1,\(ControlName.maximumBytes)}$")],
        "additionalProperties": areaRule.schema(),
      ],
      output: {
        .map($0.compactMap { control in areaRule.output(control.area).map { OutputEntry("\(control.name)", $0) } })
      }
    ) { node, reporter in
      let areas = reporter.areas(of: node, expected: expected) { (name, position, reporter) -> ControlName? in
        ControlName(name)
          ?? reporter.report(
            .configControlName, ["maximum": ControlName.maximumBytes], at: position)
      }
      if let areas, areas.count > limit {
        return reporter.report(.configManyControls, ["count": areas.count, "limit": limit], at: node.position)
      }
      return areas?.map { Configuration.Control(name: $0.key, area: $0.area) }
    }
  }
}

extension Configuration.Pad {
  /// Rejects controls that overlap a zone.
  func checkControls(_ section: inout SectionReader) {
    for control in controls {
      guard let zone = zones.first(where: { $0.area.overlaps(control.area) }) else { continue }
      let reporter = section.reporter.below("controls").below("\(control.name)")
      reporter.report(
        section.isGiven("zones") ? .configZoneOverlaps : .configDefaultZoneOverlaps, ["zone": zone.purpose.name],
        at: reporter.context.positions[reporter.keyPath] ?? .start)
    }
  }
}
