import Foundation
import Testing

/// `calibrate --from`, and its effect on a running appliance.
@Suite struct CalibrateFromTests {
  static let sound = "raw,grams\n0,0\n125,50\n250,100\n500,200\n962,385\n"

  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var text: String
    var code: Int32
    var says: String
  }

  @Test(arguments: [
    Case(testDescription: "CSV", text: sound, code: 0, says: "Curve: "),
    Case(
      testDescription: "CSV of a spreadsheet, grams first",
      text: "\u{FEFF}Grams;Raw\r\n0;0\r\n100;250\r\n200;500\r\n385;962\r\n", code: 0, says: "Curve: "),
    Case(
      testDescription: "decimal commas", text: "raw;grams\n0;0\n125,5;50,2\n250;100,4\n500;200,8\n962;386,35\n",
      code: 0,
      says: "200.8 g"),
    Case(
      testDescription: "decimal commas and tabs", text: "0\t0\n125,5\t50,2\n250\t100,4\n500\t200,8\n962\t386,35\n",
      code: 0, says: "200.8 g"),
    Case(
      testDescription: "decimal commas between commas", text: "raw,grams\n0,0\n125,50,2\n", code: 65,
      says: ":3:1: expected two numbers"),
    Case(
      testDescription: "a tab in a line", text: "raw;grams\n0;0\n125\tg;50\n", code: 65,
      says: #":3:1: expected two numbers, raw and grams, found "125\tg;50""#),
    Case(
      testDescription: "YAML", text: "- {raw: 0, grams: 0}\n- {raw: 250, grams: 100}\n- {raw: 962, grams: 385}\n",
      code: 0, says: "Curve: monotone, which passes through every mass"),
    Case(
      testDescription: "YAML of a configuration",
      text:
        "calibration:\n  points:\n    - {raw: 0, grams: 0}\n    - {raw: 250, grams: 100}\n    - {raw: 962, grams: 385}\n",
      code: 0, says: "Curve: "),
    Case(testDescription: "empty", text: "", code: 65, says: "no points"),
    Case(testDescription: "two", text: "0,0\n500,200\n", code: 65, says: "too few"),
    Case(testDescription: "not monotone", text: "0,0\n500,100\n250,200\n962,385\n", code: 65, says: "not monotone"),
    Case(
      testDescription: "one value", text: "0,0\n250,100\n250,200\n962,385\n", code: 65,
      says: "same reading for two masses"),
    Case(testDescription: "little", text: "0,0\n25,10\n50,20\n", code: 65, says: "range too small"),
    Case(
      testDescription: "mistyped", text: "0,0\n125,50\n250,1000\n500,200\n962,385\n", code: 65,
      says: "1000 g at 250.00 counts is far from the curve"),
    Case(
      testDescription: "118 typed for 100", text: "0,0\n250,118\n500,200\n962,385\n", code: 65,
      says: "The other masses predict about 100 g for 118 g"),
    Case(testDescription: "words", text: "0,0\n250,much\n", code: 65, says: ":2:1: expected two numbers"),
    Case(
      testDescription: "pairs", text: "- [0, 0]\n- [250, 100]\n- [962, 385]\n", code: 65,
      says: "write each point as {raw: 0, grams: 0}\n"),
    Case(testDescription: "no grams", text: "- {raw: 0}\n", code: 65, says: ":1:3: [0].grams: missing"),
  ])
  func points(_ given: Case) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("points", given.text)
    let target = "\(folder.path)/out.yaml"
    let ended = try await Program.run(["calibrate", "--from", file, "--output", target])
    #expect(ended.code == given.code, "\(ended.complaints)")
    #expect((ended.output + ended.complaints).contains(given.says), "\(ended.output)\(ended.complaints)")
    #expect(FileManager.default.fileExists(atPath: target) == (given.code == 0))
  }

  @Test func cannotCreate() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("points", Self.sound)
    for target in ["\(folder.path)/no-such/out.yaml", folder.path, "/proc/out.yaml"] {
      let ended = try await Program.run(["calibrate", "--from", file, "--output", target])
      #expect(ended.code == 73 || ended.code == 77, "\(target): \(ended.code) \(ended.complaints)")
      #expect(ended.complaints.contains("cannot be written"), "\(ended.complaints)")
    }
    let missing = try await Program.run(["calibrate", "--from", "\(folder.path)/no-such"])
    #expect(missing.code == 66)
  }

  @Test func writesADoubtfulOneWhenToldTo() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("points", "0,0\n250,118\n500,200\n962,385\n")
    let target = "\(folder.path)/out.yaml"
    let ended = try await Program.run(["calibrate", "--from", file, "-o", target, "--yes"])
    #expect(ended.code == 0, "\(ended.complaints)")
    #expect(ended.complaints.contains("warning: the masses do not lie on one curve"), "\(ended.complaints)")
    let configuration = try folder.write("scale.yaml", "calibration: {file: out.yaml}\n")
    let checked = try await Program.run(["check", configuration])
    #expect(checked.code == 0)
    let warning = "warning: calibration: the masses do not lie on one curve: "
    #expect(checked.complaints.contains(warning), "\(checked.complaints)")
    #expect(checked.complaints.contains("predict about 100 g for 118 g"), "\(checked.complaints)")
  }

  @Test func showsAndWritesNothing() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("points", Self.sound)
    let ended = try await Program.run(["calibrate", "--from", file, "-o", "\(folder.path)/out.yaml", "--dry-run"])
    #expect(ended.code == 0)
    #expect(ended.output.contains("Curve: "))
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/out.yaml"))
  }

  @Test func aFaultyCalibrationFileIsAFaultOfTheConfiguration() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("scale.yaml", "calibration: {file: calibration.yaml}\n")
    let calibration = try folder.write("calibration.yaml", "points: [{raw: 0, grams: 0}, {raw: 10, gram: 5}]\n")
    let ended = try await Program.run(["check", path])
    #expect(ended.code == 78)
    #expect(ended.complaints.hasPrefix("\(calibration):1:"), "\(ended.complaints)")
    #expect(ended.complaints.contains("did you mean grams?"))
  }

  @Test func aRunningApplianceTakesItUp() async throws {
    let broker = try await Broker()
    let folder = try TemporaryFolder()
    let path = try folder.write(
      "scale.yaml",
      """
      pad: {device: simulated}
      mqtt: {broker: "mqtt://127.0.0.1:\(broker.port)"}
      dashboard: {enabled: false}
      calibration: {file: calibration.yaml}

      """)
    let program = try Program.grampad(["run", "--config", path])
    let listener = try await Listener(broker.port)
    func health(_ key: String) -> String? { listener.messages("health").last?(key) as? String }
    try await eventually("nominal, and said so") {
      health("calibration") == "nominal" && health("calibration_warning")?.contains("does not exist yet") == true
    }
    // The true points of the simulated pad, rounded to a count.
    let points = try folder.write("points.csv", "0,0\n181.9,50\n341,100\n606.2,200\n818.4,300\n979,390\n")
    let ended = try await Program.run(["calibrate", "--from", points, "-c", path])
    #expect(ended.code == 0, "\(ended.complaints)")
    #expect(ended.complaints.contains("reloads it automatically"))
    try await eventually("taken up") {
      listener.messages("event").contains { $0("type") as? String == "calibrated" } && health("calibration") == "user"
    }
    try await eventually("nothing is to be said against it") { health("calibration_warning") == nil }
    // Another pad's: not used, and said so.
    var text = try String(contentsOfFile: "\(folder.path)/calibration.yaml", encoding: .utf8)
    #expect(!text.contains("empty_raw"), "they may have been measured without the plate")
    #expect(text.contains("name: \"Grampad Simulated Pad\""), "\(text)")
    text = text.replacingOccurrences(of: "maximum: 1023", with: "maximum: 255")
    try folder.write("calibration.yaml", text)
    try await eventually("not used") {
      health("calibration") == "nominal" && health("calibration_warning")?.contains("made on another pad") == true
    }
    #expect(program.isRunning)
  }
}
