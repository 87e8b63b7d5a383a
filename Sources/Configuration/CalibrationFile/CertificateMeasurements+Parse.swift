import Languages
import Weighing

extension CertificateMeasurements {
  /// Parses a file of series, which may lack any part; see `Calibrating.md`.
  ///
  /// - Parameters:
  ///   - file: The file name for diagnostics.
  ///   - resolution: The resolution if the file states none.
  /// - Throws: `ConfigurationError.invalid` with all diagnostics.
  package static func parse(
    bytes: [UInt8], file: String, resolution: Grams
  ) throws(ConfigurationError) -> CertificateMeasurements {
    let context = ParseContext(file: file, checks: Configuration.Checks())
    let root = DiagnosticReporter(context: context, keyPath: "")
    let node = YAMLDocument(bytes, root).load()
    var measurements = CertificateMeasurements(resolution: resolution)
    var reader = SectionReader(section: node, root)
    reader.read("date", .text(maximumBytes: 64), into: &measurements.date)
    reader.read("temperature_c", .temperatures, into: &measurements.temperatures)
    reader.read("conditions", .text(maximumBytes: 400), into: &measurements.conditions)
    reader.read("resolution_g", .grams(above: 0, through: 1000), into: &measurements.resolution)
    reader.read("adjusted", .flag, into: &measurements.isAdjusted)
    reader.read("masses", .list(atMost: 50, of: "masses", .referenceMass), into: &measurements.masses)
    let load = ValueRule<TestLoad>.testLoad(measurements.masses)
    reader.read("repeatability", .list(atMost: 10, of: "series", .series(load)), into: &measurements.repeatability)
    reader.read("errors", .list(atMost: 100, of: "loads", .step(load)), into: &measurements.steps)
    reader.read("zero_g", .readings, into: &measurements.zeros)
    reader.read("creep", .creep(load), into: &measurements.creep)
    reader.read("eccentricity", .eccentricity(load), into: &measurements.eccentricity)
    _ = reader.finish()
    guard context.diagnostics.isEmpty else { throw .invalid(context.diagnostics.sorted { $0.position < $1.position }) }
    measurements.steps.sort { $0.load.value < $1.load.value }
    return measurements
  }
}

extension ValueRule<[Double]> {
  /// One temperature in degrees Celsius, or one for the start and one for the end.
  fileprivate static var temperatures: Self {
    ValueRule(reading: { node, reporter in
      let one = ValueRule<Double>.number(-40...85)
      guard case .sequence = node.content else { return one.read(node, reporter).map { [$0] } }
      return reporter.items(of: node, atMost: 10, one.read)
    })
  }
}

extension ValueRule<[Grams]> {
  fileprivate static var readings: Self {
    ValueRule(reading: { node, reporter in
      reporter.items(of: node, atMost: 1000, ValueRule<Grams>.grams(-Grams.maximum.value...Grams.maximum.value).read)
    })
  }
}

extension ValueRule<TestLoad> {
  /// The name of a mass, its nominal grams, or a list of those; an empty list is the empty pad.
  fileprivate static func testLoad(_ masses: [ReferenceMass]) -> Self {
    func mass(_ node: YAMLNode, _ reporter: DiagnosticReporter) -> ReferenceMass? {
      let found =
        switch node.scalar {
        case .number(let grams): masses.first { ($0.nominal.value - grams).magnitude < 1e-9 }
        case .text(let name): masses.first { $0.name == name }
        case .null, .flag, .notFinite, nil: ReferenceMass?.none
        }
      return found
        ?? reporter.reportUnexpected(
          node, expected: Sentence(masses.isEmpty ? .acceptsMassOfNone : .acceptsMassName),
          suggestion: masses.first?.name)
    }
    return ValueRule(reading: { node, reporter in
      guard case .sequence = node.content else { return mass(node, reporter).map { TestLoad([$0]) } }
      return reporter.items(of: node, atMost: 50, mass).map { TestLoad($0) }
    })
  }
}

