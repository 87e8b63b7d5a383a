import Weighing

extension Configuration {
  /// The conversion from counts to grams (`calibration`).
  package struct Calibration: Hashable, Sendable {
    /// The shape of the curve between the points.
    package var curve = Curve.monotone
    /// The measured points in the order of the file; if empty, the kernel's resolution or the capacity applies.
    package var points: [CalibrationPoint] = []
    /// The file that `calibrate` writes; it overrides `curve` and `points`. Relative to the folder of the configuration.
    package var file: String?
    /// The pad and the date of the points in that file; not part of the configuration itself.
    package var origin: Origin?

    /// The origin of a calibration file.
    package struct Origin: Hashable, Sendable {
      /// RFC 3339 in UTC.
      package var date: String?
      /// The pad.
      package var pad: CalibratedPad?
    }

    /// All defaults.
    package init() {}

    /// The shape of the curve between the points (`calibration.curve`).
    package enum Curve: String, Hashable, Sendable, CaseIterable {
      /// Straight lines.
      case linear
      /// A shape-preserving cubic.
      case monotone
      /// A single least-squares polynomial.
      case polynomial
    }
  }
}

extension Configuration.Calibration: ConfigurationSection {
  init(from section: inout SectionReader) {
    section.read("curve", .oneOf(Curve.self), into: &curve)
    section.read("points", .calibrationPoints(.calibrationPoint), into: &points)
    section.read("file", .path, into: &file)
    if section.isValid("points"), !points.isEmpty, let refusal = Self.refusal(self) {
      section.report("points", refusal)
    }
  }

  var entries: [YAMLEntry] {
    [
      ("curve", .text(curve.rawValue)),
      ("points", .list(points.map { .map([("raw", .number($0.counts)), ("grams", .number($0.mass.value))]) })),
    ] + (file.map { [("file", .text($0))] } ?? [])
  }
}

extension ValueRule<[CalibrationPoint]> {
  /// No points, or 2...256 points whose grams increase with raw.
  static func calibrationPoints(_ item: ValueRule<CalibrationPoint>) -> Self {
    ValueRule { node, reporter in
      var placed: [(point: CalibrationPoint, node: YAMLNode, reporter: DiagnosticReporter)] = []
      let read = ValueRule<[Int]>.list(atMost: 256) { node, reporter in
        guard let point = item.read(node, reporter) else {
          return nil
        }
        placed.append((point, node, reporter))
        return placed.count
      }.read(node, reporter)
      if read?.count == 1 {
        return placed[0].reporter.report("at least two points are required", at: placed[0].node.position)
      }
      let sorted = placed.sorted { ($0.point.counts, $0.node.position) < ($1.point.counts, $1.node.position) }
      var sound = read != nil
      for (lower, upper) in zip(sorted, sorted.dropFirst()) {
        let message: String
        if lower.point.counts == upper.point.counts {
          message = "raw \(numberText(upper.point.counts)) is already given on line \(lower.node.position.line)"
        } else if lower.point.mass >= upper.point.mass {
          message =
            "\(numberText(upper.point.mass.value)) g at raw \(numberText(upper.point.counts)) is not more than "
            + "\(numberText(lower.point.mass.value)) g at raw \(numberText(lower.point.counts)); grams must increase with raw"
        } else {
          continue
        }
        sound = false
        upper.reporter.report(message, at: upper.node.position)
      }
      return sound ? placed.map(\.point) : nil
    }
  }
}

extension ValueRule<CalibrationPoint> {
  /// `{raw: 266, grams: 100}`.
  static var calibrationPoint: Self {
    ValueRule { node, reporter in
      var raw: Double?
      var grams: Grams?
      var item = SectionReader(item: node, "a point {raw: ..., grams: ...}", reporter)
      item.require("raw", .number(0...Double(Int32.max)), into: &raw)
      item.require("grams", .grams(-100_000...100_000), into: &grams)
      guard item.finish(), let raw, let grams else { return nil }
      return CalibrationPoint(counts: raw, mass: grams)
    }
  }
}
