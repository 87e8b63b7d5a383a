import Foundation
import FreePorts
import Testing

/// Settings of the page: what `check` and `report` say of them, and their change on a running appliance.
@Suite struct SettingsTests {
  private static let settings = "grampad.settings.yaml"

  @Test func checkNamesTheFileAndItsKeys() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("scale.yaml", "device: {name: Shelf}\nscale: {capacity_g: 300}\n")
    let settings = try folder.write(Self.settings, "device: {name: Bench}\nscale: {unit: oz}\n")
    let ended = try await Program.run(["check", path])
    #expect(ended.code == 0)
    #expect(ended.output.contains("name: Bench\n") && ended.output.contains("capacity_g: 300\n"), "\(ended.output)")
    #expect(ended.complaints.contains("\(settings): valid; sets device.name, scale.unit\n"), "\(ended.complaints)")
    #expect(ended.complaints.hasSuffix("\(path): valid\n"), "\(ended.complaints)")
  }

  @Test(arguments: [
    ("device: {name: [\n", "invalid YAML"), ("mqtt: {password_file: x}\n", "cannot be set here"),
    ("scale: {minimum_g: 400}\n", "is not below the capacity"),
  ])
  func anInvalidFileIsRefusedAndKept(_ text: String, _ words: String) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("scale.yaml", "mqtt: {embedded_port: 0}\ndashboard: {enabled: false}\n")
    let settings = try folder.write(Self.settings, text)
    for command in [["check", path], ["run", "--config", path]] {
      let ended = try await Program.run(command)
      #expect(ended.code == 78 && ended.output.isEmpty, "\(ended)")
      #expect(ended.complaints.hasPrefix("\(settings):"), "\(ended.complaints)")
      #expect(ended.complaints.contains(words) && ended.complaints.contains("move it away"), "\(ended.complaints)")
    }
    #expect(try String(contentsOfFile: settings, encoding: .utf8) == text)
  }

  @Test func theReportHasThem() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("scale.yaml", "dashboard: {port: \(FreePort.any())}\nmqtt: {embedded_port: 0}\n")
    _ = try folder.write(Self.settings, "device: {name: Bench}\nstability: {time_ms: 700}\n")
    let archive = "\(folder.path)/report.tar.gz"
    let ended = try await Program("env", [Program.path(), "report", "-o", archive, "--config", path])
      .ended(within: .seconds(120))
    try #require(ended.code == 0, "\(ended)")
    let tar = try await Program("tar", ["-C", folder.path, "-xzf", archive]).ended()
    #expect(tar.code == 0)
    func text(_ name: String) throws -> String {
      try String(contentsOfFile: "\(folder.path)/grampad-report/\(name)", encoding: .utf8)
    }
    #expect(try text("settings.txt") == "\(folder.path)/\(Self.settings)\ndevice.name\nstability.time_ms\n")
    #expect(try text("configuration.yaml").contains("time_ms: 700\n"))
  }

  /// A running appliance with a dashboard.
  private struct Served {
    let broker: Broker
    let listener: Listener
    let discovery: Program
    let folder: TemporaryFolder
    let program: Program
    let port: UInt16

    init() async throws {
      let port = FreePort.any()
      let broker = try await Broker()
      let folder = try TemporaryFolder()
      let path = try folder.write(
        "scale.yaml",
        """
        pad: {device: simulated, zones: {tare: {x: [0, 0.15]}}, controls: {lamp: {x: [0.8, 1]}}}
        mqtt: {broker: "mqtt://127.0.0.1:\(broker.port)"}
        dashboard: {port: \(port)}
        actions: [{type: beans}, {type: rice}]
        """)
      listener = try await Listener(broker.port)
      discovery = try Program(
        "stdbuf",
        ["-oL", "mosquitto_sub", "-h", "127.0.0.1", "-p", "\(broker.port)", "-t", "homeassistant/#", "-F", "%t %p"])
      program = try Program.grampad(["run", "--config", path])
      (self.broker, self.folder, self.port) = (broker, folder, port)
      let (listener, discovery) = (listener, discovery)
      try await eventually("it runs") { listener.last("live") != nil && !discovery.lines.isEmpty }
      // It listens a moment later.
      try await eventually("the dashboard listens") { FreePort.isTaken(port) }
    }

    /// The status and the body of a request; a POST if there is a body.
    func ask(_ path: String, _ body: String? = nil) async throws -> (status: Int, body: String) {
      let more = body.map { ["-H", "Content-Type: application/json", "--data-binary", $0] } ?? []
      let ended = try await Program(
        "curl", ["-s", "-w", "\n%{http_code}", "http://127.0.0.1:\(port)\(path)"] + more
      ).ended()
      #expect(ended.code == 0, "\(ended)")
      let lines = ended.output.split(separator: "\n", omittingEmptySubsequences: false)
      return (Int(lines.last ?? "") ?? 0, lines.dropLast().joined(separator: "\n"))
    }

    func state() async throws -> String { try await ask("/api/settings").body }

    func revision() async throws -> String {
      try #require(value(in: try await state(), ["revision"]) as? String)
    }

    /// The newest discovery message of Home Assistant.
    var device: String {
      discovery.lines.last.map { String($0.drop { $0 != " " }.dropFirst()) } ?? ""
    }
  }

  @Test func aChangeIsAppliedAndUndone() async throws {
    let served = try await Served()
    let begin = try await served.state()
    #expect(value(in: begin, ["keys", "device.name", "source"]) as? String == "default")
    #expect(value(in: begin, ["keys", "pad.zones", "source"]) as? String == "configuration")
    #expect(value(in: begin, ["keys", "stability.time_ms", "schema", "maximum"]) as? Int == 60_000)
    #expect(value(in: begin, ["can_undo"]) as? Bool == false)
    #expect(!begin.contains("password_file") && !begin.contains("calibration"))

    let (listener, folder) = (served.listener, served.folder)
    try await eventually("a load") { listener.last("stable") != nil }
    let old = try await served.revision()
    // The answer comes when the change is applied.
    let changed = try await served.ask(
      "/api/settings",
      #"{"revision": "\#(old)", "set": {"device.name": "Bench", "scale.unit": "oz", "pad.controls": {}, "actions": [{"type": "beans", "title": "Coffee"}]}}"#
    )
    #expect(changed.status == 200, "\(changed)")
    #expect(value(in: changed.body, ["keys", "device.name", "value"]) as? String == "Bench")
    #expect(value(in: changed.body, ["keys", "device.name", "source"]) as? String == "page")
    #expect(value(in: changed.body, ["keys", "device.name", "configured"]) as? String == "Grampad")
    try await eventually("the new unit") { listener.last("display")?.hasSuffix("oz") == true }
    try await eventually("the new actions") { listener.last("actions")?.contains("Coffee") == true }
    #expect(listener.messages("event").filter { $0("type") as? String == "reloaded" }.count == 1)

    // Home Assistant: the same device with another name; what is gone is removed, by entries without content.
    try await eventually("the device") { served.device.contains("\"Bench\"") && served.device.contains("Coffee") }
    let identifiers = served.discovery.lines.compactMap { line in
      value(in: String(line.drop { $0 != " " }.dropFirst()), ["device", "identifiers"]).map { "\($0)" }
    }
    #expect(Set(identifiers).count == 1, "\(identifiers)")
    let topics = Set(served.discovery.lines.compactMap { $0.split(separator: " ").first })
    #expect(topics.count == 1, "\(topics)")
    let components = try #require(value(in: served.device, ["components"]) as? [String: [String: Any]])
    for gone in ["action_rice", "control_lamp"] {
      let component = try #require(components[gone], "\(components.keys)")
      #expect(component.count == 1 && component["platform"] != nil, "\(component)")
    }

    // A second user who has not seen this, and values that are invalid.
    let late = try await served.ask("/api/settings", #"{"revision": "\#(old)", "set": {"device.name": "Late"}}"#)
    #expect(late.status == 409 && value(in: late.body, ["reason"]) as? String == "conflict", "\(late)")
    let revision = try await served.revision()
    let wrong = try await served.ask(
      "/api/settings",
      #"{"revision": "\#(revision)", "set": {"device.name": "X", "containers": [{"name": "jug", "tare_g": 900}], "pad.zones": {"tare": {"x": [0, 0.5]}, "zero": {"x": [0.4, 1.2]}}}}"#
    )
    #expect(wrong.status == 422, "\(wrong)")
    let faults = value(in: wrong.body, ["faults"]) as? [[String: Any]] ?? []
    #expect(
      Set(faults.compactMap { $0["path"] as? String }) == ["pad.zones.zero.x", "containers[0].tare_g"], "\(faults)")
    #expect(try await served.revision() == revision)
    #expect(try await served.ask("/api/settings", #"{"revision": 1}"#).status == 400)

    let undone = try await served.ask("/api/settings", #"{"revision": "\#(revision)", "undo": true}"#)
    #expect(undone.status == 200 && value(in: undone.body, ["keys", "device.name", "source"]) as? String == "default")
    try await eventually("the old unit") { listener.last("display")?.hasSuffix("g") == true }

    // A settings file that is edited is applied like a configuration; one that is broken is refused and kept.
    _ = try folder.write(Self.settings, "device: {name: Edited}\n")
    try await eventually("the edited name") { served.device.contains("\"Edited\"") }
    _ = try folder.write(Self.settings, "device: {name: [\n")
    try await eventually("refused") {
      listener.messages("health").last?("configuration", "state") as? String == "refused"
    }
    let refused = try await served.ask("/api/settings")
    #expect(refused.status == 503 && refused.body.contains(Self.settings), "\(refused)")
    #expect(try String(contentsOfFile: "\(folder.path)/\(Self.settings)", encoding: .utf8) == "device: {name: [\n")
    served.program.send(SIGTERM)
    #expect(try await served.program.ended().code == 0)
  }

  /// With a broker that does not exist, the page still works and the change can be undone.
  @Test func aWrongBrokerCanBeUndoneInThePage() async throws {
    let served = try await Served()
    let nowhere = FreePort.any()
    let revision = try await served.revision()
    let changed = try await served.ask(
      "/api/settings", #"{"revision": "\#(revision)", "set": {"mqtt.broker": "mqtt://127.0.0.1:\#(nowhere)"}}"#)
    #expect(changed.status == 200, "\(changed)")
    try await eventually("the link is down") {
      served.program.complaints.contains("127.0.0.1:\(nowhere)")
    }
    let next = try await served.revision()
    let undone = try await served.ask("/api/settings", #"{"revision": "\#(next)", "undo": true}"#)
    #expect(undone.status == 200, "\(undone)")
    let listener = served.listener
    let count = listener.messages("live").count
    try await eventually("connected again") { listener.messages("live").count > count }
  }

  /// The tare of the load on the scale survives a change of the settings.
  @Test func theTareSurvives() async throws {
    let served = try await Served()
    let listener = served.listener
    func live(_ key: String) -> Double { listener.messages("live").last?(key) as? Double ?? 0 }
    // The show of the simulated pad goes on: a tare is refused while the load moves.
    var isTared = false
    while !isTared {
      try await eventually("a stable load") { listener.last("stable") != nil }
      isTared = value(in: try await served.ask("/api/action/tare", "{}").body, ["ok"]) as? Bool == true
    }
    try await eventually("a tare") { live("tare_g") > 0 }
    let (tare, epoch) = (live("tare_g"), live("tare_epoch"))
    let revision = try await served.revision()
    let changed = try await served.ask(
      "/api/settings", #"{"revision": "\#(revision)", "set": {"device.name": "Bench", "scale.minimum_g": 3}}"#)
    #expect(changed.status == 200, "\(changed)")
    let count = listener.messages("live").count
    try await eventually("readings") { listener.messages("live").count > count + 1 }
    for reading in listener.messages("live").dropFirst(count) {
      let now = reading("tare_g") as? Double ?? 0
      // The show takes a tare of its own by a press, which a busy machine reaches before this.
      #expect(reading("tare_epoch") as? Double == epoch ? now == tare : now > 0)
    }
  }
}
