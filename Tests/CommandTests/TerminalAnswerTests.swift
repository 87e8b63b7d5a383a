import Foundation
import Testing

/// Output on a terminal: results as sentences, suggestions, and the status line of the demo.
@Suite struct TerminalAnswerTests {
  @Test func answersInASentenceOnATerminal() async throws {
    let broker = try await Broker()
    let scale = try await RunningScale(broker, extra: "confirm: {settle_ms: 20000}")
    let listener = try await Listener(broker.port)
    try await eventually("a load", within: .seconds(120)) { listener.last("stable") != nil }
    let url = ["--broker", "mqtt://127.0.0.1:\(broker.port)"]
    let refused = try WatchTerminal(["clear-tare"] + url)
    #expect(try await refused.ended() == 1)
    #expect(refused.output == "grampad: clear_tare rejected: no_tare (no tare is set)\r\n")
    let sentence = try WatchTerminal(["zero", "--timeout", "30"] + url)
    try await eventually("zeroed", within: .seconds(120)) { !sentence.isRunning }
    #expect(sentence.output == "Zeroed.\r\n")
    let json = try WatchTerminal(["clear-tare", "--json"] + url)
    #expect(try await json.ended() == 1)
    #expect(json.output.contains(#"{"action":"clear_tare","ok":false,"#))
    // In the language of the user; what is for programs stays the same.
    let german = try WatchTerminal(["clear-tare"] + url, environment: ["LANG": "de_DE.UTF-8"])
    #expect(try await german.ended() == 1)
    #expect(german.output == "grampad: clear_tare abgelehnt: no_tare (es ist keine Tara gesetzt)\r\n")
    let japanese = try WatchTerminal(["zero", "--timeout", "30"] + url, environment: ["LC_ALL": "ja_JP.UTF-8"])
    try await eventually("zeroed", within: .seconds(120)) { !japanese.isRunning }
    #expect(japanese.output == "ゼロ点を設定しました。\r\n")
    let piped = try await Program.run(["clear-tare"] + url, environment: ["LC_ALL": "zh_CN.UTF-8"])
    #expect(piped.output.contains(#""ok":false,"reason":"no_tare""#))
    #expect(piped.complaints == "grampad: clear_tare 被拒绝：no_tare (未设定皮重)\n")
    #expect(scale.program.isRunning)
  }

  @Test func voidAsksOnATerminal() async throws {
    let stage = try await Stage(pad: RunningScale.plain)
    for label in ["rye", "oats"] { _ = try await stage.call(["commit", "--label", label]) }
    try await eventually("it is retained") { stage.listener.last("weighing/last")?.contains("oats") == true }
    let arguments = ["void", "--broker", "mqtt://127.0.0.1:\(stage.broker.port)"]
    func answer(_ keys: String, _ question: String, _ more: [String] = []) async throws -> (code: Int32, output: String)
    {
      let terminal = try WatchTerminal(arguments + more)
      try await eventually("the question in \(terminal.output)") { terminal.output.contains("[y/N]") }
      let asked = terminal.output.replacing(#/[0-9.]+ g/#, with: "N g")
      #expect(asked.hasPrefix(question + " [y/N] "), "\(asked)")
      terminal.type(keys)
      return (try await terminal.ended(), terminal.output)
    }
    for keys in ["\n", "n\n", "\u{4}"] {
      let kept = try await answer(keys, "Void weighing #2 (N g, oats)?")
      #expect(kept.code == 1 && kept.output.contains("nothing changed"), "\(kept)")
    }
    let numbered = try await answer("n\n", "Void weighing #1?", ["--id", "#1"])
    #expect(numbered.code == 1)
    #expect(stage.listener.messages("weighing").count == 2)
    let voided = try await answer("y\n", "Void weighing #2 (N g, oats)?")
    #expect(voided.code == 0 && voided.output.contains("Voided the weighing of"), "\(voided)")
    try await eventually("the one before") { stage.listener.last("weighing/last")?.contains("rye") == true }
    let unasked = try WatchTerminal(arguments + ["--yes", "--id", "1"])
    #expect(try await unasked.ended() == 0)
    #expect(unasked.output.hasPrefix("Voided the weighing of"), "\(unasked.output)")
    try await eventually("nothing is left") { stage.listener.last("weighing/last") == "" }
    let json = try WatchTerminal(arguments + ["--json"])
    #expect(try await json.ended() == 1 && json.output.contains(#""reason":"nothing_to_void""#), "\(json.output)")
    #expect(!json.output.contains("[y/N]"))
    let none = try await answer("y\n", "Void the last weighing?")
    #expect(none.code == 1 && none.output.contains("nothing_to_void"), "\(none)")
  }

  @Test(arguments: [
    ("C.UTF-8", "no broker: no connection within 0.2 s"),
    ("de_DE.UTF-8", "kein Broker: keine Verbindung innerhalb von 0.2 s"),
    ("zh_CN.UTF-8", "没有 MQTT 代理：0.2 秒内未能连接"), ("ja_JP.UTF-8", "ブローカーがありません：0.2 秒以内に接続できませんでした"),
  ])
  func aMissingBrokerIsReportedInTheLanguageOfTheUser(_ locale: String, _ text: String) async throws {
    let silent = TakenPort()
    let ended = try await Program.run(
      ["tare", "--broker", "mqtt://127.0.0.1:\(silent.port)", "--timeout", "0.2"], environment: ["LC_ALL": locale])
    #expect(ended.code == 69 && ended.complaints == "grampad: \(text)\n", "\(ended.complaints)")
    #expect(
      try await Program.run(["tare", "--help"], environment: ["LC_ALL": locale]).output.hasPrefix("OVERVIEW: Tare a"))
  }

