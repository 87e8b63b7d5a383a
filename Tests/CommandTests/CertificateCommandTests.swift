import Foundation
import Testing

/// `calibrate certificate --from`: the formats, their digests, and files that are refused.
@Suite struct CertificateCommandTests {
  static let series = """
    date: 2026-11-22T10:00:00.000Z
    temperature_c: [21.2, 21.6]
    conditions: Kitchen <table>, "operator" A. Person
    resolution_g: 0.1
    masses:
      - {nominal_g: 200, value_g: 200.0004, class: F2, certificate: "D-K 15002", uncertainty_g: 0.001}
      - {nominal_g: 100, class: M1}
      - {coins: 2 EUR, count: 6}
      - {name: cup of water, water_ml: 100, temperature_c: 20, tolerance_ml: 1}
    repeatability:
      - {load: 200, readings_g: [200.2, 200.1, 200.3, 200.2, 200.2, 200.1]}
      - {load: 100, readings_g: [100.1, 100.0, 100.1, 100.2, 100.1]}
    eccentricity:
      load: 100
      positions:
        - {name: centre, x: 0.5, y: 0.5, reading_g: 100.1}
        - {name: front left, x: 0.26, y: 0.74, reading_g: 99.9}
        - {name: back left, reading_g: 100.2}
        - {name: back right, reading_g: 100.4}
        - {name: front right, reading_g: 100.1}
    errors:
      - {load: [], up_g: 0, down_g: 0.1}
      - {load: 6 x 2 EUR, up_g: 51.1, down_g: 51.2}
      - {load: [6 x 2 EUR, 100 g], up_g: 151.2, down_g: 151.4}
      - {load: [6 x 2 EUR, 100 g, 200 g], up_g: 351.6, down_g: 351.6}
    zero_g: [0, 0.1, 0, 0, 0.1]
    creep: {load: 200, samples: [{after_s: 0, reading_g: 200.2}, {after_s: 60, reading_g: 200.3}]}

    """

  /// Evaluates the series into a file; returns its path.
  private func certificate(_ name: String, _ folder: TemporaryFolder) async throws -> String {
    let file = try folder.write("series.yaml", Self.series)
    let path = "\(folder.path)/\(name)"
    let ended = try await Program.run(["calibrate", "certificate", "--from", file, "-o", path])
    #expect(ended.code == 0, "\(ended.complaints)")
    return path
  }

