import Foundation
import Testing

/// Weighings that a broker refuses, and `grampad outbox`.
@Suite struct OutboxTests {
  /// An appliance with waiting weighings.
  private struct Appliance {
    let folder: TemporaryFolder
    let program: Program
    var journal: String { "\(folder.path)/grampad.db" }

    init(_ broker: RefusingBroker, waiting count: Int) async throws {
      folder = try TemporaryFolder()
      try await Self.record(count, in: folder)
      program = try Program.grampad([
        "run", "--config", folder.write("scale.yaml", RunningScale.yaml(broker.port, pad: RunningScale.plain, "")),
      ])
    }

    static func record(_ count: Int, in folder: TemporaryFolder) async throws {
      let recording = try folder.write("load.evemu", Recorded.device + Recorded.longLoad)
      let commits = (0..<count).flatMap { ["--action", String(format: "commit@%.2f", 2 + Double($0) / 100)] }
      let made = try await Program.run(
        ["replay", recording, "--journal", "\(folder.path)/grampad.db"] + commits, output: "/dev/null")
      try #require(made.code == 0, "\(made.complaints)")
    }

    /// The output of `grampad outbox`.
    func outbox() async throws -> (waiting: Int, parked: Int, reasons: [Int: String]) {
      let ended = try await Program.run(["outbox", "--journal", journal])
      try #require(ended.code == 0, "\(ended.complaints)")
      var reasons: [Int: String] = [:]
      for record in value(in: ended.output, ["records"]) as? [[String: Any]] ?? [] {
        if let sequence = record["sequence"] as? Int { reasons[sequence] = record["reason"] as? String }
      }
      let count = { value(in: ended.output, [$0]) as? Int ?? -1 }
      return (count("waiting"), count("parked"), reasons)
    }

    /// Waits until `count` records are parked and none is waiting.
    func parked(_ count: Int) async throws -> [Int: String] {
      let end = ContinuousClock.now + .seconds(20)
      while true {
        let outbox = try await outbox()
        if outbox.parked == count, outbox.waiting == 0 { return outbox.reasons }
        try #require(ContinuousClock.now < end, "\(outbox.waiting) wait, \(outbox.parked) parked")
      }
    }
  }

