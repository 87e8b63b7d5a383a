import Languages
import Weighing

extension StoredCalibration {
  /// Parses a calibration file.
  ///
  /// - Parameter file: The file name for diagnostics.
  /// - Throws: `ConfigurationError.invalid` with all diagnostics.
  package static func parse(bytes: [UInt8], file: String) throws(ConfigurationError) -> StoredCalibration {
    let context = ParseContext(file: file, checks: Configuration.Checks())
    let root = DiagnosticReporter(context: context, keyPath: "")
    let node = YAMLDocument(bytes, root).load()
    var stored = StoredCalibration()
    var reader = SectionReader(section: node, root)
    reader.read("date", .text(maximumBytes: 64), into: &stored.date)
    reader.read("pad", .calibratedPad, into: &stored.pad)
    reader.read("empty_raw", .number(0...Double(Int32.max)), into: &stored.emptyCounts)
    reader.read("curve", .oneOf(CurveShape.self), into: &stored.curve)
    reader.read("residual_g", .grams(0...Grams.maximum.value), into: &stored.residual)
    var points: [CalibrationPoint]?
    reader.require("points", .calibrationPoints(.recordedPoint), into: &points)
    stored.points = (points ?? []).map(Point.init)
    if reader.isValid("points") {
      var calibration = Configuration.Calibration()
      (calibration.curve, calibration.points) = (stored.curve, points ?? [])
      let isEmpty = points?.isEmpty != false
      if let problem = isEmpty ? Sentence(.pointsNone) : Configuration.Calibration.problem(of: calibration) {
        reader.report("points", problem)
      }
    }
    _ = reader.finish()
    guard context.diagnostics.isEmpty else { throw .invalid(context.diagnostics.sorted { $0.position < $1.position }) }
    return stored
  }
}

extension ValueRule<CalibrationPoint> {
  /// A point of a calibration file; its statistics are informative.
  fileprivate static var recordedPoint: Self {
    ValueRule(reading: { node, reporter in
      var raw: Double?
      var grams: Grams?
      var known: Double?
      var item = SectionReader(item: node, .point, reporter)
      item.require("raw", .number(0...Double(Int32.max)), into: &raw)
      item.require("grams", .grams(-Grams.maximum.value...Grams.maximum.value), into: &grams)
      for key in ["spread", "drift", "miss_g", "left_out_g"] { item.read(key, .number(-1e12...1e12), into: &known) }
      guard item.finish(), let raw, let grams else { return nil }
      return CalibrationPoint(counts: raw, mass: grams)
    })
  }
}
