import CTexts
import Languages
import Weighing

extension KnownPad {
  /// The list of known pads that is compiled in (`config/pads.yaml`).
  package static let all: [KnownPad] = {
    let file = grampad_texts_file("pads.yaml")
    let bytes = Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
    do throws(ConfigurationError) {
      return try parse(bytes: bytes, file: "pads.yaml")
    } catch {
      // The tests parse the same bytes.
      preconditionFailure("\(error)")
    }
  }()

  /// Parses a list of known pads.
  ///
  /// - Parameter file: The file name for diagnostics.
  /// - Throws: `ConfigurationError.invalid` with all diagnostics.
  package static func parse(bytes: [UInt8], file: String) throws(ConfigurationError) -> [KnownPad] {
    let context = ParseContext(file: file, checks: Configuration.Checks())
    let root = DiagnosticReporter(context: context, keyPath: "")
    let pads = YAMLDocument(bytes, root).load().flatMap { node in
      root.items(of: node, atMost: 1000, ValueRule<KnownPad>.knownPad.read)
    }
    guard context.diagnostics.isEmpty else { throw .invalid(context.diagnostics.sorted { $0.position < $1.position }) }
    return pads ?? []
  }
}

extension ValueRule<KnownPad> {
  fileprivate static var knownPad: Self {
    ValueRule(reading: { node, reporter in
      var match: KnownPad?
      var measures: PadMeasurement.Quantity?
      var source: String?
      var seed: KnownPad.Seed?
      var item = SectionReader(
        item: node, Sentence(.acceptsMapping, ["form": "{match: ..., measures: ..., source: ...}"]), reporter)
      item.require("match", .padMatch, into: &match)
      item.require("measures", .oneOf(PadMeasurement.Quantity.self), into: &measures)
      item.require("source", .text(maximumBytes: 256), into: &source)
      item.read("seed", .seed, into: &seed)
      guard item.finish(), var pad = match, let measures, let source else { return nil }
      (pad.measures, pad.source, pad.seed) = (measures, source, seed)
      return pad
    })
  }

  /// Which devices an entry is about.
  fileprivate static var padMatch: Self {
    let expected = Sentence(.acceptsMapping, ["form": "{name: ..., vendor: ..., product: ...}"])
    let identity = ValueRule<Int>.integer(0...0xffff).map({ UInt16($0) }, { Int($0) })
    return ValueRule(reading: { node, reporter in
      var pad = KnownPad(measures: .unknown, source: "")
      var item = SectionReader(item: node, expected, reporter)
      item.read("name", .text(maximumBytes: 256), into: &pad.name)
      item.read("vendor", identity, into: &pad.vendor)
      item.read("product", identity, into: &pad.product)
      guard item.finish() else { return nil }
      // An entry that matches every device would hide what the others say.
      if pad.name == nil && (pad.vendor == nil || pad.product == nil) {
        return reporter.reportUnexpected(node, expected: expected)
      }
      return pad
    })
  }
}

extension ValueRule<KnownPad.Seed> {
  /// A calibration for every pad of a model.
  fileprivate static var seed: Self {
    ValueRule(reading: { node, reporter in
      var maximum: Int?
      var uncertainty: Double?
      var gramsPerCount: Double?
      var points: [CalibrationPoint] = []
      let form = "{maximum: ..., grams_per_count: ..., uncertainty: ...}"
      var item = SectionReader(item: node, Sentence(.acceptsMapping, ["form": form]), reporter)
      item.require("maximum", .integer(1...Int(Int32.max)), into: &maximum)
      item.require("uncertainty", .number(above: 0, through: 1), into: &uncertainty)
      item.read("points", .calibrationPoints(.seedPoint), into: &points)
      if points.isEmpty, item.isValid("points") {
        item.require("grams_per_count", .number(above: 0, through: 1e6), into: &gramsPerCount)
      }
      guard item.finish(), let maximum, let uncertainty else { return nil }
      var calibration = Configuration.Calibration()
      calibration.points = points
      guard let curve = try? calibration.makeCurve() else {
        if let problem = Configuration.Calibration.problem(of: calibration) { item.report("points", problem) }
        return gramsPerCount.map {
          .init(.gramsPerCount($0), relativeUncertainty: uncertainty, maximum: Int32(maximum))
        }
      }
      return .init(.curve(curve), relativeUncertainty: uncertainty, maximum: Int32(maximum))
    })
  }
}

extension ValueRule<CalibrationPoint> {
  fileprivate static var seedPoint: Self {
    ValueRule(reading: { node, reporter in
      var raw: Double?
      var grams: Grams?
      var item = SectionReader(item: node, .point, reporter)
      item.require("raw", .number(0...Double(Int32.max)), into: &raw)
      item.require("grams", .grams(0...Grams.maximum.value), into: &grams)
      guard item.finish(), let raw, let grams else { return nil }
      return CalibrationPoint(counts: raw, mass: grams)
    })
  }
}