  /// Every second record is refused, each with another code from 0x80 to 0xFF; then all are accepted.
  @Test func refusedRecordsArriveAfterARetry() async throws {
    let code: @Sendable (Int) -> UInt8 = { UInt8(0x80 + ($0 - 1) / 2) }
    let broker = RefusingBroker { .code($0 % 2 == 1 ? code($0) : 0) }
    let scale = try await Appliance(broker, waiting: 256)
    let reasons = try await scale.parked(128)
    for sequence in stride(from: 1, through: 255, by: 2) {
      let text = "rejected with reason 0x" + String(code(sequence), radix: 16, uppercase: true)
      #expect(reasons[sequence]?.hasPrefix(text) == true, "\(reasons[sequence] ?? "nothing")")
    }
    #expect(broker.received == Array(1...256), "in order, none twice")
    try await eventually("health tells") { value(in: broker.health, ["outbox", "parked"]) as? Int == 128 }
    #expect(
      (value(in: broker.health, ["outbox", "parked_reason"]) as? String)?.contains("rejected with reason 0x") == true)
    broker.change()
    let retry = try await Program.run(["outbox", "retry", "--journal", scale.journal])
    #expect(retry.code == 0 && retry.output == "{\"due\":128}\n", "\(retry)")
    try await eventually("all are accepted") { broker.accepted.count == 256 }
    #expect(broker.received.dropFirst(256) == Array(stride(from: 1, through: 255, by: 2))[...], "in order, each once")
    _ = try await scale.parked(0)
    try await eventually("health tells") { value(in: broker.health, ["outbox", "parked"]) as? Int == 0 }
    #expect(value(in: broker.health, ["outbox", "parked_reason"]) is NSNull)
    #expect(broker.connects == 1, "\(scale.program.complaints)")
    let again = try await Program.run(["outbox", "retry", "--journal", scale.journal])
    #expect(again.code == 0 && again.output == "{\"due\":0}\n", "\(again)")
  }

  @Test(arguments: [
    ("Maximum Packet Size", RefusingBroker.Limits(maximumPacketSize: 300), ["0x95", "bytes, the broker accepts 300"]),
    ("Maximum QoS", RefusingBroker.Limits(maximumQoS: 0), ["0x9B", "QoS 0 only"]),
  ])
  func recordsBeyondTheLimitsOfABrokerArriveAtTheNextConnection(
    _ name: String, _ limits: RefusingBroker.Limits, _ words: [String]
  ) async throws {
    let broker = RefusingBroker(limits)
    let scale = try await Appliance(broker, waiting: 5)
    let reasons = try await scale.parked(5)
    for word in words { #expect(reasons[5]?.contains(word) == true, "\(reasons)") }
    #expect(broker.received.isEmpty)
    let lines = scale.program.complaints.split(separator: "\n").filter { $0.contains("broker rejected a weighing") }
    #expect(lines.count == 1 && words.allSatisfy { lines[0].contains($0) }, "\(lines)")
    broker.change()
    broker.dropConnections()
    try await eventually("all are accepted") { broker.accepted == Array(1...5) }
    _ = try await scale.parked(0)
  }

  /// Instead of refusing the third record, the broker closes the connection.
  @Test func aRecordThatEndsTheConnectionDoesNotHoldUpOthers() async throws {
    let broker = RefusingBroker { $0 == 3 ? .close : .code(0) }
    let scale = try await Appliance(broker, waiting: 8)
    let reasons = try await scale.parked(1)
    #expect(reasons[3]?.contains("closed the connection") == true, "\(reasons)")
    var seen: Set<Int> = []
    #expect(broker.accepted.filter { seen.insert($0).inserted } == [1, 2, 4, 5, 6, 7, 8])
    // A new connection tries it once: it ends that connection, and the one after goes on without it.
    let tries = broker.received.count { $0 == 3 }
    var connects = broker.connects
    broker.dropConnections()
    try await eventually("two connections") { broker.connects == connects + 2 }
    _ = try await scale.parked(1)
    #expect(broker.received.count { $0 == 3 } == tries + 1)
    connects = broker.connects
    broker.change()
    #expect(try await Program.run(["outbox", "retry", "--journal", scale.journal]).code == 0)
    try await eventually("all are accepted") { Set(broker.accepted) == Set(1...8) }
    #expect(broker.connects == connects)
  }

  @Test func aRecordThatEndedAConnectionArrivesAtTheNextOne() async throws {
    let broker = RefusingBroker { $0 == 2 ? .close : .code(0) }
    let scale = try await Appliance(broker, waiting: 3)
    _ = try await scale.parked(1)
    broker.change()
    let connects = broker.connects
    broker.dropConnections()
    try await eventually("it is accepted") { broker.accepted.contains(2) }
    _ = try await scale.parked(0)
    #expect(broker.connects == connects + 1)
  }

  @Test func isShownWithoutAnAppliance() async throws {
    let folder = try TemporaryFolder()
    let journal = "\(folder.path)/grampad.db"
    let missing = try await Program.run(["outbox", "--journal", journal])
    #expect(missing.code == 66 && missing.output.isEmpty, "\(missing)")
    #expect(try await Program.run(["outbox", "retry", "--journal", journal]).code == 66)
    #expect(!FileManager.default.fileExists(atPath: journal), "nothing is made")
    try await Appliance.record(3, in: folder)
    let shown = try await Program.run(["outbox", "--json", "--journal", journal])
    #expect(value(in: shown.output, ["waiting"]) as? Int == 3 && value(in: shown.output, ["parked"]) as? Int == 0)
    let retry = try await Program.run(["outbox", "retry", "--json", "--journal", journal])
    #expect(retry.code == 0 && retry.output == "{\"due\":0}\n", "\(retry)")
    let table = try await Program(
      "script", ["-qec", "'\(Program.path())' outbox --journal \(journal)", "/dev/null"],
      environment: ["TZ": "XYZ-5:30"]
    ).ended()
    #expect(table.output.contains("Time (XYZ)") && table.output.contains(" 1970-01-01 05:30:0"), "\(table)")
    #expect(table.output.contains("waiting") && table.output.contains("3 waiting, 0 parked."), "\(table)")
    let other = try folder.write("other.db", "not a journal, but a text of some length")
    #expect(try await Program.run(["outbox", "retry", "--journal", other]).code == 65)
  }
}
