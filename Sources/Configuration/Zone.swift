import Weighing

extension Configuration {
  /// An area of the pad for presses (an entry of `pad.zones`).
  package struct Zone: Hashable, Sendable {
    /// The action of a press.
    package var action: ActionReference
    /// The area.
    package var area: Area

    /// Makes a zone.
    package init(action: ActionReference, area: Area) {
      self.action = action
      self.area = area
    }

    /// The default: a tare strip on the left and a commit strip on the right.
    package static let standard = [
      Zone(action: .builtIn(.tare), area: Area(x: 0...0.15, y: 0...1)),
      Zone(action: .builtIn(.commit), area: Area(x: 0.85...1, y: 0...1)),
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

    /// Whether a position is inside, edges included.
    package func contains(_ place: Position) -> Bool { x.contains(place.x) && y.contains(place.y) }

    /// Whether two areas share more than an edge.
    package func overlaps(_ other: Area) -> Bool {
      x.lowerBound < other.x.upperBound && other.x.lowerBound < x.upperBound
        && y.lowerBound < other.y.upperBound && other.y.lowerBound < y.upperBound
    }
  }
}

extension Configuration.Area {
  var yaml: YAMLOutput {
    let axes = [("x", x), ("y", y)]
    return .map(axes.map { ($0, .list([.number($1.lowerBound), .number($1.upperBound)])) })
  }
}

extension ValueRule<[Configuration.Zone]> {
  /// A mapping from actions to areas that do not overlap and leave space for weighing; `{}` for none.
  static var zones: Self {
    ValueRule { node, reporter in
      guard case .mapping(let pairs) = node.content else {
        return reporter.reportUnexpected(
          node, expected: "a mapping {ACTION: {x: [0, 0.15], y: [0, 1]}, ...} or {} for none")
      }
      var zones: [Configuration.Zone] = []
      for pair in pairs {
        let reporter = reporter.below(pair.key)
        guard !reporter.reportsDuplicate(pair, in: pairs) else { continue }
        let action = Configuration.ActionReference(name: pair.key)
        reporter.addReference(to: action, at: pair.position)
        guard let area = ValueRule<Configuration.Area>.area.read(pair.value, reporter) else { continue }
        if let other = zones.first(where: { $0.area.overlaps(area) }) {
          reporter.report("overlaps the zone \(other.action.name)", at: pair.position)
        } else {
          zones.append(Configuration.Zone(action: action, area: area))
        }
      }
      return zones.count == pairs.count ? zones : nil
    }
  }
}

extension ValueRule<Configuration.Area> {
  /// `{x: [0, 0.15], y: [0, 1]}`; an omitted axis is covered completely.
  fileprivate static var area: Self {
    ValueRule { node, reporter in
      var area = Configuration.Area(x: 0...1, y: 0...1)
      var item = SectionReader(item: node, "an area {x: [0, 0.15], y: [0, 1]}", reporter)
      item.read("x", .extent, into: &area.x)
      item.read("y", .extent, into: &area.y)
      guard item.finish() else { return nil }
      if area == Configuration.Area(x: 0...1, y: 0...1) {
        return reporter.report("covers the whole pad and leaves no area for weighing", at: node.position)
      }
      return area
    }
  }
}

extension ValueRule<ClosedRange<Double>> {
  /// `[low, high]` with 0 <= low < high <= 1.
  fileprivate static var extent: Self {
    ValueRule { node, reporter in
      let expected = "[low, high] with 0 <= low < high <= 1"
      guard case .sequence(let items) = node.content else { return reporter.reportUnexpected(node, expected: expected) }
      guard items.count == 2, case .number(let low) = items[0].scalar, case .number(let high) = items[1].scalar,
        0 <= low, low < high, high <= 1
      else { return reporter.report("expected \(expected)", at: node.position) }
      return low...high
    }
  }
}
