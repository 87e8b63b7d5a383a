import Testing
import Weighing

@testable import Configuration

/// The list of known pads that is compiled in, and files that are refused.
@Suite struct KnownPadsTests {
  private func parse(_ text: String) throws -> [KnownPad] {
    try KnownPad.parse(bytes: Array(text.utf8), file: "pads.yaml")
  }

  @Test func theListThatIsCompiledIn() throws {
    let pads = KnownPad.all
    #expect(pads.count > 20)
    #expect(pads.allSatisfy { !$0.source.isEmpty })
    #expect(pads.allSatisfy { $0.seed == nil }, "a seed needs published figures: check them and this test")
    for pad in pads {
      let matches = pads.filter { ($0.name, $0.vendor, $0.product) == (pad.name, pad.vendor, pad.product) }
      #expect(matches.count == 1, "\(pad)")
    }
    let elan = PadDescription(name: "any", id: PadIdentity(bus: 0x18, vendor: 0x4f3, product: 0x3355))
    #expect(pads.first { $0.matches(elan) }?.measures == .force)
  }

  @Test func anEntryWithASeed() throws {
    let match = "match: {name: Pad, vendor: 1, product: 2}, measures: force, source: x"
    let factor = try parse("- {\(match), seed: {maximum: 1023, grams_per_count: 0.4, uncertainty: 0.2}}")
    #expect(
      factor == [
        KnownPad(
          name: "Pad", vendor: 1, product: 2, measures: .force,
          seed: KnownPad.Seed(.gramsPerCount(0.4), relativeUncertainty: 0.2, maximum: 1023), source: "x")
      ])
    let points = "[{raw: 0, grams: 0}, {raw: 500, grams: 200}]"
    let curved = try parse("- {\(match), seed: {maximum: 1023, points: \(points), uncertainty: 0.2}}")
    guard case .curve(let curve)? = curved.first?.seed?.response else {
      Issue.record("no curve: \(curved)")
      return
    }
    #expect(abs(curve.mass(at: RawForce(500)).value - 200) < 1e-9)
  }

  @Test func anEmptyListIsAllowed() throws { #expect(try parse("# nothing yet\n").isEmpty) }

  private static let good = "match: {vendor: 1, product: 2}, measures: force, source: x"

  @Test(arguments: [
    ("- {measures: force, source: x}", "match"), ("- {match: {vendor: 1}, measures: force, source: x}", "match"),
    ("- {match: {}, measures: force, source: x}", "match"),
    ("- {match: {vendor: 1, product: 65536}, measures: force, source: x}", "65536"),
    ("- {match: {vendor: 1, product: 2}, measures: weight, source: x}", "expected force, area or unknown"),
    ("- {match: {vendor: 1, product: 2}, measures: force}", "source"), ("- {\(good), grams: 3}", "grams"),
    ("- {\(good), seed: {maximum: 9, grams_per_count: 1}}", "uncertainty"),
    ("- {\(good), seed: {maximum: 9, uncertainty: 0.1}}", "grams_per_count"),
    ("- {\(good), seed: {grams_per_count: 1, uncertainty: 0.1}}", "maximum"),
    ("- {\(good), seed: {maximum: 9, grams_per_count: 0, uncertainty: 0.1}}", "grams_per_count"),
    ("- {\(good), seed: {maximum: 9, points: [{raw: 0, grams: 0}], uncertainty: 0.1}}", "points"),
    ("- {\(good), seed: {maximum: 9, points: [{raw: 0, grams: 9}, {raw: 5, grams: 1}], uncertainty: 0.1}}", "points"),
    ("pads: []", "a list"), ("- {\(good)", "pads.yaml:"),
  ]) func refusesABadFile(_ text: String, _ words: String) throws {
    let error = try #require(throws: ConfigurationError.self) { try parse("# a comment\n" + text) }
    #expect(error.description.hasPrefix("pads.yaml:2:") || error.description.hasPrefix("pads.yaml:3:"), "\(error)")
    #expect(error.description.contains(words), "\(error)")
  }
}
