import Languages
import Weighing

extension Configuration {
  /// The conversion from counts to grams (`calibration`).
  package struct Calibration: Hashable, Sendable {
    /// The shape of the curve between the points.
    package var curve = CurveShape.monotone
    /// The measured points in the order of the file; if empty, the kernel's resolution or the capacity applies.
    package var points: [CalibrationPoint] = []
    /// The file that `calibrate` writes; it overrides `curve` and `points`. Relative to the folder of the configuration.
    package var file: String?
    /// When the points were measured, RFC 3339 in UTC.
    package var date: String?
    /// The pad on which they were measured.
    package var pad: CalibratedPad?
    /// The count of the empty pad when they were measured.
    package var emptyCounts: Double?
    /// The origin of the points in the file; not part of the configuration itself.
    private var fileOrigin: Origin?

    /// The origin of the points, if something is known about it.
    package var origin: Origin? {
      get {
        let own = Origin(date: date, pad: pad, emptyCounts: emptyCounts)
        return fileOrigin ?? (own == Origin() ? nil : own)
      }
      set { fileOrigin = newValue }
    }

    /// The origin of points.
    package struct Origin: Hashable, Sendable {
      /// RFC 3339 in UTC.
      package var date: String?
      /// The pad.
      package var pad: CalibratedPad?
      /// The count of the empty pad.
      package var emptyCounts: Double?

      /// The zero of a platter; `nil` if it was not measured.
      package var zero: CalibratedZero? { emptyCounts.map { CalibratedZero(counts: $0, date: date) } }
    }

    /// All defaults.
    package init() {}
  }
}

extension Configuration.Calibration: ConfigurationSection {
  static var keys: [Key<Self>] {
    Key(
      "curve", \.curve, .oneOf(CurveShape.self),
      "The curve through the calibration points: linear, monotone (smooth, always rising), polynomial or power. Use linear "
        + "for pads with a linear response, polynomial for many noisy points, power (grams = a * raw^b) for force-sensing "
        + "resistors.")
    Key(
      "points", \.points, .calibrationPoints(.calibrationPoint),
      example: [CalibrationPoint(counts: 0, mass: .zero), CalibrationPoint(counts: 266, mass: Grams(100))],
      "Calibration points, each with the raw count, 0 or more, as `raw` in a reading of the load at rest, and the load in "
        + "grams. Without points, the unit reported by the kernel or the capacity determines the scale factor.")
    Key(
      "file", \.file, .file(.optional), example: "calibration.yaml",
      "The file that `grampad calibrate` writes. It contains the curve and the points together with the pad and the date, "
        + "overrides curve and points above, and is reloaded when it changes. The file does not have to exist. A "
        + "calibration is not applied to a pad that counts in a different unit from the one it was made with.")
    Key(
      "date", \.date, .text(maximumBytes: 64), example: "2026-11-23T08:00:00.000Z",
      "When the points were measured. Written by a calibration of the running appliance.")
    Key(
      "pad", \.pad, .calibratedPad, example: .example,
      "The pad on which the points were measured, as its driver describes it; the points are not applied to a pad that "
        + "counts in a different unit. Written by a calibration of the running appliance.")
    Key(
      "empty_raw", \.emptyCounts, .number(0...Double(Int32.max)), example: 8_638_608,
      "The raw count of the empty pad when the points were measured: the zero of a platter or a load cell, whatever lies on it "
        + "when the calibration is put in force. Written by a guided calibration. Without it, the first load at rest is zero."
    )
  }

  func check(_ section: inout SectionReader) {
    guard section.isValid("points"), !points.isEmpty, let problem = Self.problem(of: self) else { return }
    section.report("points", problem)
  }
}

extension ValueRule<[CalibrationPoint]> {
  /// No points, or 2...256 points whose grams increase with raw.
  static func calibrationPoints(_ item: ValueRule<CalibrationPoint>) -> Self {
    ValueRule(
      "an empty list, or a list of 2 to 256 points whose grams increase with raw",
      schema: [
        "anyOf": [
          ["type": "null"], ["type": "array", "maxItems": 0],
          ["type": "array", "minItems": 2, "maxItems": 256, "items": item.schema()],
        ]
      ],
      output: { .list($0.compactMap(item.output)) }
    ) { node, reporter in
      var placed: [(point: CalibrationPoint, node: YAMLNode, reporter: DiagnosticReporter)] = []
      let read: [Int]? = reporter.points(of: node, atMost: 256) { node, reporter in
        guard let point = item.read(node, reporter) else { return nil }
        placed.append((point, node, reporter))
        return placed.count
      }
      if read?.count == 1 { return placed[0].reporter.report(.pointsTooFew, at: placed[0].node.position) }
      let sorted = placed.sorted { ($0.point.counts, $0.node.position) < ($1.point.counts, $1.node.position) }
      var isValid = read != nil
      for (lower, upper) in zip(sorted, sorted.dropFirst()) {
        let message: Sentence
        if lower.point.counts == upper.point.counts {
          message = Sentence(
            .pointsRepeated, ["counts": numberText(upper.point.counts), "line": lower.node.position.line])
        } else if lower.point.mass >= upper.point.mass {
          message = Sentence(
            .pointsNotRising,
            [
              "mass": numberText(upper.point.mass.value), "counts": numberText(upper.point.counts),
              "lighter": numberText(lower.point.mass.value), "less": numberText(lower.point.counts),
            ])
        } else {
          continue
        }
        isValid = false
        upper.reporter.report(message, at: upper.node.position)
      }
      return isValid ? placed.map(\.point) : nil
    }
  }
}

extension ValueRule<CalibrationPoint> {
  /// `{raw: 266, grams: 100}`.
  static var calibrationPoint: Self {
    let expected = Sentence.point
    let counts = ValueRule<Double>.number(0...Double(Int32.max))
    let mass = ValueRule<Grams>.grams(-Grams.maximum.value...Grams.maximum.value)
    return ValueRule(
      expected,
      schema: .objectSchema(
        ["raw": counts.schema().described("Raw count."), "grams": mass.schema().described("Load in grams.")],
        required: ["raw", "grams"]),
      output: { ["raw": .number($0.counts), "grams": .number($0.mass.value)] }
    ) { node, reporter in
      var raw: Double?
      var grams: Grams?
      var item = SectionReader(item: node, expected, reporter)
      item.require("raw", counts, into: &raw)
      item.require("grams", mass, into: &grams)
      guard item.finish(), let raw, let grams else { return nil }
      return CalibrationPoint(counts: raw, mass: grams)
    }
  }
}

extension DiagnosticReporter {
  /// Reads a list of points; one with pairs such as `- [266, 100]` is reported once, with the form to write.
  func points<Point>(
    of node: YAMLNode, atMost limit: Int, _ read: (YAMLNode, DiagnosticReporter) -> Point?
  ) -> [Point]? {
    for case (let item, .sequence(let pair)) in node.items.map({ ($0, $0.content) }) {
      let numbers = pair.compactMap { if case .number(let number)? = $0.scalar { numberText(number) } else { nil } }
      let (raw, grams) = numbers.count == 2 ? (numbers[0], numbers[1]) : ("...", "...")
      return report(.pointsPair, ["form": "{raw: \(raw), grams: \(grams)}"], at: item.position)
    }
    return items(of: node, atMost: limit, read)
  }
}

extension YAMLNode {
  /// The items of a list.
  fileprivate var items: [YAMLNode] { if case .sequence(let items) = content { items } else { [] } }
}

extension Sentence {
  /// A calibration point, as what a value must be.
  static let point = Sentence(.acceptsPoint, ["form": "{raw: ..., grams: ...}"])
}
