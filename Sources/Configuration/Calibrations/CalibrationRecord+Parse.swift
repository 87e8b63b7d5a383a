import Weighing

extension CalibrationRecord {
  /// Parses a calibration file.
  ///
  /// - Parameter file: The file name for diagnostics.
  /// - Throws: `ConfigurationError.invalid` with all diagnostics.
  package static func parse(bytes: [UInt8], file: String) throws(ConfigurationError) -> CalibrationRecord {
    let context = ParseContext(file: file, checks: Configuration.Checks())
    let root = DiagnosticReporter(context: context, keyPath: "")
    let node = YAMLDocument(bytes, root).load()
    var record = CalibrationRecord()
    var reader = SectionReader(section: node, root)
    reader.read("date", .text(maximumBytes: 64), into: &record.date)
    reader.read("pad", .calibratedPad, into: &record.pad)
    reader.read("curve", .oneOf(Configuration.Calibration.Curve.self), into: &record.curve)
    reader.read("residual_g", .grams(0...Grams.maximum.value), into: &record.residual)
    var points: [CalibrationPoint]?
    reader.require("points", .calibrationPoints(.recordedPoint), into: &points)
    record.points = (points ?? []).map(Point.init)
    if reader.isValid("points") {
      var calibration = Configuration.Calibration()
      (calibration.curve, calibration.points) = (record.curve, points ?? [])
      if let problem = points?.isEmpty == false ? Configuration.Calibration.problem(of: calibration) : "no points" {
        reader.report("points", problem)
      }
    }
    _ = reader.finish()
    guard context.diagnostics.isEmpty else { throw .invalid(context.diagnostics.sorted { $0.position < $1.position }) }
    return record
  }
}

extension ValueRule<CalibrationPoint> {
  /// A point of a calibration file; its statistics are informative.
  fileprivate static var recordedPoint: Self {
    ValueRule(reading: { node, reporter in
      var raw: Double?
      var grams: Grams?
      var known: Double?
      var item = SectionReader(item: node, "a point {raw: ..., grams: ...}", reporter)
      item.require("raw", .number(0...Double(Int32.max)), into: &raw)
      item.require("grams", .grams(-Grams.maximum.value...Grams.maximum.value), into: &grams)
      for key in ["spread", "drift", "miss_g", "left_out_g"] { item.read(key, .number(-1e12...1e12), into: &known) }
      guard item.finish(), let raw, let grams else { return nil }
      return CalibrationPoint(counts: raw, mass: grams)
    })
  }
}

extension ValueRule<CalibratedPad> {
  fileprivate static var calibratedPad: Self {
    ValueRule(reading: { node, reporter in
      var pad = CalibratedPad(
        name: "", id: PadIdentity(), unique: "", axes: [.multitouchPressure], minimum: 0, maximum: 0)
      var axis = AxisChoice.automatic
      var item = SectionReader(item: node, "a mapping {name: ..., vendor: ..., product: ..., axis: ...}", reporter)
      item.read("name", .text(maximumBytes: 256), into: &pad.name)
      item.read("bus", .identity, into: &pad.id.bus)
      item.read("vendor", .identity, into: &pad.id.vendor)
      item.read("product", .identity, into: &pad.id.product)
      item.read("version", .identity, into: &pad.id.version)
      item.read("unique", .text(maximumBytes: 256), into: &pad.unique)
      item.read("axis", .axisChoice, into: &axis)
      item.read("minimum", .axisEnd, into: &pad.minimum)
      item.read("maximum", .axisEnd, into: &pad.maximum)
      switch axis {
      case .automatic: break
      case .named(let code): pad.axes = [code]
      case .sum(let codes): pad.axes = codes
      }
      return item.finish() ? pad : nil
    })
  }
}

extension ValueRule<UInt16> {
  fileprivate static var identity: Self { ValueRule<Int>.integer(0...0xffff).map({ UInt16($0) }, { Int($0) }) }
}

extension ValueRule<Int32> {
  fileprivate static var axisEnd: Self {
    ValueRule<Int>.integer(Int(Int32.min)...Int(Int32.max)).map({ Int32($0) }, { Int($0) })
  }
}
