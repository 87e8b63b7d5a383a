import Foundation
import FreePorts
import Testing

/// Commands with valid and invalid configurations.
@Suite struct ConfigurationTests {
  /// An invalid file, the position of the error, and a part of the message.
  struct Bad: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var yaml: String
    var place: String
    var words: [String]
  }

  static let bad = [
    Bad(
      testDescription: "unknown key", yaml: "scale:\n  capcity_g: 300\n", place: "2:3",
      words: ["capcity_g", "did you mean capacity_g?"]),
    Bad(testDescription: "unknown section", yaml: "scales: {}\n", place: "1:1", words: ["did you mean scale?"]),
    Bad(
      testDescription: "wrong type", yaml: "scale: {capacity_g: heavy}\n", place: "1:21", words: ["scale.capacity_g"]),
    Bad(testDescription: "out of range", yaml: "\nscale: {capacity_g: -1}\n", place: "2:21", words: ["capacity_g"]),
    Bad(
      testDescription: "one raw twice",
      yaml: "calibration:\n  points:\n    - {raw: 0, grams: 0}\n    - {raw: 10, grams: 5}\n    - {raw: 10, grams: 6}\n",
      place: "5:7", words: ["raw", "10"]),
    Bad(
      testDescription: "not monotone",
      yaml:
        "calibration:\n  points:\n    - {raw: 0, grams: 0}\n    - {raw: 10, grams: 50}\n    - {raw: 20, grams: 40}\n",
      place: "5:", words: ["grams"]),
    Bad(testDescription: "no YAML", yaml: "scale: {capacity_g: 300\n", place: "", words: []),
  ]

  @Test(arguments: bad, [["check"], ["run"], ["replay", "RECORDING"]])
  func refusesAndStartsNothing(_ bad: Bad, _ command: [String]) async throws {
    let folder = try TemporaryFolder()
    let port = FreePort.any()
    let configuration = try folder.write("scale.yaml", bad.yaml + "mqtt: {embedded_port: \(port)}\n")
    let recording = try folder.write("press.evemu", Recorded.oneLoad)
    let arguments = command.map { $0 == "RECORDING" ? recording : $0 } + ["--config", configuration]
    let ended = try await Program.run(arguments)
    #expect(ended.code == 78)
    #expect(ended.output.isEmpty)
    #expect(ended.complaints.hasPrefix("\(configuration):\(bad.place)"), "\(ended.complaints)")
    for word in bad.words { #expect(ended.complaints.contains(word), "\(ended.complaints)") }
    #expect(!FreePort.isTaken(port), "nothing started")
  }

  /// Errors that would otherwise only be found by `run`.
  @Test(arguments: [
    ("dashboard: {token_file: secret}", "short", "must hold a token of"),
    ("mqtt: {broker: \"mqtt://h\", username: u, password_file: secret}", "", "has no password"),
    ("journal: {path: scale.yaml}", "", "journal.path: is the configuration file itself"),
  ])
  func refusesWhatRunWouldRefuse(yaml: String, secret: String, reason: String) async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("secret", secret)
    let file = try folder.write("scale.yaml", yaml)
    for command in [["check"], ["run", "--config"]] {
      let ended = try await Program.run(command + [file])
      #expect(ended.code == 78 && ended.complaints.contains(reason), "\(command): \(ended.complaints)")
    }
    #expect(try String(contentsOfFile: file, encoding: .utf8) == yaml)
  }

  @Test func warnsOfWhatIsValid() async throws {
    let folder = try TemporaryFolder()
    let token = try folder.write("token", "0123456789abcdef\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: token)
    let file = try folder.write("scale.yaml", "dashboard: {token_file: token, port: 0}\nmqtt: {embedded_port: 0}\n")
    let ended = try await Program.run(["check", file])
    #expect(ended.code == 0 && ended.output.contains("token_file: token"))
    #expect(
      ended.complaints.hasPrefix("grampad: warning: dashboard.token_file: readable by every user"),
      "\(ended.complaints)")
    let program = try Program.grampad(["run", "--config", file])
    try await eventually("logged") { program.complaints.contains("run chmod o-r \(token)") }
  }

  @Test func warnsOfACalibrationThatCannotBeRight() async throws {
    let folder = try TemporaryFolder()
    let missing = try folder.write("missing.yaml", "calibration: {file: c.yaml}\n")
    #expect(
      try await Program.run(["check", missing]).complaints.hasPrefix(
        "grampad: warning: calibration: \(folder.path)/c.yaml does not exist yet; run `grampad calibrate`\n"))
    let points = (0...5).map { "{raw: \(300 + 250 * $0), grams: \($0 == 1 ? 10 : 100 * $0)}" }
    let mistyped = try folder.write(
      "mistyped.yaml",
      "scale: {capacity_g: 400}\ncalibration: {curve: polynomial, points: [\(points.joined(separator: ", "))]}\n")
    let ended = try await Program.run(["check", mistyped])
    #expect(ended.code == 0)
    for text in [
      "warning: calibration.points: 500 g exceeds the capacity of 400 g\n",
      "warning: calibration: 10 g at 550.00 counts is far from the curve of the other masses, which predicts about 100 g.",
    ] { #expect(ended.complaints.contains(text), "\(ended.complaints)") }
  }

  @Test func tellsEveryFault() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("scale.yaml", "device: {nam: x}\nscale:\n  division_g: 3\n  minimum_g: [1]\n")
    let ended = try await Program.run(["check", file])
    #expect(ended.code == 78)
    let lines = ended.complaints.split(separator: "\n")
    #expect(lines.count == 3, "\(ended.complaints)")
    for (line, place) in zip(lines, ["1:10", "3:15", "4:14"]) {
      #expect(line.hasPrefix("\(file):\(place): "), "\(line)")
    }
  }

  @Test(arguments: [
    "", "scale: {capacity_g: 300, division_g: 0.5}\n",
    """
    device: {id: kitchen, name: "Küche: oben"}
    pad: {device: {name: Pad, vendor: 0x06cb}, axis: ABS_MISC, grab: false, rotate: 270, zones: {}}
    calibration: {curve: linear, points: [{raw: 0, grams: 0}, {raw: 266, grams: 100}]}
    buttons: [{key: KEY_ENTER, action: tare}]
    actions: [{type: beans, title: "Beans #1", user_info: {label: "a: b"}}]
    mqtt: {broker: [mqtt://one:1883, mqtts://two], username: scale, version: 3.1.1}
    publish: {live_max_hz: 2.5, contacts: true}

    """,
  ])
  func printsWhatItAcceptsAgain(_ yaml: String) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("scale.yaml", yaml)
    let first = try await Program.run(["check", "--config", file])
    #expect(first.code == 0, "\(first.complaints)")
    #expect(first.complaints == "grampad: \(file): valid\n")
    #expect(!first.output.isEmpty)
    let second = try await Program.run(["check", folder.write("resolved.yaml", first.output)])
    #expect(second.code == 0, "\(second.complaints)")
    #expect(second.output == first.output)
  }

  @Test(arguments: [["check"], ["run"], ["replay", "/dev/null"]])
  func missesTheFile(_ command: [String]) async throws {
    let folder = try TemporaryFolder()
    for path in ["\(folder.path)/no-such.yaml", folder.path] {
      let ended = try await Program.run(command + ["--config", path])
      #expect(ended.code == 66)
      #expect(ended.output.isEmpty)
      #expect(ended.complaints.hasPrefix("grampad: \(path): "), "\(ended.complaints)")
    }
  }

  /// Root can read everything, so the test runs a copy of the program as the user nobody, who cannot read a private
  /// checkout.
  @Test func mayNotRead() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("secret.yaml", "")
    func setMode(_ mode: Int, _ path: String) throws {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }
    try setMode(0, file)
    var command = [try Program.path(), "check", file]
    if getuid() == 0 {
      let copy = folder.path + "/grampad"
      try await Program.copy(command[0], to: copy)
      try setMode(0o755, folder.path)
      try setMode(0o755, copy)
      command[0] = copy
      command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] + command
    }
    let ended = try await Program(command[0], Array(command.dropFirst())).ended(within: .seconds(120))
    #expect(ended.code == 77)
    #expect(ended.complaints.hasPrefix("grampad: \(file): permission denied"), "\(ended.complaints)")
  }
}
