import Languages
import Weighing

extension ValueRule<[Zones.Zone]> {
  /// A mapping from actions to areas that do not overlap and leave space for weighing; `{}` for none.
  static var zones: Self {
    let expected = Sentence(.acceptsZones, ["form": "{ACTION: {x: [0, 0.15], y: [0, 1]}, ...}", "empty": "{}"])
    let areaRule = ValueRule<Zones.Area>.area
    return ValueRule(
      expected,
      schema: [
        "type": "object", "propertyNames": ValueRule<String>.action.schema(),
        "additionalProperties": areaRule.schema(),
      ],
      output: areaRule.entries
    ) { node, reporter in
      reporter.areas(of: node, expected: expected) { name, position, reporter in
        if name == Zones.Purpose.history.name { return .history }
        reporter.addReference(to: name, at: position)
        return .action(name)
      }
    }
  }
}

extension DiagnosticReporter {
  /// Reads a mapping from names to areas that do not overlap.
  ///
  /// - Parameter purpose: What a name means; `nil` if it was rejected.
  func areas(
    of node: YAMLNode, expected: Sentence,
    _ purpose: (_ name: String, _ position: SourcePosition, _ reporter: DiagnosticReporter) -> Zones.Purpose?
  ) -> [Zones.Zone]? {
    guard case .mapping(let pairs) = node.content else { return reportUnexpected(node, expected: expected) }
    var zones: [Zones.Zone] = []
    for pair in pairs {
      let reporter = below(pair.key)
      guard !reporter.reportsDuplicate(pair, in: pairs) else { continue }
      reporter.context.locate(reporter.keyPath, at: pair.position)
      let meaning = purpose(pair.key, pair.position, reporter)
      guard let area = ValueRule<Zones.Area>.area.read(pair.value, reporter), let meaning else { continue }
      if let other = zones.first(where: { $0.area.overlaps(area) }) {
        reporter.report(.configZoneOverlaps, ["zone": other.purpose.name], at: pair.position)
      } else {
        zones.append(Zones.Zone(meaning, area))
      }
    }
    return zones.count == pairs.count ? zones : nil
  }
}

extension ValueRule<Zones.Area> {
  /// Zones as a mapping from their names to their areas.
  func entries(of zones: [Zones.Zone]) -> OutputValue? {
    .map(zones.compactMap { zone in output(zone.area).map { OutputEntry(zone.purpose.name, $0) } })
  }

  /// `{x: [0, 0.15], y: [0, 1]}`; an omitted axis is covered completely.
  static var area: Self {
    let expected = Sentence(.acceptsArea, ["form": "{x: [0, 0.15], y: [0, 1]}"])
    let extentRule = ValueRule<ClosedRange<Double>>.extent
    let properties: [OutputEntry] = ["x", "y"].map { OutputEntry($0, extentRule.schema()) }
    return ValueRule(
      expected,
      schema: [
        "description": "Extent of the zone; an omitted axis covers the full width or height.", "type": "object",
        "additionalProperties": false, "minProperties": 1, "properties": .map(properties),
      ],
      output: { .record(["x": extentRule.output($0.x), "y": extentRule.output($0.y)]) }
    ) { node, reporter in
      var area = Zones.Area(x: 0...1, y: 0...1)
      var item = SectionReader(item: node, expected, reporter)
      item.read("x", extentRule, into: &area.x)
      item.read("y", extentRule, into: &area.y)
      guard item.finish() else { return nil }
      if area == Zones.Area(x: 0...1, y: 0...1) { return reporter.report(.configWholePad, at: node.position) }
      return area
    }
  }
}

extension ValueRule<ClosedRange<Double>> {
  /// `[low, high]` with 0 <= low < high <= 1.
  fileprivate static var extent: Self {
    let expected = Sentence(
      .acceptsExtent, ["form": "[low, high]", "condition": "0 <= low < high <= 1"])
    return ValueRule(
      expected,
      schema: [
        "description": "Start and end, as fractions from 0 to 1.", "type": "array",
        "items": ["type": "number", "minimum": 0, "maximum": 1], "minItems": 2, "maxItems": 2,
      ],
      output: { [.number($0.lowerBound), .number($0.upperBound)] }
    ) { node, reporter in
      guard case .sequence(let items) = node.content else { return reporter.reportUnexpected(node, expected: expected) }
      guard items.count == 2, case .number(let low) = items[0].scalar, case .number(let high) = items[1].scalar,
        0 <= low, low < high, high <= 1
      else { return reporter.report(.configExpected, ["accepts": expected], at: node.position) }
      return low...high
    }
  }
}
