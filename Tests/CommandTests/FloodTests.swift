import Foundation
import Testing

/// Floods of commands, and messages that are too large.
@Suite(.serialized) struct FloodTests {
  /// 10,000 commands a second from a client without a response topic, for three seconds at least and until others are
  /// answered.
  @Test func everyCommandOfAFloodIsAnsweredOrCounted() async throws {
    let stage = try await Stage(pad: RunningScale.plain)
    let folder = try TemporaryFolder()
    let thousand = try folder.write("lines", String(repeating: "{}\n", count: 1000))
    let live = try Program(
      "stdbuf",
      [
        "-oL", "mosquitto_sub", "-h", "127.0.0.1", "-p", "\(stage.broker.port)", "-t", "grampad/grampad/live", "-F",
        "%U %p",
      ])
    // Answers to another client without a response topic, which only its correlation tells apart.
    let results = try Program(
      "mosquitto_sub",
      ["-h", "127.0.0.1", "-p", "\(stage.broker.port)", "-q", "1", "-t", "grampad/grampad/result"])
    func answers() -> [String] { results.lines.filter { $0.contains(#""correlation":"other"#) } }
    let flood = try Program(
      "sh",
      [
        "-c",
        """
        n=0
        until [ -e \(folder.path)/stop ] && [ $n -ge 30 ]; do
          cat \(thousand); n=$((n + 1)); echo $n > \(folder.path)/rounds; sleep 0.1
        done | mosquitto_pub -l -q 1 -h 127.0.0.1 -p \(stage.broker.port) -t grampad/grampad/command/clear_tare
        """,
      ])
    try await eventually("the flood has come") { stage.listener.count(of: "result") > 100 }
    let began = ContinuousClock.now
    for number in 1...3 {
      let other = try await Program(
        "mosquitto_rr",
        [
          "-h", "127.0.0.1", "-p", "\(stage.broker.port)", "-V", "5", "-q", "1", "-W", "60", "-t",
          "grampad/grampad/command/clear_tare", "-e", "grampad/grampad/result/other", "-m", "{}", "-F", "%p",
        ]
      ).ended().output
      #expect(value(in: other, ["reason"]) as? String == "no_tare", "\(number): \(other)")
      try await stage.publish("command/clear_tare", ["-m", #"{"correlation":"other \#(number)"}"#])
      try await eventually("the answer to other \(number)") { answers().count == number }
    }
    #expect(answers().allSatisfy { value(in: $0, ["reason"]) as? String == "no_tare" }, "\(answers())")
    try folder.write("stop", "")
    #expect(try await flood.ended(within: .seconds(600)).code == 0)
    let lasted = Double((ContinuousClock.now - began) / .milliseconds(1)) / 1000
    let rounds = try String(contentsOfFile: "\(folder.path)/rounds", encoding: .utf8)
    let commands = try #require(Int(rounds.trimmingCharacters(in: .whitespacesAndNewlines))) * 1000
    func dropped() -> Int { stage.listener.messages("health").last?("dropped_messages") as? Int ?? 0 }
    try await eventually("all are answered or counted", within: .seconds(600)) {
      stage.listener.count(of: "result") + dropped() >= commands + 3
    }
    let all = stage.listener.messages("result")
    let decided = all.count { $0("reason") as? String == "no_tare" }
    let busy = all.count { $0("reason") as? String == "busy" }
    #expect(all.count == decided + busy)
    #expect(all.count + dropped() == commands + 3)
    // Each decision of the scale is also an event; those of the other client are among them.
    try await eventually("an event for each decision") {
      stage.listener.messages("event").count { $0("reason") as? String == "no_tare" } == decided + 3
    }
    let lateness = live.lines.compactMap { line -> Double? in
      let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
      guard parts.count == 2, let arrival = Double(parts[0]), let text = value(in: parts[1], ["time"]) as? String,
        let time = try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text)
      else { return nil }
      return arrival - time.timeIntervalSince1970
    }
    #expect(!lateness.isEmpty)
    print(
      "flood: \(commands) commands, \(decided) decided, \(busy) refused, \(dropped()) dropped; live late by \(lateness.max() ?? 0) s at most"
    )
    // 50 ms on an idle machine. A flood that held up readings would do so for as long as it lasts.
    let bound = max(1, lasted / 5)
    #expect(lateness.allSatisfy { $0 < bound }, "\(lateness.max() ?? 0) in \(lasted) s")
  }

  /// The appliance announces its maximum packet size to an MQTT 5 broker.
  @Test func aMessageOf250MegabytesIsNotRead() async throws {
    let broker = try await Broker()
    let scale = try await RunningScale(broker, pad: RunningScale.plain)
    func tare() async throws -> Program.Ended {
      try await Program.run(["clear-tare", "--config", scale.path, "--timeout", "20"])
    }
    try await eventually("connected") { scale.program.complaints.contains("connected to the broker") }
    #expect(try await tare().output.contains("no_tare"))
    let before = try peakMemory(scale.program.id)
    let folder = try TemporaryFolder()
    let large = try folder.write("large", "")
    #expect(truncate(large, 250_000_000) == 0)
    let ended = try await Program(
      "mosquitto_pub",
      [
        "-V", "5", "-q", "1", "-h", "127.0.0.1", "-p", "\(broker.port)", "-t", "grampad/grampad/command/clear_tare",
        "-f", large,
      ]
    ).ended(within: .seconds(180))
    #expect(ended.code == 0, "\(ended)")
    #expect(try await tare().output.contains("no_tare"))
    let growth = try peakMemory(scale.program.id) - before
    print("250 MB message: peak resident memory grew by \(growth / 1000) kB")
    #expect(growth < 20_000_000)
    #expect(!scale.program.complaints.contains("connection to the broker lost"))
  }

  /// The peak resident memory of a process in bytes. `proc(5)`, VmHWM
  private func peakMemory(_ process: Int32) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return try #require(line.split(separator: " ").compactMap { Int($0) }.first) * 1024
  }
}