  @Test(arguments: ["certificate.txt", "certificate.json", "certificate.html"])
  func theDigestCanBeComputedAgain(_ name: String) async throws {
    let folder = try TemporaryFolder()
    let path = try await certificate(name, folder)
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.last == "")
    let body = try folder.write("body", lines.dropLast(2).joined(separator: "\n") + "\n")
    let sum = try await Program("sha256sum", [body]).ended(within: .seconds(120)).output.prefix { $0 != " " }
    #expect(sum.count == 64 && lines[lines.count - 2].contains(sum))
    let intact = try await Program.run(["calibrate", "certificate", "--verify", path])
    #expect(intact.code == 0 && intact.complaints.contains("the digest matches"))
    // 200.0004 g is the value of a mass in each format.
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.contains("200.0004"))
    let altered = try folder.write("altered", text.replacingOccurrences(of: "200.0004", with: "200.0005"))
    #expect(try await Program.run(["calibrate", "certificate", "--verify", altered]).code == 1)
  }

  @Test func theTextHasEachPart() async throws {
    let folder = try TemporaryFolder()
    let text = try String(contentsOfFile: try await certificate("certificate.txt", folder), encoding: .utf8)
    for words in [
      "21.2 °C, 21.6 °C", "certificate D-K 15002, U = 0.001 g (k = 2)",
      "class M1, no certificate: nominal, not traceable",
      "REPEATABILITY", "ECCENTRICITY WITH 100 G", "resolution at zero", "reference masses", "MINIMUM WEIGHT",
      "the results are nominal, not traceable", "RAW SERIES", "200.2, 200.1, 200.3",
    ] { #expect(text.contains(words), "\(words): \(text)") }
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 120 || $0.contains(", ") }, "\(text)")
  }

  @Test func theJSONHasTheFigures() async throws {
    let folder = try TemporaryFolder()
    let path = try await certificate("certificate.json", folder)
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path))) as? [String: Any])
    let errors = try #require(json["errors"] as? [[String: Any]])
    #expect(errors.count == 4)
    let last = try #require(errors.last)
    func number(_ object: [String: Any], _ key: String) -> Double { (object[key] as? NSNumber)?.doubleValue ?? .nan }
    // 6 coins of 8.5 g, 100 g and 200.0004 g.
    #expect((number(last, "reference_g") - 351.0004).magnitude < 1e-9)
    #expect((number(last, "error_up_g") - 0.5996).magnitude < 1e-9)
    let budget = try #require(last["budget"] as? [[String: Any]])
    let squares = budget.reduce(0) { sum, line in
      let uncertainty = number(line, "standard_uncertainty_g")
      return sum + uncertainty * uncertainty
    }
    #expect((squares.squareRoot() - number(last, "standard_uncertainty_g")).magnitude < 1e-8)
    let masses = try #require(budget.first { $0["source"] as? String == "reference masses" })
    // 1 % of the coins, the maximum permissible error of class M1, U/k of the certificate; together they add up.
    let expected = 0.51 / 3.squareRoot() + 0.005 / 3.squareRoot() + 0.0005
    #expect((number(masses, "standard_uncertainty_g") - expected).magnitude < 1e-9)
    #expect(json["traceable"] as? Bool == false)
    let weights = try #require(json["minimum_weight"] as? [[String: Any]])
    #expect(weights.map { number($0, "share") } == [0.01, 0.001])
    let use = try #require((json["in_use"] as? [String: Any])?["as_shown"] as? [String: Any])
    let minimum = number(use, "alpha_g") / (0.01 - number(use, "beta"))
    if minimum > 0, minimum <= 385 {
      #expect((number(weights[0], "weight_g") - minimum).magnitude < 1e-6 * minimum)
    } else {
      #expect(weights[0]["weight_g"] is NSNull)
    }
  }

  @Test func thePageIsSelfContained() async throws {
    let folder = try TemporaryFolder()
    let text = try String(contentsOfFile: try await certificate("certificate.html", folder), encoding: .utf8)
    #expect(text.contains("Kitchen &lt;table&gt;, &quot;operator&quot; A. Person"))
    for reference in ["src=", "href=", "@import", "url(", "<script"] {
      #expect(!text.contains(reference), "\(reference)")
    }
    #expect(text.components(separatedBy: "http").count == 2, "only the namespace")
  }

  @Test(arguments: [
    ("temperature_c: 20\n", "certificate refused: incomplete: repeatability at two loads is required, 0 given"),
    ("masses: [{nominal_g: 3, class: M1}]\n", ":1:32: masses[0].class: class M1 has no weight of 3 g"),
    ("masses: [{nominal_g: 100, uncertainty_g: 1}]\n", "requires certificate; without one, state tolerance_g"),
    ("masses: [{coins: 3 EUR}]\n", "expected 2 EUR, 1 EUR"),
    ("masses: [{water_ml: 100}]\n", "water needs its temperature"),
    ("repeatability: [{load: 100, readings_g: [1]}]\n", "expected a mass from the list masses, which is empty"),
    ("tempurature_c: 20\n", "did you mean temperature_c"),
  ])
  func filesAreRefused(_ text: String, _ reason: String) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("series.yaml", text)
    let ended = try await Program.run(["calibrate", "certificate", "--from", file])
    #expect(ended.code == 65, "\(ended.output)")
    #expect(ended.complaints.contains(reason), "\(ended.complaints)")
  }
}
