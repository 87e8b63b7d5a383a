import Foundation
import FreePorts
import Glibc
import Testing

/// `grampad watch` in a real terminal and in a pipe, with a real broker and the simulated pad.
@Suite struct WatchTests {
  private static let actions = "actions: [{type: beans, title: Beans, user_info: {label: beans}}]"

  private func watch(_ broker: Broker, _ more: [String] = [], environment: [String: String] = [:]) throws
    -> WatchTerminal
  {
    try WatchTerminal(["watch", "--broker", "mqtt://127.0.0.1:\(broker.port)"] + more, environment: environment)
  }

  @Test func showsTheScaleAndTakesKeys() async throws {
    let broker = try await Broker()
    let scale = try await RunningScale(broker, extra: Self.actions + "\nconfirm: {settle_ms: 20000}")
    let listener = try await Listener(broker.port)
    let terminal = try watch(broker)
    try await eventually("a picture of a load at rest", within: .seconds(120)) {
      terminal.shows("STABLE") && terminal.shows("█")
    }
    #expect(terminal.shows("grampad/grampad · mqtt://127.0.0.1:\(broker.port)"))
    // Health follows the comparison of the journal with the broker; readings do not wait for it.
    try await eventually("the state of its parts", within: .seconds(120)) {
      terminal.shows("pad Grampad Simulated Pad") && terminal.shows("journal ok")
    }
    #expect(terminal.shows("1 Beans") && terminal.shows("q quit"))

    func asked(_ action: String) -> Bool {
      listener.messages("result").contains {
        $0("action") as? String == action && $0("source") as? String == "command_line"
      }
    }
    for (key, action) in [("T", "clear_tare"), ("1", "beans")] {
      terminal.type(key)
      try await eventually("\(action) is answered", within: .seconds(120)) { asked(action) }
    }
    try await eventually("the weighing is shown", within: .seconds(120)) {
      terminal.picture.contains { $0.contains(" g  beans") }
    }
    // An arrow key sends letters, too, and they mean nothing.
    terminal.type("\u{1b}[A\u{1b}OCv")
    try await eventually("it asks again") { terminal.shows("Void weighing #") && terminal.shows("Press v again") }
    #expect(!asked("void") && !asked("commit"))
    terminal.type("vv")
    try await eventually("void is answered") { asked("void") }
    terminal.type("q")
    #expect(try await terminal.ended() == 0)
    #expect(terminal.isAsBefore)
    #expect(scale.program.isRunning)
  }

  /// Signals that request termination, and signals of a crash.
  @Test(arguments: [SIGTERM, SIGINT, SIGHUP, SIGSEGV, SIGILL, SIGTRAP, SIGABRT, SIGBUS])
  func putsTheTerminalBackInOrder(_ signal: Int32) async throws {
    let isWanted = [SIGTERM, SIGINT, SIGHUP].contains(signal)
    let broker = try await Broker()
    let terminal = try watch(broker)
    try await eventually("it has begun") { terminal.shows("waiting for a reading") }
    #expect(!terminal.isAsBefore)
    terminal.send(signal)
    #expect(try await terminal.ended() == (isWanted ? 0 : 128 + signal))
    #expect(terminal.isAsBefore)
  }

  @Test(arguments: [(200, 60), (80, 24), (40, 16), (30, 10), (12, 4), (1, 1)])
  func fitsIntoAnySize(_ columns: Int, _ rows: Int) async throws {
    let broker = try await Broker()
    let scale = try await RunningScale(broker)
    let terminal = try watch(broker)
    try await eventually("a reading") { terminal.shows("journal ok") }
    terminal.resize(columns, rows)
    try await eventually("a picture of that size") { terminal.picture.count <= rows }
    try await eventually("no line too long") { terminal.picture.allSatisfy { $0.count <= columns } }
    #expect(scale.program.isRunning && terminal.isRunning)
  }

  @Test(arguments: [["NO_COLOR": "", "LC_ALL": "C"], ["LANG": "C", "NO_COLOR": "1"], ["LC_CTYPE": "POSIX"]])
  func keepsToWhatTheTerminalCan(_ environment: [String: String]) async throws {
    let broker = try await Broker()
    let scale = try await RunningScale(broker)
    let terminal = try watch(broker, environment: environment)
    try await eventually("a load at rest", within: .seconds(120)) { terminal.shows("* STABLE") && terminal.shows("##") }
    #expect(terminal.output.utf8.allSatisfy { $0 < 0x80 })
    #expect(terminal.output.contains(/\x{1b}\[1;3[0-9]m/) == (environment["NO_COLOR"] != "1"))
    #expect(scale.program.isRunning)
  }

  @Test func saysThatItDoesNotKnow() async throws {
    let broker = try await Broker()
    let scale = try await RunningScale(broker)
    let terminal = try watch(broker)
    try await eventually("a reading") { terminal.shows("journal ok") }
    scale.program.end()
    try await eventually("the will") { terminal.shows("OFFLINE") }
    broker.end()
    try await eventually("no broker") { terminal.shows("NO BROKER") }
    terminal.type("t")
    try await eventually("no action either") { terminal.shows("tare: no connection to the broker") }
    try await broker.start()
    try await eventually("it is back") { !terminal.shows("NO BROKER") }
    terminal.type("\u{3}")
    #expect(try await terminal.ended() == 0)
  }

