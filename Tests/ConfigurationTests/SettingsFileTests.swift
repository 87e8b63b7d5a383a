import Foundation
import Linux
import Messages
import Recordings
import Testing
import Weighing

@testable import Configuration

/// A configuration file with the settings of the page, in a temporary folder.
@Suite struct SettingsFileTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/g.yaml" }
  private var settingsPath: String { folder.path + "/grampad.settings.yaml" }

  init() throws { folder = try TemporaryFolder() }

  private func makeFile(_ yaml: String = "device: {name: Shelf}\nscale: {capacity_g: 500, minimum_g: 5}\n") throws
    -> ConfigurationFile
  {
    try folder.write(yaml, to: "g.yaml")
    return try ConfigurationFile(path: path)
  }

  private func change(_ values: [String: JSONValue], resets: Set<String> = []) -> SettingsChange {
    var change = SettingsChange()
    (change.values, change.resets) = (values, resets)
    return change
  }

  @Test func settingsOverrideTheConfigurationKeyByKey() throws {
    defer { folder.remove() }
    var file = try makeFile()
    #expect(file.settingsKeys == [])
    try file.changeSettings(
      change(["device.name": .string("Bench"), "scale.unit": .string("oz")]), basedOn: file.revision)
    #expect(file.current.device.name == "Bench" && file.current.scale.unit == .ounce)
    #expect(file.current.scale.minimum == Grams(5), "the other keys stay those of the configuration")
    #expect(file.configured.device.name == "Shelf")
    #expect(file.settingsKeys == ["device.name", "scale.unit"])
    // A second program reads the same.
    #expect(try ConfigurationFile(path: path).current == file.current)
    #expect(try FileManager.default.attributesOfItem(atPath: settingsPath)[.posixPermissions] as? Int == 0o640)
  }

  @Test func zonesReplaceThoseOfTheConfigurationAsAWhole() throws {
    defer { folder.remove() }
    var file = try makeFile("pad:\n  zones:\n    zero: {x: [0, 0.2]}\n    commit: {x: [0.8, 1]}\n")
    let area: JSONValue = .object(["x": .array([.number(0), .number(0.3)]), "y": .array([.number(0), .number(1)])])
    try file.changeSettings(change(["pad.zones": .object(["tare": area])]), basedOn: file.revision)
    #expect(file.current.pad.zones.map(\.purpose.name) == ["tare"])
    try file.changeSettings(change([:], resets: ["pad.zones"]), basedOn: file.revision)
    #expect(file.current.pad.zones.map(\.purpose.name) == ["zero", "commit"])
    #expect(file.settingsKeys == [])
  }

  @Test func aDefaultThatOverridesTheConfigurationIsWritten() throws {
    defer { folder.remove() }
    var file = try makeFile("scale: {unit: oz}\ncontainers: [{name: jug, tare_g: 100}]\n")
    try file.changeSettings(change(["scale.unit": .string("g"), "containers": .array([])]), basedOn: file.revision)
    #expect(file.current.scale.unit == .gram && file.current.containers.isEmpty)
  }

  @Test func capacityAndRotationTakeEffectWithoutARestart() throws {
    defer { folder.remove() }
    var file = try makeFile()
    try file.changeSettings(
      change(["scale.capacity_g": .number(600), "pad.rotate": .number(90)]), basedOn: file.revision)
    #expect(file.current.scale.capacity == Grams(600) && file.current.pad.rotation.rawValue == 90)
    #expect(file.current.keysNeedingRestart(from: file.configured) == [])
    // The minimum of the configuration is 5 g.
    let error = #expect(throws: SettingsError.self) {
      try file.changeSettings(change(["scale.capacity_g": .number(4)]), basedOn: file.revision)
    }
    guard case .invalid(let faults) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(faults.map(\.keyPath) == ["scale.minimum_g"])
    #expect(file.current.scale.capacity == Grams(600))
  }

  @Test func anInvalidChangeChangesNothing() throws {
    defer { folder.remove() }
    var file = try makeFile()
    let revision = file.revision
    let error = #expect(throws: SettingsError.self) {
      try file.changeSettings(
        change([
          "device.name": .string("Bench"), "scale.minimum_g": .number(600), "stability.time_ms": .number(-1),
          "mqtt.password_file": .string("x"), "calibration": .object([:]),
        ]), basedOn: revision)
    }
    guard case .invalid(let faults) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(Set(faults.map(\.keyPath)) == ["mqtt.password_file", "calibration"])
    let other = #expect(throws: SettingsError.self) {
      try file.changeSettings(
        change([
          "device.name": .string("Bench"), "scale.minimum_g": .number(600), "stability.time_ms": .number(-1),
        ]), basedOn: revision)
    }
    guard case .invalid(let faults) = other else {
      Issue.record("\(String(describing: other))")
      return
    }
    #expect(Set(faults.map(\.keyPath)) == ["scale.minimum_g", "stability.time_ms"])
    #expect(file.revision == revision && file.current.device.name == "Shelf")
    #expect(!FileManager.default.fileExists(atPath: settingsPath))
  }

  @Test func aChangeOfAnOldRevisionIsAConflict() throws {
    defer { folder.remove() }
    var file = try makeFile()
    let old = file.revision
    try file.changeSettings(change(["device.name": .string("A")]), basedOn: old)
    #expect(throws: SettingsError.conflict) {
      try file.changeSettings(change(["device.name": .string("B")]), basedOn: old)
    }
    // The configuration itself counts, too.
    let revision = file.revision
    try folder.write("device: {name: Window}\n", to: "g.yaml")
    #expect(throws: SettingsError.conflict) {
      try file.changeSettings(change(["scale.unit": .string("oz")]), basedOn: revision)
    }
  }

  @Test func undoPutsTheSettingsBeforeTheLastChangeBack() throws {
    defer { folder.remove() }
    var file = try makeFile()
    #expect(!file.canUndoSettings)
    #expect(throws: SettingsError.nothingToUndo) { try file.undoSettings(basedOn: file.revision) }
    try file.changeSettings(change(["device.name": .string("A")]), basedOn: file.revision)
    try file.changeSettings(
      change(["device.name": .string("B"), "scale.minimum_g": .number(9)]), basedOn: file.revision)
    #expect(file.canUndoSettings)
    try file.undoSettings(basedOn: file.revision)
    #expect(file.current.device.name == "A" && file.current.scale.minimum == Grams(5))
    try file.undoSettings(basedOn: file.revision)
    #expect(file.current.device.name == "B" && file.current.scale.minimum == Grams(9))
  }

  @Test func aCalibrationReplacesTheSectionAsAWhole() throws {
    defer { folder.remove() }
    try folder.write("curve: linear\npoints: [{raw: 0, grams: 0}, {raw: 10, grams: 50}]\n", to: "c.yaml")
    var file = try makeFile("calibration: {file: c.yaml}\n")
    #expect(file.current.calibration.points.count == 2)
    var calibration = Configuration.Calibration()
    calibration.points = [0, 7, 9].map { CalibrationPoint(counts: $0, mass: Grams($0 * 3)) }
    try file.changeCalibration(calibration)
    #expect(file.current.calibration.points == calibration.points && file.current.calibration.file == nil)
    #expect(file.settingsKeys == ["calibration"])
    try file.changeCalibration(nil)
    #expect(file.current.calibration.points.count == 2)
  }

  @Test func aSettingsFileThatIsNotOneIsRefusedAndKept() throws {
    defer { folder.remove() }
    _ = try makeFile()
    for (text, part) in [
      ("device: {name: [", "invalid YAML"), ("device: {id: other}\n", "cannot be set here"),
      ("dashboard: {token_file: t}\n", "cannot be set here"), ("scale: {minimum_g: 600}\n", "is not below"),
    ] {
      try folder.write(text, to: "grampad.settings.yaml")
      let error = #expect(throws: ConfigurationError.self) { try ConfigurationFile(path: path) }
      let description = error?.description ?? ""
      #expect(description.hasPrefix("\(settingsPath):1:"), "\(description)")
      #expect(description.contains(part) && description.contains("move it away"), "\(description)")
      #expect(try String(contentsOfFile: settingsPath, encoding: .utf8) == text)
    }
  }

  @Test func aFullDiskKeepsTheSettings() throws {
    defer { folder.remove() }
    var file = try makeFile()
    try file.changeSettings(change(["device.name": .string("A")]), basedOn: file.revision)
    // A folder in the way of the previous settings fails like a full disk: before the settings are touched.
    try FileManager.default.removeItem(atPath: settingsPath + ".previous")
    try FileManager.default.createDirectory(atPath: settingsPath + ".previous/x", withIntermediateDirectories: true)
    let error = #expect(throws: SettingsError.self) {
      try file.changeSettings(change(["device.name": .string("B")]), basedOn: file.revision)
    }
    #expect(error?.description.hasPrefix("\(settingsPath) cannot be written: ") == true)
    #expect(try ConfigurationFile(path: path).current.device.name == "A")
  }

  /// If the new settings cannot be written, the last change can still be undone.
  @Test func aFullDiskKeepsThePreviousSettings() throws {
    defer { folder.remove() }
    var file = try makeFile()
    try file.changeSettings(change(["device.name": .string("A")]), basedOn: file.revision)
    try file.changeSettings(change(["device.name": .string("B")]), basedOn: file.revision)
    let previous = try String(contentsOfFile: settingsPath + ".previous", encoding: .utf8)
    #expect(previous.contains("A"))
    // In the way of the new settings.
    try FileManager.default.createDirectory(atPath: settingsPath + ".new/x", withIntermediateDirectories: true)
    #expect(throws: SettingsError.self) {
      try file.changeSettings(change(["device.name": .string("C")]), basedOn: file.revision)
    }
    #expect(try String(contentsOfFile: settingsPath + ".previous", encoding: .utf8) == previous)
    #expect(try ConfigurationFile(path: path).current.device.name == "B")
  }

  /// Random subsets of the settable keys: a configuration with a settings file is the merged document.
  @Test(arguments: 0..<300) func layeringEqualsAMergedDocument(seed: UInt64) throws {
    defer { folder.remove() }
    var random = SplitMix64(seed: seed)
    let texts: [(key: String, values: [String])] = [
      ("device.name", ["Shelf", "Bench"]), ("scale.minimum_g", ["1", "3.5"]), ("scale.unit", ["oz", "g"]),
      ("stability.motion_g", ["0.5", "2"]), ("stability.time_ms", ["200", "700"]),
      ("pad.zones", ["{}", "{tare: {x: [0, 0.3]}}", "{zero: {y: [0, 0.2]}, commit: {y: [0.9, 1]}}"]),
      ("pad.controls", ["{}", "{lamp: {x: [0.4, 0.6], y: [0.3, 0.5]}}"]),
      ("containers", ["[]", "[{name: jug, tare_g: 30}]"]), ("containers_auto", ["true", "false"]),
      ("actions", ["[]", "[{type: beans}, {type: rice, run: tare}]"]),
      ("mqtt.broker", ["embedded", "mqtt://a.example", "[\"mqtt://a.example\", \"mqtts://b.example\"]"]),
      ("calibration", ["{curve: linear}", "{points: [{raw: 0, grams: 0}, {raw: 9, grams: 20}]}"]),
    ]
    func pick() -> [String: String] {
      var values: [String: String] = [:]
      for (key, choices) in texts where Bool.random(using: &random) {
        values[key] = choices.randomElement(using: &random)
      }
      return values
    }
    func yaml(_ values: [String: String]) -> String {
      var text = ""
      for (key, value) in values.sorted(by: { $0.key < $1.key }) where !key.contains(".") {
        text += "\(key): \(value)\n"
      }
      let sections = Dictionary(grouping: values.filter { $0.key.contains(".") }) { $0.key.split(separator: ".")[0] }
      for (section, keys) in sections.sorted(by: { $0.key < $1.key }) {
        text += "\(section):\n"
        for (key, value) in keys.sorted(by: { $0.key < $1.key }) {
          text += "  \(key.split(separator: ".")[1]): \(value)\n"
        }
      }
      return text
    }
    let (base, settings) = (pick(), pick())
    try folder.write(yaml(base), to: "g.yaml")
    try folder.write(yaml(settings), to: "grampad.settings.yaml")
    let layered = try ConfigurationFile(path: path)
    let merged = try Configuration.parse(yaml(base.merging(settings) { $1 }))
    #expect(layered.current == merged, "\(yaml(base))---\n\(yaml(settings))")
    #expect(Set(layered.settingsKeys) == Set(settings.keys))
    // What is written is read as the same.
    let text = SettingsFile.text(of: layered.layer, in: layered.current)
    try folder.write(text, to: "grampad.settings.yaml")
    #expect(try ConfigurationFile(path: path).current == merged, "\(text)")
  }
}
