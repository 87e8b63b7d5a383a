import Languages
import Weighing

extension Configuration {
  /// An area of the pad for presses (an entry of `pad.zones`).
  package struct Zone: Hashable, Sendable {
    /// What a press does.
    package enum Purpose: Hashable, Sendable {
      /// It fires an action.
      case action(ActionReference)
      /// It scrubs through the recorded weighings.
      case history

      /// The key of the zone.
      package var name: String {
        switch self {
        case .action(let action): action.name
        case .history: "history"
        }
      }
    }

    /// What a press does.
    package var purpose: Purpose
    /// The area.
    package var area: Area

    /// Makes a zone.
    package init(_ purpose: Purpose, area: Area) {
      self.purpose = purpose
      self.area = area
    }

    /// The default: a tare strip on the left and a commit strip on the right.
    package static let standard = [
      Zone(.action(.builtIn(.tare)), area: Area(x: 0...0.15, y: 0...1)),
      Zone(.action(.builtIn(.commit)), area: Area(x: 0.85...1, y: 0...1)),
    ]
  }

  /// A rectangle on the pad in fractions of its axes, y growing downwards, after rotation.
  package struct Area: Hashable, Sendable {
    /// From left to right, 0...1.
    package var x: ClosedRange<Double>
    /// From top to bottom, 0...1.
    package var y: ClosedRange<Double>

    /// Makes an area.
    package init(x: ClosedRange<Double>, y: ClosedRange<Double>) {
      self.x = x
      self.y = y
    }

    /// Whether two areas share more than an edge.
    package func overlaps(_ other: Area) -> Bool {
      x.lowerBound < other.x.upperBound && other.x.lowerBound < x.upperBound
        && y.lowerBound < other.y.upperBound && other.y.lowerBound < y.upperBound
    }
  }
}

extension ValueRule<[Configuration.Zone]> {
  /// A mapping from actions to areas that do not overlap and leave space for weighing; `{}` for none.
  static var zones: Self {
    let expected = Sentence(.acceptsZones, ["form": "{ACTION: {x: [0, 0.15], y: [0, 1]}, ...}", "empty": "{}"])
    let areaRule = ValueRule<Configuration.Area>.area
    return ValueRule(
      expected,
      schema: [
        "type": "object", "propertyNames": ValueRule<Configuration.ActionReference>.action.schema(),
        "additionalProperties": areaRule.schema(),
      ],
      output: { .map($0.compactMap { zone in areaRule.output(zone.area).map { OutputEntry(zone.purpose.name, $0) } }) }
    ) { node, reporter in
      let areas = reporter.areas(of: node, expected: expected) {
        (name, position, reporter) -> Configuration.Zone.Purpose? in
        if name == Configuration.Zone.Purpose.history.name { return .history }
        let action = Configuration.ActionReference(name: name)
        reporter.addReference(to: action, at: position)
        return .action(action)
      }
      return areas?.map { Configuration.Zone($0.key, area: $0.area) }
    }
  }
}

extension DiagnosticReporter {
  /// Reads a mapping from names to areas that do not overlap.
  ///
  /// - Parameter makeKey: Makes the key of a name; `nil` if it was rejected.
  func areas<Key>(
    of node: YAMLNode, expected: Sentence,
    _ makeKey: (_ name: String, _ position: SourcePosition, _ reporter: DiagnosticReporter) -> Key?
  ) -> [(key: Key, area: Configuration.Area)]? {
    guard case .mapping(let pairs) = node.content else { return reportUnexpected(node, expected: expected) }
    var areas: [(name: String, key: Key, area: Configuration.Area)] = []
    for pair in pairs {
      let reporter = below(pair.key)
      guard !reporter.reportsDuplicate(pair, in: pairs) else { continue }
      reporter.context.locate(reporter.keyPath, at: pair.position)
      let key = makeKey(pair.key, pair.position, reporter)
      guard let area = ValueRule<Configuration.Area>.area.read(pair.value, reporter), let key else { continue }
      if let other = areas.first(where: { $0.area.overlaps(area) }) {
        reporter.report(.configZoneOverlaps, ["zone": other.name], at: pair.position)
      } else {
        areas.append((pair.key, key, area))
      }
    }
    return areas.count == pairs.count ? areas.map { ($0.key, $0.area) } : nil
  }
}

extension ValueRule<Configuration.Area> {
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
      var area = Configuration.Area(x: 0...1, y: 0...1)
      var item = SectionReader(item: node, expected, reporter)
      item.read("x", extentRule, into: &area.x)
      item.read("y", extentRule, into: &area.y)
      guard item.finish() else { return nil }
      if area == Configuration.Area(x: 0...1, y: 0...1) { return reporter.report(.configWholePad, at: node.position) }
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
