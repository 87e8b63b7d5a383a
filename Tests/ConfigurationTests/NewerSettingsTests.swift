import Foundation
import Linux
import Messages
import Recordings
import Testing
import Weighing

@testable import Configuration

/// Settings of a newer version, from which the appliance has gone back.
@Suite struct NewerSettingsTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/g.yaml" }
  private var settingsPath: String { folder.path + "/grampad.settings.yaml" }

  init() throws { folder = try TemporaryFolder() }

  private func load(_ settings: String) throws -> ConfigurationFile {
    try folder.write("scale: {capacity_g: 500}\n", to: "g.yaml")
    try folder.write(settings, to: "grampad.settings.yaml")
    return try ConfigurationFile(path: path)
  }

  private func change(_ values: [String: JSONValue]) -> SettingsChange {
    var change = SettingsChange()
    change.values = values
    return change
  }

  private func stored() throws -> [String: String] { values(try String(contentsOfFile: settingsPath, encoding: .utf8)) }

  /// The values of a file by the paths of their keys, on one line each.
  private func values(_ yaml: String) -> [String: String] {
    var values: [String: String] = [:]
    func add(_ node: YAMLNode, _ path: String) {
      values[path] = OutputValue(node).flow
      switch node.content {
      case .scalar: break
      case .sequence(let items): for (index, item) in items.enumerated() { add(item, "\(path)[\(index)]") }
      case .mapping(let entries):
        for entry in entries { add(entry.value, path.isEmpty ? entry.key : "\(path).\(entry.key)") }
      }
    }
    let context = ParseContext(file: "x", checks: Configuration.Checks())
    let root = YAMLDocument(Array(yaml.utf8), DiagnosticReporter(context: context, keyPath: "")).load()
    if let root { add(root, "") }
    #expect(context.diagnostics.isEmpty, "\(yaml)")
    return values
  }

  /// Unknown keys at random places: the settings apply without them, they are named, and a change keeps them.
  @Test(arguments: 0..<50) func unknownKeysHaveNoEffectAndAreKept(seed: UInt64) throws {
    defer { folder.remove() }
    var random = SplitMix64(seed: seed)
    var unknown: Set<String> = []
    let contents = [
      "1", "0.25", "-3e5", "12345678901234567890", "true", "null", "~", "\"\"", "text", "\"no\"", "\"0385\"",
      "2026-11-30", "\"a: [b], {c}\\n#\"", "[]", "{}", "[1, {a: b, \"c d\": [x, null]}]",
      "{deep: {deeper: {list: [true, \"1\"]}}}",
    ]
    /// A mapping with unknown keys, and without them.
    func map(_ path: String, _ known: [(key: String, value: (String, String))]) -> (String, String) {
      var entries = known.map { "\($0.key): \($0.value.0)" }
      for number in 0..<2 where Int.random(in: 0..<5, using: &random) == 0 {
        let key = ["future_\(number)", "Zukünftig \(number)", "x.y-\(number)"].randomElement(using: &random) ?? ""
        let new = "\"\(key)\": \(contents.randomElement(using: &random) ?? "1")"
        entries.insert(new, at: Int.random(in: 0...entries.count, using: &random))
        unknown.insert(path.isEmpty ? key : "\(path).\(key)")
      }
      let old = known.map { "\($0.key): \($0.value.1)" }
      return ("{\(entries.joined(separator: ", "))}", "{\(old.joined(separator: ", "))}")
    }
    func list(_ items: [(String, String)]) -> (String, String) {
      ("[\(items.map(\.0).joined(separator: ", "))]", "[\(items.map(\.1).joined(separator: ", "))]")
    }
    func same(_ text: String) -> (String, String) { (text, text) }
    let containers = (0..<2).map {
      map("containers[\($0)]", [("name", same("jug \($0)")), ("tare_g", same("\(30 + $0 * 20)"))])
    }
    let points = (0..<3).map {
      map("calibration.points[\($0)]", [("raw", same("\($0 * 70)")), ("grams", same("\($0 * 100)"))])
    }
    let area = map("pad.zones.tare", [("x", same("[0, 0.3]"))])
    let document = map(
      "",
      [
        ("device", map("device", [("name", same("Bench"))])), ("scale", map("scale", [("unit", same("oz"))])),
        ("pad", map("pad", [("zones", ("{tare: \(area.0)}", "{tare: \(area.1)}"))])),
        ("dashboard", map("dashboard", [])), ("containers", list(containers)),
        ("actions", list([map("actions[0]", [("type", same("beans")), ("title", same("Coffee"))])])),
        ("calibration", map("calibration", [("curve", same("linear")), ("points", list(points))])),
      ])
    let expected = try load(document.1)
    #expect(expected.current.unknownSettings.isEmpty)
    var file = try load(document.0)
    #expect(Set(file.current.unknownSettings) == unknown, "\(document.0)")
    let isNamed = file.current.warnings(in: folder.path).contains { $0.description.contains("does not know") }
    #expect(isNamed == !unknown.isEmpty)
    let before = try stored()
    for (key, value) in [("stability.time_ms", JSONValue.number(700)), ("scale.unit", .string("g"))] {
      try file.changeSettings(change([key: value]), basedOn: file.revision)
    }
    var known = file.current
    known.unknownSettings = []
    var old = try Configuration.parse("scale: {capacity_g: 500, unit: g}\nstability: {time_ms: 700}\n")
    (old.device, old.pad, old.containers) = (expected.current.device, expected.current.pad, expected.current.containers)
    (old.actions, old.calibration) = (expected.current.actions, expected.current.calibration)
    #expect(known == old)
    #expect(Set(file.current.unknownSettings) == unknown)
    let after = try stored()
    for key in unknown { #expect(after[key] == before[key] && before[key] != nil, "\(key) of \(document.0)") }
  }

  /// What only a newer version accepts is an error in a file that this version has written.
  @Test func valuesOfANewerVersionHaveNoEffectAndAreKept() throws {
    defer { folder.remove() }
    let yaml = """
      device: {name: Bench, id: other}
      scale: {unit: stone}
      containers: [{name: jug, tare_g: heavy}]
      pad: {zones: {rice: {x: [0, 0.3]}}}
      actions: {rice: tare}

      """
    for version in ["", "# Written by Grampad \(Version.text)\n", "# Written by Grampad 0.0.9\n"] {
      #expect(throws: ConfigurationError.self, "\(version)") { try load(version + yaml) }
    }
    #expect(throws: ConfigurationError.self, "no mass would be right") {
      try load("# Written by Grampad 99.1\n" + yaml + "calibration: {curve: spiral}\n")
    }
    var file = try load("# Written by Grampad 99.1\n" + yaml)
    let refused: Set = ["device.id", "scale.unit", "containers", "pad.zones", "actions"]
    #expect(Set(file.current.unknownSettings) == refused)
    #expect(file.settingsKeys == ["device.name"] && file.current.device.name == "Bench")
    #expect(file.current.scale.unit == .gram && file.current.containers.isEmpty)
    try file.changeSettings(change(["scale.unit": .string("oz")]), basedOn: file.revision)
    #expect(Set(file.current.unknownSettings) == refused.subtracting(["scale.unit"]))
    #expect(try String(contentsOfFile: settingsPath, encoding: .utf8).contains("# Written by Grampad 99.1\n"))
    let after = try stored()
    for (key, value) in values(yaml) where refused.contains(key) && key != "scale.unit" { #expect(after[key] == value) }
    #expect(after["scale.unit"] == "oz")
    try file.undoSettings(basedOn: file.revision)
    #expect(Set(file.current.unknownSettings) == refused)
  }

  /// The page is this version's: its unknown keys are mistakes.
  @Test func unknownKeysOfAChangeAreRefused() throws {
    defer { folder.remove() }
    var file = try load("future: 1\n")
    let container: JSONValue = .object(["name": .string("jug"), "tare_g": .number(3), "future": .number(1)])
    for values in [["containers": JSONValue.array([container])], ["future": .number(1)]] {
      #expect(throws: SettingsError.self) { try file.changeSettings(change(values), basedOn: file.revision) }
    }
    #expect(throws: ConfigurationError.self) { try Configuration.parse("future: 1\n") }
  }
}