extension ValueRule<CertificateMeasurements.Series> {
  fileprivate static func series(_ load: ValueRule<TestLoad>) -> Self {
    ValueRule(reading: { node, reporter in
      var found: TestLoad?
      var readings: [Grams]?
      var item = SectionReader(
        item: node, Sentence(.acceptsSeries, ["form": "{load: ..., readings_g: [...]}"]), reporter)
      item.require("load", load, into: &found)
      item.require("readings_g", .readings, into: &readings)
      guard item.finish(), let found, let readings else { return nil }
      return Value(load: found, indications: readings)
    })
  }
}

extension ValueRule<CertificateMeasurements.Step> {
  fileprivate static func step(_ load: ValueRule<TestLoad>) -> Self {
    ValueRule(reading: { node, reporter in
      var found: TestLoad?
      var (up, down): (Grams?, Grams?)
      var item = SectionReader(
        item: node, Sentence(.acceptsStep, ["form": "{load: ..., up_g: ..., down_g: ...}"]), reporter)
      item.require("load", load, into: &found)
      item.read("up_g", .grams(-Grams.maximum.value...Grams.maximum.value), into: &up)
      item.read("down_g", .grams(-Grams.maximum.value...Grams.maximum.value), into: &down)
      guard item.finish(), let found else { return nil }
      return Value(load: found, up: up, down: down)
    })
  }
}

extension ValueRule<CertificateMeasurements.Creep> {
  fileprivate static func creep(_ load: ValueRule<TestLoad>) -> Self {
    ValueRule(reading: { node, reporter in
      var found: TestLoad?
      var samples: [SelfTest.Sample]?
      var item = SectionReader(item: node, Sentence(.acceptsSeries, ["form": "{load: ..., samples: [...]}"]), reporter)
      item.require("load", load, into: &found)
      item.require("samples", .list(atMost: 100_000, of: "samples", .sample), into: &samples)
      guard item.finish(), let found, let samples else { return nil }
      return Value(load: found, samples: samples)
    })
  }
}

extension ValueRule<SelfTest.Sample> {
  fileprivate static var sample: Self {
    ValueRule(reading: { node, reporter in
      var seconds: Double?
      var reading: Grams?
      var item = SectionReader(
        item: node, Sentence(.acceptsSample, ["form": "{after_s: ..., reading_g: ...}"]), reporter)
      item.require("after_s", .number(0...1e6), into: &seconds)
      item.require("reading_g", .grams(-Grams.maximum.value...Grams.maximum.value), into: &reading)
      guard item.finish(), let seconds, let reading else { return nil }
      return Value(after: .seconds(seconds), mass: reading)
    })
  }
}

extension ValueRule<CertificateMeasurements.Placement> {
  fileprivate static var placement: Self {
    ValueRule(reading: { node, reporter in
      var name: String?
      var (x, y): (Double?, Double?)
      var reading: Grams?
      var item = SectionReader(
        item: node, Sentence(.acceptsPlacement, ["form": "{name: ..., reading_g: ...}"]), reporter)
      item.require("name", .text(maximumBytes: 64), into: &name)
      item.read("x", .number(0...1), into: &x)
      item.read("y", .number(0...1), into: &y)
      item.require("reading_g", .grams(-Grams.maximum.value...Grams.maximum.value), into: &reading)
      guard item.finish(), let name, let reading else { return nil }
      return Value(
        name: name, position: x.flatMap { x in y.map { Position(x: x, y: $0) } }, indication: reading)
    })
  }
}

extension ValueRule<CertificateMeasurements.Eccentricity> {
  fileprivate static func eccentricity(_ load: ValueRule<TestLoad>) -> Self {
    ValueRule(reading: { node, reporter in
      var found: TestLoad?
      var placements: [CertificateMeasurements.Placement]?
      var item = SectionReader(
        item: node, Sentence(.acceptsMapping, ["form": "{load: ..., positions: [...]}"]), reporter)
      item.require("load", load, into: &found)
      item.require("positions", .list(atMost: 100, of: "positions", .placement), into: &placements)
      guard item.finish(), let found, let placements else { return nil }
      return Value(load: found, placements: placements)
    })
  }
}
