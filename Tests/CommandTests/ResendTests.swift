import Foundation
import Testing

/// `command/resend` on a running appliance, with a real broker.
@Suite struct ResendTests {
  @Test func recordsAreSentAgain() async throws {
    let count = 400
    let recording = Recorded.device + Recorded.longLoad
    let commits = (0..<count).flatMap { ["--action", String(format: "commit@%.2f", 2 + Double($0) / 100)] }
    let folder = try TemporaryFolder()
    let journal = "\(folder.path)/grampad.db"
    let made = try await Program.run(
      ["replay", folder.write("load.evemu", recording), "--journal", journal] + commits, output: "/dev/null")
    try #require(made.code == 0, "\(made.complaints)")
    let stage = try await Stage(pad: RunningScale.plain) {
      try FileManager.default.copyItem(atPath: journal, toPath: "\($0.path)/grampad.db")
    }
    let listener = stage.listener
    try await eventually("the outbox is empty") { stage.health("outbox", "waiting") as? Int == 0 }
    let first = listener.messages("weighing")
    let last = try #require(listener.messages("weighing/last").last?("sequence") as? Int)
    try #require(first.count >= count)

    try await stage.publish("command/resend", ["-m", #"{"from":101,"to":350,"correlation":"a"}"#])
    try await stage.publish("command/resend", ["-m", #"{"from":9990,"to":10002,"correlation":"b"}"#])
    try await stage.publish("command/resend", ["-m", #"{"from":2,"to":1,"correlation":"c"}"#])
    try await eventually("the answers") { ["a", "b", "c"].allSatisfy { stage.result($0) != nil } }

    let answer = try #require(stage.result("a"))
    #expect(answer("ok") as? Bool == true && answer("detail") is NSNull)
    #expect(answer("from") as? Int == 101 && answer("to") as? Int == 350 && answer("sent") as? Int == 250)
    let none = try #require(stage.result("b"))
    #expect(none("ok") as? Bool == true && none("sent") as? Int == 0)
    #expect(none("detail") as? String == "not in the journal: 9990-10002")
    let bad = try #require(stage.result("c"))
    #expect(bad("reason") as? String == "bad_payload" && bad("detail") as? String == "to: must not be less than from")

    // The answer comes after the records.
    let again = Array(listener.messages("weighing").dropFirst(first.count)).filter {
      ($0("sequence") as? Int ?? 0) <= count
    }
    #expect(again.map { $0("sequence") as? Int ?? 0 } == Array(101...350))
    #expect(again.allSatisfy { $0("historical") as? Bool == true })
    for (message, former) in zip(again, first[100..<350]) { #expect(message.payload == former.payload) }
    let newest = try #require(listener.messages("weighing/last").last?("sequence") as? Int)
    #expect(newest >= last, "the last weighing is not moved back")
  }
}
