import Weighing

extension Configuration {
  /// How counts become grams (`calibration`).
  package struct Calibration: Hashable, Sendable {
    /// The shape between the points.
    package var curve = Curve.monotone
    /// What was measured, in the order of the file; without any, the kernel's resolution or the capacity decide.
    package var points: [Point] = []

    /// All defaults.
    package init() {}

    /// One measured point.
    package struct Point: Hashable, Sendable {
      /// The counts, 0...2,147,483,647.
      package var raw: RawForce
      /// The load that gave them.
      package var grams: Grams

      /// Makes a point.
      package init(raw: RawForce, grams: Grams) {
        self.raw = raw
        self.grams = grams
      }
    }

    /// The shape between the points (`calibration.curve`).
    package enum Curve: String, Hashable, Sendable, CaseIterable {
      /// Straight lines.
      case linear
      /// A shape-preserving cubic.
      case monotone
      /// One polynomial through the cloud.
      case polynomial
    }
  }
}

extension Configuration.Calibration: ConfigurationSection {
  init(from section: inout SectionReader) {
    section.read("curve", .oneOf(Curve.self), into: &curve)
    section.read("points", .calibrationPoints, into: &points)
    if section.isSound("points"), !points.isEmpty, let refusal = section.faults.checks.calibration(self) {
      section.report("points", refusal)
    }
  }

  var entries: [YAMLEntry] {
    [
      ("curve", .text(curve.rawValue)),
      ("points", .list(points.map { .map([("raw", .integer($0.raw.counts)), ("grams", .number($0.grams.value))]) })),
    ]
  }
}

extension ValueRule<[Configuration.Calibration.Point]> {
  /// None, or 2...256 points whose grams rise with their raw.
  static var calibrationPoints: Self {
    ValueRule { node, faults in
      var placed: [(point: Configuration.Calibration.Point, node: YAMLNode, faults: FaultReporter)] = []
      let read = ValueRule<[Int]>.list(atMost: 256) { node, faults in
        guard let point = ValueRule<Configuration.Calibration.Point>.calibrationPoint.read(node, faults) else {
          return nil
        }
        placed.append((point, node, faults))
        return placed.count
      }.read(node, faults)
      if read?.count == 1 {
        return placed[0].faults.report("one point alone makes no curve, give at least two", at: placed[0].node.position)
      }
      let sorted = placed.sorted { ($0.point.raw, $0.node.position) < ($1.point.raw, $1.node.position) }
      var sound = read != nil
      for (lower, upper) in zip(sorted, sorted.dropFirst()) {
        let message: String
        if lower.point.raw == upper.point.raw {
          message = "raw \(upper.point.raw.counts) is already given in line \(lower.node.position.line)"
        } else if lower.point.grams >= upper.point.grams {
          message =
            "\(numberText(upper.point.grams.value)) g at raw \(upper.point.raw.counts) is not more than "
            + "\(numberText(lower.point.grams.value)) g at raw \(lower.point.raw.counts); grams must rise with raw"
        } else {
          continue
        }
        sound = false
        upper.faults.report(message, at: upper.node.position)
      }
      return sound ? placed.map(\.point) : nil
    }
  }
}

extension ValueRule<Configuration.Calibration.Point> {
  /// `{raw: 266, grams: 100}`.
  static var calibrationPoint: Self {
    ValueRule { node, faults in
      var raw: Int?
      var grams: Grams?
      var item = SectionReader(item: node, "a point {raw: ..., grams: ...}", faults)
      item.require("raw", .integer(0...Int(Int32.max)), into: &raw)
      item.require("grams", .grams(-100_000...100_000), into: &grams)
      guard item.finish(), let raw, let grams else { return nil }
      return Configuration.Calibration.Point(raw: RawForce(raw), grams: grams)
    }
  }
}
