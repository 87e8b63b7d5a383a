import Foundation
import Testing

/// Weighings and quick actions over MQTT.
@Suite struct QuickActionTests {
  private static let configured = "actions: [{type: beans, title: Beans, user_info: {label: arabica}}]"

  @Test func commitsWithALabelAndAnswersWhereAsked() async throws {
    let stage = try await Stage(pad: RunningScale.plain, extra: Self.configured)
    let labelled = try await stage.command("commit", #","label":"flour","source":"dashboard""#)
    #expect(labelled("weighing", "label") as? String == "flour" && labelled("source") as? String == "dashboard")
    #expect(labelled("weighing", "source") as? String == "dashboard")
    let beans = try await stage.command("beans")
    #expect(beans("weighing", "label") as? String == "arabica" && beans("weighing", "source") as? String == "mqtt")
    // An empty payload, the answer elsewhere; a load that is just taken away is tried again.
    var answer = ""
    repeat {
      try await eventually("a load at rest") {
        stage.listener.messages("live").last?("state") as? String == "stable"
      }
      let topic = "grampad/grampad/command/commit"
      let arguments = ["-h", "127.0.0.1", "-p", "\(stage.broker.port)", "-V", "5", "-q", "1", "-W", "20", "-n"]
      answer = try await Program(
        "mosquitto_rr",
        arguments + [
          "-t", topic, "-e", "grampad/grampad/result/mine", "-D", "publish", "correlation-data", "42", "-F", "%D %p",
        ]
      ).ended(within: .seconds(120)).output
    } while value(in: String(answer.dropFirst(3)), ["ok"]) as? Bool == false
    #expect(answer.hasPrefix(#"42 {"action":"commit","ok":true,"reason":null,"correlation":null,"#), "\(answer)")
    #expect(value(in: String(answer.dropFirst(3)), ["weighing", "sequence"]) as? Int == 3)
    #expect(value(in: String(answer.dropFirst(3)), ["weighing", "label"]) is NSNull)
    try await eventually("all published") { stage.listener.messages("weighing").count == 3 }
    #expect(!stage.listener.messages("weighing").contains { $0("historical") as? Bool != false })
  }

  @Test func areReplacedAndComeBack() async throws {
    let stage = try await Stage(pad: RunningScale.plain, extra: Self.configured)
    let before = try #require(stage.listener.last("actions"))
    #expect(
      before == """
        {"actions":[{"type":"beans","title":"Beans","subtitle":null,"icon":null,"run":"commit",\
        "user_info":{"label":"arabica"}}]}
        """)
    let four = (1...4).map { #"{"type":"a\#($0)","user_info":{"label":"l\#($0)","x":\#($0)}}"# }.joined(separator: ",")
    try await stage.publish("command/actions", ["-m", #"{"correlation":"four","actions":[\#(four)]}"#])
    try await eventually("answered") { stage.result("four") != nil }
    #expect(stage.result("four")?("ok") as? Bool == true)
    try await eventually("told") { stage.listener.last("actions") != before }
    #expect((value(in: stage.listener.last("actions") ?? "", ["actions"]) as? [Any])?.count == 4)
    // It is what a broker keeps.
    let late = try await Listener(stage.broker.port)
    try await eventually("kept") { late.messages("actions").last?.isRetained == true }
    #expect(late.last("actions") == stage.listener.last("actions"))

    let gone = try await stage.command("beans")
    #expect(gone("reason") as? String == "unknown_action")
    #expect(try await stage.command("a4")("weighing", "label") as? String == "l4")
    try await stage.publish(
      "command/actions", ["-m", #"{"correlation":"five","actions":[\#(four),{"type":"a5"}]}"#])
    try await eventually("refused") { stage.result("five") != nil }
    #expect(stage.result("five")?("reason") as? String == "bad_payload")
    // What the topic holds is what the command takes.
    let held = try #require(stage.listener.last("actions"))
    try await stage.publish("command/actions", ["-m", held])
    try await stage.publish("command/actions", ["-n"])
    try await eventually("those of the configuration again") { stage.listener.last("actions") == before }
    #expect(try await stage.command("beans")("ok") as? Bool == true)
    #expect(try await stage.command("a4")("reason") as? String == "unknown_action")
  }

  @Test func followTheConfiguration() async throws {
    let stage = try await Stage(pad: RunningScale.plain, extra: Self.configured)
    func reload(_ pad: String, _ extra: String) throws {
      try stage.scale.folder.write("scale.yaml", RunningScale.yaml(stage.scale.port, pad: pad, extra))
      stage.scale.program.send(SIGHUP)
    }
    let before = try #require(stage.listener.last("actions"))
    try reload(RunningScale.plain, "actions: [{type: cups, run: tare}]")
    try await eventually("others") { stage.listener.last("actions")?.contains("cups") == true }
    #expect(try await stage.command("cups")("ok") as? Bool == true)
    #expect(try await stage.command("beans")("reason") as? String == "unknown_action")
    // Replaced at run time, they outlive a reload that does not change them.
    try await stage.publish("command/actions", ["-m", #"{"actions":[{"type":"mine"}]}"#])
    try await eventually("replaced") { stage.listener.last("actions")?.contains("mine") == true }
    let count = stage.types().count { $0 == "reloaded" }
    let buttons = "\nbuttons: [{device: /dev/input/no-such, key: KEY_ENTER, action: commit}]"
    try reload(RunningScale.show, "actions: [{type: cups, run: tare}]" + buttons)
    try await eventually("reloaded") { stage.types().count { $0 == "reloaded" } > count }
    #expect(stage.listener.last("actions")?.contains("mine") == true)
    // The zones are in force again: the simulated pad presses in one.
    try await eventually("a press", within: .seconds(120)) { !stage.listener.messages("gesture").isEmpty }
    try reload(RunningScale.plain, Self.configured)
    try await eventually("the first ones") { stage.listener.last("actions") == before }
    #expect(stage.scale.program.isRunning)
  }
}
