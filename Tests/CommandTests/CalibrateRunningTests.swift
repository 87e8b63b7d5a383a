import Foundation
import FreePorts
import Glibc
import Testing

/// The calibration of a running appliance over HTTP, and what becomes of it.
@Suite(.serialized) struct CalibrateRunningTests {
  private static let masses = [250, 500, 900]
  private static let loads = [0, 250, 500, 900, 0, 250]

  private func reason(_ answer: (status: Int, body: String)) -> String? {
    value(in: answer.body, ["reason"]) as? String
  }

  @Test func isAppliedAtOnceAndUndone() async throws {
    let cell = try await ServedLoadCell()
    try cell.put(100)
    try await cell.shows("105 g")
    #expect(try await cell.ask("/api/action/tare", "{}").status == 200)
    try await cell.shows("0 g")
    let session = try await cell.start(Self.masses)
    let early = try await cell.ask(ServedLoadCell.path, #"{"do": "apply", "session": "\#(session)"}"#)
    #expect(early.status == 409 && reason(early) == "incomplete" && early.body.contains("6 of 6 steps"), "\(early)")
    try await cell.measure(session, Self.loads)
    // The fit is not used before it is applied.
    try cell.put(260)
    try await cell.shows("168 g")
    let applied = try await cell.command("apply", session)
    #expect(value(in: applied, ["applied"]) as? Bool == true && value(in: applied, ["can_undo"]) as? Bool == true)
    #expect(value(in: applied, ["storage"]) as? String == "\(cell.folder.path)/grampad.settings.yaml")
    // The tare is a mass and stays.
    try await cell.shows("155 g")
    #expect(cell.listener.messages("live").last?("tare_g") as? Double == 105)
    #expect(cell.listener.messages("event").contains { $0("type") as? String == "calibrated" })

    // It is visible, and used by the next start.
    let check = try await Program.run(["check", cell.configuration])
    #expect(check.complaints.contains("sets calibration\n"), "\(check.complaints)")
    #expect(check.output.contains("  pad: {name: hx711,") && check.output.contains("grams: 900}"), "\(check.output)")
    let report = try await cell.ask("/api/calibration").body
    #expect((value(in: report, ["date"]) as? String)?.hasSuffix("Z") == true, "\(report)")
    #expect((value(in: report, ["pad"]) as? String)?.hasPrefix("hx711, ") == true, "\(report)")
    // The session goes on with it.
    try await cell.command("verify", session, #", "mass_g": 500"#)
    try cell.put(0)
    try await cell.reaches("the second task") { value(in: $0, ["task", "number"]) as? Int == 2 }
    try cell.put(500)
    let verified = try await cell.reaches("a result") { value(in: $0, ["verification"]) is [String: Any] }
    #expect(value(in: verified, ["verification", "ok"]) as? Bool == true, "\(verified)")

    // The certificate needs a self-test of this calibration.
    let missing = try await cell.ask("/api/calibration/certificate")
    #expect(missing.status == 409 && reason(missing) == "incomplete", "\(missing)")
    try await cell.command("self_test", session, #", "mass_g": 500, "times": 2, "creep_s": 1, "conditions": "21 C""#)
    for (task, grams) in [(1, 0), (2, 500), (3, 0), (4, 500), (6, 0)] {
      try await cell.reaches("task \(task)") { value(in: $0, ["task", "number"]) as? Int == task }
      try cell.put(grams)
    }
    try await cell.reaches("its end") { value(in: $0, ["self_test", "ok"]) as? Bool == true }
    let certificate = try await cell.ask("/api/calibration/certificate")
    #expect(certificate.status == 200 && certificate.body.contains("Overall: PASS"), "\(certificate)")
    for part in [
      "Verification   500 g read 500.00 g: error", "Conditions     21 C", "through 4 points, made 20", "hx711",
    ] {
      #expect(certificate.body.contains(part), "\(part): \(certificate.body)")
    }

    let undone = try await cell.command("undo", session)
    let gone = try await cell.ask("/api/calibration/certificate")
    #expect(gone.status == 409, "\(gone)")
    try cell.put(500)
    #expect(value(in: undone, ["applied"]) as? Bool == false && value(in: undone, ["state"]) as? String == "active")
    try await cell.shows("420 g")
    let again = try await cell.ask(ServedLoadCell.path, #"{"do": "undo", "session": "\#(session)"}"#)
    #expect(again.status == 409 && reason(again) == "nothing_to_undo", "\(again)")
    #expect(try await !Program.run(["check", cell.configuration]).complaints.contains("sets"))
    cell.program.send(SIGTERM)
    #expect(try await cell.program.ended().code == 0)
  }

  /// Two masses are swapped: refused with the reason, corrected by measuring them again.
  @Test func aRefusedFitIsNotApplied() async throws {
    let cell = try await ServedLoadCell()
    let session = try await cell.start(Self.masses)
    try await cell.measure(session, [0, 500, 250, 900, 0, 500])
    let refused = try await cell.ask(ServedLoadCell.path, #"{"do": "apply", "session": "\#(session)"}"#)
    #expect(refused.status == 409 && reason(refused) == "refused", "\(refused)")
    #expect(refused.body.contains("250 g"), "\(refused)")
    #expect(!FileManager.default.fileExists(atPath: "\(cell.folder.path)/grampad.settings.yaml"))
    for (step, grams) in [(1, 250), (2, 500), (5, 250)] {
      try await cell.command("select", session, #", "step": \#(step)"#)
      try await cell.measure(session, [grams])
    }
    let state = try await cell.command("apply", session)
    #expect(value(in: state, ["applied"]) as? Bool == true, "\(state)")
    try await cell.shows("250 g")
  }

  @Test(.enabled(if: geteuid() == 0, "mounting takes root")) func aFullDiskKeepsTheOldOne() async throws {
    let disk = try await Disk("size=2m")
    let cell = try await ServedLoadCell(data: disk.path)
    let session = try await cell.start(Self.masses)
    try await cell.measure(session, Self.loads)
    try disk.fill()
    let full = try await cell.ask(ServedLoadCell.path, #"{"do": "apply", "session": "\#(session)"}"#)
    #expect(full.status == 503 && reason(full) == "not_saved", "\(full)")
    try cell.put(260)
    try await cell.shows("273 g")
    #expect(value(in: try await cell.ask().body, ["applied"]) as? Bool == false)
    try disk.empty()
    let state = try await cell.command("apply", session)
    #expect(value(in: state, ["applied"]) as? Bool == true, "\(state)")
    try await cell.shows("260 g")
    cell.program.send(SIGTERM)
    #expect(try await cell.program.ended().code == 0)
  }

  /// The file of `calibrate` and points of the configuration are overridden, and come back.
  @Test func itOverridesACalibrationFile() async throws {
    let cell = try await ServedLoadCell()
    _ = try cell.folder.write(
      "calibration.yaml", "curve: linear\npoints: [{raw: 8388608, grams: 0}, {raw: 11388608, grams: 1000}]\n")
    let yaml = try String(contentsOfFile: cell.configuration, encoding: .utf8)
    _ = try cell.folder.write(
      "scale.yaml", yaml.replacingOccurrences(of: "{points: [", with: "{file: calibration.yaml, points: ["))
    try cell.put(300)
    try await cell.shows("420 g")
    let session = try await cell.start(Self.masses)
    try await cell.measure(session, Self.loads)
    try await cell.command("apply", session)
    try await cell.shows("250 g")
    let points = "8388608,0\n9888608,500\n11388608,1000\n"
    let tool = try await Program.run(
      ["calibrate", "--from", try cell.folder.write("points.csv", points), "--config", cell.configuration, "--yes"])
    #expect(tool.code == 0 && tool.complaints.contains("grampad.settings.yaml overrides it"), "\(tool)")
    try FileManager.default.removeItem(atPath: "\(cell.folder.path)/grampad.settings.yaml")
    try await cell.shows("350 g")
  }

  // MARK: The command

  /// The same dialog as on a free pad; the appliance measures, decides and stores.
  @Test func theCommandCalibratesIt() async throws {
    let cell = try await ServedLoadCell()
    let terminal = try CalibrateTerminal([
      "calibrate", "--appliance", cell.url, "--masses", "250,500,900", "--rest", "0.5",
    ])
    for (index, grams) in Self.loads.enumerated() {
      try await eventually("step \(index + 1) in \(terminal.shown)") { terminal.shown.contains("\(index + 1) of 6: ") }
      try cell.put(grams)
      try await terminal.answer("q = quit]", "")
    }
    try await terminal.answer("Use this calibration now? [Y/n]", "y")
    let folder = cell.folder.path
    try await eventually("its end") { terminal.shown.contains("saved in \(folder)/grampad.settings.yaml") }
    #expect(try await terminal.ended() == 0)
    try await cell.shows("250 g")
    #expect(value(in: try await cell.ask().body, ["state"]) as? String == "ended", "the session is closed")

    // Its broker knows where its page is.
    let url = "mqtt://127.0.0.1:\(cell.broker.port)"
    try await eventually("its page in health") {
      cell.listener.messages("health").last?("page") as? String == cell.url
    }
    let check = try Program.grampad([
      "calibrate", "verify", "500", "--broker", url, "--device", "grampad", "--rest", "0.5", "--json",
    ])
    try await eventually("the first load") { check.complaints.contains("Take everything off the pad.") }
    #expect(check.complaints.contains("calibrating through \(cell.url)\n"), "\(check.complaints)")
    try cell.put(0)
    try await eventually("the second load") { check.complaints.contains("Put 500.0 g on the pad.") }
    try cell.put(500)
    let verified = try await check.ended()
    #expect(verified.code == 0, "\(verified)")
    #expect(value(in: verified.output, ["ok"]) as? Bool == true && verified.output.contains("\"user\""), "\(verified)")

    let test = try Program.grampad([
      "calibrate", "self-test", "500", "--times", "2", "--creep", "1", "--appliance", cell.url, "--rest", "0.5",
    ])
    for (count, grams) in [(1, 0), (2, 500), (3, 0), (4, 500), (6, 0)] {
      try await eventually("load \(count)") { test.complaints.split(separator: ".\n").count >= count }
      try cell.put(grams)
    }
    let tested = try await test.ended()
    #expect(tested.code == 0 && tested.output.contains("Overall: PASS"), "\(tested)")
  }

  /// Two masses are swapped and the user quits: nothing changes.
  @Test func theCommandRefusesABadFit() async throws {
    let cell = try await ServedLoadCell()
    let terminal = try CalibrateTerminal([
      "calibrate", "--appliance", cell.url, "--masses", "250,500,900", "--rest", "0.5",
    ])
    for (index, grams) in [0, 500, 250, 900, 0, 500].enumerated() {
      try await eventually("step \(index + 1) in \(terminal.shown)") { terminal.shown.contains("\(index + 1) of 6: ") }
      try cell.put(grams)
      try await terminal.answer("q = quit]", "")
    }
    try await terminal.answer("m = measure again, s = leave out, q = quit]", "q")
    #expect(try await terminal.ended() == 65)
    #expect(!FileManager.default.fileExists(atPath: "\(cell.folder.path)/grampad.settings.yaml"))
  }

  /// The broker knows no such appliance, or only a page at which another appliance answers.
  @Test func theCommandCalibratesNoOtherAppliance() async throws {
    let cell = try await ServedLoadCell()
    let arguments = ["calibrate", "--broker", "mqtt://127.0.0.1:\(cell.broker.port)", "--device", "attic"]
    let unknown = try await Program.run(arguments)
    #expect(unknown.code == 69 && unknown.complaints.contains("grampad/attic/health"), "\(unknown)")
    let closed = "http://127.0.0.1:\(FreePort.any())"
    for (health, says) in [
      (#"{"page":"\#(cell.url)"}"#, "the appliance at \(cell.url) is not attic"),
      (#"{"page":"\#(closed)"}"#, "\(closed)/api/calibration/session: Connection refused"),
      ("{}", "attic does not publish the address of a web page"),
    ] {
      let retained = ["-h", "127.0.0.1", "-p", "\(cell.broker.port)", "-r", "-t", "grampad/attic/health", "-m", health]
      #expect(try await Program("mosquitto_pub", retained).ended().code == 0)
      let refused = try await Program.run(arguments)
      #expect(refused.code == 69 && refused.complaints.contains(says), "\(refused)")
    }
    // With a broker elsewhere, the loopback address of the page is that of another machine.
    try await eventually("its page in health") {
      cell.listener.messages("health").last?("page") as? String == cell.url
    }
    let brokers = "[\"mqtt://127.0.0.1:\(cell.broker.port)\", \"mqtt://scale.invalid:1883\"]"
    let elsewhere = try cell.folder.write("elsewhere.yaml", "mqtt: {broker: \(brokers)}\n")
    let refused = try await Program.run(["calibrate", "--config", elsewhere, "--device", "grampad"])
    #expect(
      refused.code == 69
        && refused.complaints.contains("the page of grampad is at \(cell.url), which can be reached only from"),
      "\(refused)")
    #expect(value(in: try await cell.ask().body, ["state"]) as? String == "none")
  }

  /// The token goes to a page only after it has named its device.
  @Test(arguments: [("other", ["None"]), ("attic", ["None", "Bearer 0123456789abcdef0123"])])
  func theTokenIsNotSentToAnotherPage(_ device: String, _ received: [String]) async throws {
    let script = """
      import http.server
      class Page(http.server.BaseHTTPRequestHandler):
          protocol_version = "HTTP/1.1"
          def do_GET(self):
              print(self.headers.get("Authorization"), flush=True)
              self.send_response(200 if self.command == "GET" else 403)
              self.end_headers()
              self.wfile.write(b'{"device": "\(device)", "state": "none"}')
          do_POST = do_GET
      server = http.server.HTTPServer(("127.0.0.1", 0), Page)
      print(server.server_port, flush=True)
      server.serve_forever()
      """
    let page = try Program("python3", ["-c", script])
    try await eventually("its port") { page.lines.count == 1 }
    let broker = try await Broker()
    let retained = [
      "-h", "127.0.0.1", "-p", "\(broker.port)", "-r", "-t", "grampad/attic/health", "-m",
      #"{"page":"http://127.0.0.1:\#(page.lines[0])"}"#,
    ]
    #expect(try await Program("mosquitto_pub", retained).ended().code == 0)
    let ended = try await Program.run(
      ["calibrate", "--broker", "mqtt://127.0.0.1:\(broker.port)", "--device", "attic", "--masses", "250,900"],
      environment: ["GRAMPAD_DASHBOARD_TOKEN": "0123456789abcdef0123"])
    #expect(ended.code != 0, "\(ended)")
    // What is sent after the first request with the token depends on the answers.
    #expect(Array(page.lines.dropFirst().prefix(2)) == received, "\(ended)")
  }

  @Test func theCommandNamesWhatItCannotReach() async throws {
    let token = "0123456789abcdef0123"
    let cell = try await ServedLoadCell(dashboard: ", token_file: token", files: ["token": token + "\n"])
    let file = "\(cell.folder.path)/token"
    func calibrate(_ url: String, _ more: [String] = []) async throws -> Program.Ended {
      try await Program.run(["calibrate", "--masses", "250,900", "--appliance", url, "--rest", "0.5"] + more)
    }
    let forbidden = try await calibrate(cell.url)
    #expect(forbidden.code == 77 && forbidden.complaints.contains(cell.url), "\(forbidden)")
    // Without input the user quits at the first step.
    let allowed = try await calibrate(cell.url, ["--token-file", file])
    #expect(allowed.code == 1 && allowed.complaints.contains("1 of 5: Take everything off"), "\(allowed)")
    #expect(allowed.complaints.contains("Calibrating hx711, "), "\(allowed)")
    let nowhere = try await calibrate("http://127.0.0.1:\(FreePort.any())")
    #expect(nowhere.code == 69 && nowhere.complaints.contains("Connection refused"), "\(nowhere)")
    for url in ["https://127.0.0.1:1", "127.0.0.1:8385", "http://", "http://a:b"] {
      #expect(try await calibrate(url).code == 64, "\(url)")
    }
    #expect(try await calibrate(cell.url, ["--output", "x.yaml"]).code == 64)
  }
}
