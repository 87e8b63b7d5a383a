import Foundation
import Testing

/// Commands over MQTT, against a real broker.
@Suite struct CommandTests {
  /// The load may be changing when a command arrives; the command is then repeated.
  @Test func taresByAnEmptyMessage() async throws {
    let stage = try await Stage(pad: RunningScale.plain)
    var attempts = 0
    repeat {
      attempts += 1
      try await stage.settle()
      try await stage.publish("command/tare", ["-n"])
      try await eventually("an answer") { stage.listener.messages("result").count == attempts }
    } while stage.listener.messages("result").last?("ok") as? Bool == false && attempts < 5
    let result = try #require(stage.listener.messages("result").last)
    #expect(result("ok") as? Bool == true && result("action") as? String == "tare")
    #expect(result("correlation") is NSNull && result("source") as? String == "mqtt" && result.quality == 1)
    #expect(result("reading", "net_g") as? Int == 0)
    #expect(stage.types().contains("tared"))
    try await eventually("live nets nothing") {
      stage.listener.messages("live").contains {
        $0("net_g") as? Int == 0 && $0("tare_g") as? Int ?? 0 > 0 && $0("tare_epoch") as? Int == 1
      }
    }
    let tare = try #require(result("reading", "tare_g") as? Int)
    stage.scale.program.send(SIGHUP)
    try await eventually("reloaded") { stage.types().contains("reloaded") }
    try await stage.settle()
    #expect(stage.listener.messages("stable").last?("tare_g") as? Int == tare, "a reload keeps the tare")
  }

  @Test func answersWhereItIsAskedTo() async throws {
    let stage = try await Stage(pad: RunningScale.plain)
    try await stage.publish("command/clear_tare", ["-m", #"{"correlation":"3.1.1"}"#, "-V", "311"])
    try await eventually("answered by JSON") { stage.result("3.1.1") != nil }
    #expect(stage.result("3.1.1")?("reason") as? String == "no_tare")

    let answer = try await Program(
      "mosquitto_rr",
      [
        "-h", "127.0.0.1", "-p", "\(stage.broker.port)", "-V", "5", "-q", "1", "-W", "20", "-t",
        "grampad/grampad/command/clear_tare", "-e", "grampad/grampad/result/rr", "-D", "publish", "correlation-data",
        "c0ffee",
        "-m", #"{"correlation":"rr"}"#, "-F", "%t %D %p",
      ]
    ).ended(within: .seconds(120))
    #expect(
      answer.output.hasPrefix("grampad/grampad/result/rr c0ffee {\"action\":\"clear_tare\",\"ok\":false"), "\(answer)")
    #expect(stage.result("rr") == nil, "not on result, too")

    for topic in [
      "grampad/grampad/command/zero", "grampad/grampad/live", "homeassistant/device/a/config", "elsewhere/answers",
      "grampad/grampad/result/" + String(repeating: "long", count: 100),
    ] {
      let name = String(topic.suffix(8))
      try await stage.publish(
        "command/clear_tare",
        ["-V", "5", "-D", "publish", "response-topic", topic, "-m", #"{"correlation":"\#(name)"}"#])
      try await eventually("answered on result: \(name)") { stage.result(name) != nil }
    }
    #expect(!stage.types().contains("zeroed"))
  }

  @Test(arguments: ["zero", "tare", "commit", "actions"])
  func refusesWhatTheBrokerHasKept(_ command: String) async throws {
    let broker = try await Broker()
    let arguments = ["-h", "127.0.0.1", "-p", "\(broker.port)", "-V", "5", "-q", "1", "-r"]
    let topic = ["-t", "grampad/grampad/command/\(command)"]
    let kept = try await Program("mosquitto_pub", arguments + topic + ["-m", "{}"]).ended()
    #expect(kept.code == 0)
    let listener = try await Listener(broker.port)
    let scale = try await RunningScale(broker, pad: RunningScale.plain)
    func reasons(_ name: String) -> [String] { listener.messages(name).compactMap { $0("reason") as? String } }
    try await eventually("refused") { reasons("result") == ["retained"] && reasons("event").contains("retained") }
    // To take it back is to publish an empty message, which must not count as the command.
    let takenBack = try await Program("mosquitto_pub", arguments + topic + ["-n"]).ended()
    #expect(takenBack.code == 0)
    try await eventually("refused again") { reasons("result") == ["retained", "retained"] }
    // Loads come and go on the simulated pad; an overload may be among the events on a slow machine.
    #expect(
      Set(listener.messages("event").map { $0("type") as? String ?? "" })
        .isSubset(of: ["rejected", "pad_found", "overload"]))
    #expect(listener.messages("weighing").isEmpty && listener.messages("actions").count == 1)
    #expect(scale.program.isRunning)
  }

  @Test func outlivesWhatIsNoCommand() async throws {
    let stage = try await Stage(pad: RunningScale.plain)
    let files: [(name: String, topic: String, bytes: [UInt8], reason: String)] = [
      ("large", "tare", [UInt8](repeating: 0x20, count: 1 << 20), "bad_payload"),
      ("deep", "tare", [UInt8](repeating: UInt8(ascii: "["), count: 100_000), "bad_payload"),
      ("bytes", "tare", [0xff, 0xfe, 0x00], "bad_payload"),
      ("field", "zero", Array(#"{"grams":1}"#.utf8), "bad_payload"),
      ("unknown", "weigh", [], "unknown_action"), ("named", "com mit", [], "unknown_action"),
      ("list", "actions", Array(#"{"actions":[{"type":"tare"}]}"#.utf8), "bad_payload"),
      ("large list", "actions", [UInt8](repeating: 0x20, count: 1 << 20), "bad_payload"),
      ("label", "commit", Array(#"{"label":7}"#.utf8), "bad_payload"),
      ("labels", "commit", Array(#"{"label":"\#(String(repeating: "x", count: 257))"}"#.utf8), "bad_payload"),
    ]
    var before = 0
    for round in 0..<4 {
      for (index, file) in files.enumerated() {
        let path = "\(stage.scale.folder.path)/\(file.name)"
        try Data(file.bytes).write(to: URL(fileURLWithPath: path))
        try await stage.publish("command/\(file.topic)", file.bytes.isEmpty ? ["-n"] : ["-f", path])
        let count = round * files.count + index + 1
        try await eventually("an answer") { stage.listener.messages("result").count == count }
        let result = try #require(stage.listener.messages("result").last)
        #expect(result("reason") as? String == file.reason, "\(file.name)")
        #expect(result("action") as? String == file.topic && result("ok") as? Bool == false)
      }
      if round == 0 { before = stage.scale.program.residentKilobytes }
    }
    let growth = stage.scale.program.residentKilobytes - before
    #expect(growth < 4096, "\(growth) kB")
    #expect(stage.types().count { $0 == "rejected" } == 4 * files.count)
    #expect(!stage.types().contains("tared") && !stage.types().contains("zeroed"))
    let count = stage.listener.messages("live").count
    try await eventually("it goes on") { stage.listener.messages("live").count > count }
  }
}