  /// A scale that is stopped (SIGSTOP): the broker detects it late, the readings stop immediately.
  @Test func saysThatAReadingIsStale() async throws {
    let broker = try await Broker()
    let scale = try await RunningScale(broker, extra: "publish: {heartbeat_ms: 200}")
    let terminal = try WatchTerminal(["watch", "--config", scale.path])
    try await eventually("a reading") { ["empty", "settling", "STABLE"].contains(where: terminal.shows) }
    scale.program.send(SIGSTOP)
    try await eventually("stale") { terminal.shows("STALE") }
    scale.program.send(SIGCONT)
    try await eventually("live again") { !terminal.shows("STALE") }
  }

  @Test func printsPlainLinesIntoAPipe() async throws {
    let broker = try await Broker()
    let scale = try await RunningScale(broker)
    let program = try Program.grampad(["watch", "--broker", "mqtt://127.0.0.1:\(broker.port)"])
    try await eventually("a load at rest", within: .seconds(120)) {
      program.lines.contains { $0.hasSuffix(" g  stable") }
    }
    #expect(program.lines.contains { $0.hasSuffix("  connected to mqtt://127.0.0.1:\(broker.port)") })
    #expect(program.lines.allSatisfy { $0.contains(/^[0-9]{2}:[0-9]{2}:[0-9]{2}  [^\x{1b}]+$/) })
    program.send(SIGTERM)
    let ended = try await program.ended()
    #expect(ended.code == 0 && ended.complaints.isEmpty, "\(ended)")

    let path = try Program.path()
    let shell = try Program(
      "sh", ["-c", "timeout -s KILL 20 '\(path)' watch --broker mqtt://127.0.0.1:\(broker.port) | head -n 2"])
    let cut = try await shell.ended(within: .seconds(120))
    #expect(cut.output.split(separator: "\n").count == 2 && cut.complaints.isEmpty, "\(cut)")
    #expect(scale.program.isRunning)
  }

  /// Voids and relabels are not shown as weighings, and the last weighing is the last one that is not voided: on a screen of 80
  /// columns and in a pipe.
  @Test func tellsWeighingsVoidsAndRelabelsApart() async throws {
    let stage = try await Stage(pad: RunningScale.plain)
    _ = try await stage.call(["commit", "--label", "rye"])
    try await eventually("it is retained") { stage.listener.last("weighing/last")?.contains("rye") == true }
    let terminal = try watch(stage.broker)
    let program = try Program.grampad(["watch", "--broker", "mqtt://127.0.0.1:\(stage.broker.port)"])
    try await eventually("the retained weighing") {
      terminal.picture.contains { $0.contains(#/ last  .*#1 .* g  rye$/#) }
        && program.lines.contains { $0.contains(#/  last weighing #1  .* g  rye$/#) }
    }
    _ = try await stage.call(["commit", "--label", "oats"])
    _ = try await stage.call(["relabel", "a label that is far too long for what is left of a line of eighty columns"])
    try await eventually("the relabel") {
      terminal.picture.contains { $0.contains(#/#3 .* relabelled #2 as a label /#) }
    }
    #expect(terminal.picture.contains { $0.contains(#/ last  .*#2 .* g  a label /#) }, "\(terminal.picture)")
    _ = try await stage.call(["void"])
    try await eventually("the void") {
      terminal.picture.contains { $0.contains(#/#4 .* voided #2 \(net [0-9]+ g\)/#) }
        && terminal.picture.contains { $0.contains(#/ last  .*#1 .* g  rye$/#) }
    }
    #expect(terminal.picture.allSatisfy { $0.count <= 80 })
    #expect(terminal.picture.count { $0.contains(#/#[0-9]+ .* g  /#) } == 2, "\(terminal.picture)")
    func records() -> [String] {
      program.lines.compactMap { $0.dropFirst(10).firstMatch(of: #/^[a-z ]+#[0-9]+/#).map { String($0.output) } }
    }
    try await eventually("the lines") { records().count == 5 }
    #expect(records().prefix(3) == ["last weighing #1", "weighing #2", "relabelled #2"])
    // The topics are two: either may be the first.
    #expect(records().suffix(2).sorted() == ["last weighing #1", "voided #2"])
  }

  @Test func endsWithoutABroker() async throws {
    let url = "mqtt://127.0.0.1:\(FreePort.any())"
    let piped = try Program.grampad(["watch", "--broker", url])
    let terminal = try WatchTerminal(["watch", "--broker", url])
    let ended = try await piped.ended(within: .seconds(120))
    #expect(ended.code == 69)
    #expect(ended.complaints.contains("no broker: "), "\(ended)")
    #expect(try await terminal.ended() == 69)
    #expect(terminal.isAsBefore && terminal.output.contains("no broker: "))
    #expect(try await Program.run(["watch", "--broker", "http://x"]).code == 64)
    #expect(try await Program.run(["watch", "--device", "a/b"]).code == 64)
  }

  /// Text from external sources cannot control the terminal.
  @Test func showsTextOfOthersAsText() async throws {
    let broker = try await Broker()
    let terminal = try watch(broker)
    try await eventually("it has begun") { terminal.shows("waiting for a reading") }
    let evil = #"{"actions":[{"type":"x","title":"\u001b[2Jüber\u202e"}]}"#
    let arguments = ["-h", "127.0.0.1", "-p", "\(broker.port)", "-t", "grampad/grampad/actions", "-r", "-m", evil]
    #expect(try await Program("mosquitto_pub", arguments).ended().code == 0)
    try await eventually("the title") { terminal.shows("1 [2Jüber  q quit") }
    #expect(!terminal.output.contains("\u{1b}[2Jüber"))
  }
}