  @Test(arguments: [[], ["--plain"]]) func watchDoesNotWaitForAnApplianceThatIsNotThere(_ more: [String]) async throws {
    let broker = try await Broker()
    let terminal = try WatchTerminal(
      ["watch", "--broker", "mqtt://127.0.0.1:\(broker.port)", "--device", "attic"] + more)
    #expect(try await terminal.ended() == 69)
    #expect(terminal.output.contains("no appliance grampad/attic at mqtt://127.0.0.1:\(broker.port)"))
    #expect(terminal.isAsBefore)
  }

  @Test(arguments: [
    ("comit", "; did you mean 'commit'?"), ("histroy", "; did you mean 'history'?"), ("frobnicate", "'frobnicate'."),
  ])
  func suggestsACommand(word: String, answer: String) async throws {
    let ended = try await Program.run([word])
    #expect(ended.code == 64 && ended.output.isEmpty)
    #expect(ended.complaints.hasPrefix("Error: Unknown command '\(word)'"), "\(ended.complaints)")
    #expect(ended.complaints.contains(answer), "\(ended.complaints)")
  }

  @Test func theEnvironmentNamesTheConfiguration() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("scale.yaml", "device: {id: kitchen}\n")
    let named = try await Program.run(["check"], environment: ["GRAMPAD_CONFIG": file])
    #expect(named.code == 0 && named.output.contains("id: kitchen"), "\(named.complaints)")
    #expect(named.complaints == "grampad: \(file): valid\n")
    let other = try folder.write("other.yaml", "device: {id: attic}\n")
    let option = try await Program.run(["check", "--config", other], environment: ["GRAMPAD_CONFIG": file])
    #expect(option.output.contains("id: attic"), "an option wins over the environment")
    let missing = try await Program.run(["check"], environment: ["GRAMPAD_CONFIG": folder.path + "/none.yaml"])
    #expect(missing.code == 66)
  }

  @Test func theDemoShowsItsPageFirstAndKeepsTheLogApart() async throws {
    let demo = try WatchTerminal(["demo", "--port", "0", "--log-level", "debug"])
    try await eventually("a status line", within: .seconds(120)) { demo.output.contains("empty") }
    try await eventually("a log line after it", within: .seconds(120)) {
      demo.output.components(separatedBy: "grampad:").count > 4
    }
    let lines = demo.output.components(separatedBy: "\r\n").map { $0.components(separatedBy: "\r\u{1b}[K").last ?? "" }
    let own = lines.filter { !$0.isEmpty && $0.firstMatch(of: /^\d{4}-\d\d-\d\dT/) == nil }
    #expect(own.first == "Grampad demo: a scale with a simulated pad.")
    #expect(own.dropFirst().first?.hasPrefix("  Page:  http://127.0.0.1:") == true, "\(own)")
    // A line of the log begins its line, whatever was on the screen.
    #expect(lines.allSatisfy { $0.firstMatch(of: /.\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4} [a-z]+ grampad:/) == nil })
    demo.send(SIGINT)
    #expect(try await demo.ended() == 0)
  }
}
