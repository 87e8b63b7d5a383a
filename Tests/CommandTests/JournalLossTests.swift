import Foundation
import Testing

/// The journal from the outside: the database file alone is complete, a loss is reported, no sequence number is used twice.
@Suite struct JournalLossTests {
  /// An appliance with three delivered weighings, stopped by a signal.
  private func weighed(_ signal: Int32 = SIGTERM, count: Int = 3) async throws -> Stage {
    let stage = try await Stage(pad: RunningScale.plain)
    for _ in 1...count { #expect(try await stage.command()("ok") as? Bool == true) }
    try await eventually("delivered") {
      stage.listener.messages("weighing").count == count && stage.health("outbox", "waiting") as? Int == 0
        && stage.health("journal", "sequence") as? Int == count
    }
    stage.scale.program.send(signal)
    _ = try await stage.scale.program.ended()
    return stage
  }

  private func files(_ stage: Stage) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: stage.scale.folder.path).filter { $0.hasPrefix("grampad.db") }
      .sorted()
  }

  /// Starts the appliance again and commits once; returns the sequence number.
  private func next(_ stage: Stage) async throws -> Int? {
    let again = try Program.grampad(["run", "--config", stage.scale.path])
    defer { again.end() }
    let count = stage.listener.messages("live").count
    try await eventually("it weighs") { stage.listener.messages("live").count > count }
    let answer = try await stage.command()
    again.send(SIGTERM)
    _ = try await again.ended()
    return answer("weighing", "sequence") as? Int
  }

  private func losses(_ stage: Stage) -> [[Int]] {
    stage.listener.messages("event").filter { $0("type") as? String == "journal_loss" }
      .map { [$0("from") as? Int ?? 0, $0("to") as? Int ?? 0] }
  }

  @Test(arguments: [SIGTERM, SIGINT]) func aCleanStopLeavesAllInTheDatabaseFile(signal: Int32) async throws {
    let stage = try await weighed(signal)
    #expect(try files(stage) == ["grampad.db", "grampad.db-mark"])
    let copy = try TemporaryFolder()
    try FileManager.default.copyItem(atPath: stage.scale.journal, toPath: "\(copy.path)/copy.db")
    #expect(try await recorded(in: "\(copy.path)/copy.db").map(\.sequence) == [1, 2, 3])
  }

  @Test func theDatabaseFileHasAllSoonAfterTheLastWeighing() async throws {
    let stage = try await Stage(pad: RunningScale.plain)
    for _ in 1...2 { #expect(try await stage.command()("ok") as? Bool == true) }
    let copy = try TemporaryFolder()
    try await eventually("the log is empty", within: .seconds(120)) {
      let log = try FileManager.default.attributesOfItem(atPath: stage.scale.journal + "-wal")[.size] as? Int
      return log == 0
    }
    try FileManager.default.copyItem(atPath: stage.scale.journal, toPath: "\(copy.path)/copy.db")
    #expect(try await recorded(in: "\(copy.path)/copy.db").map(\.sequence) == [1, 2])
  }

  @Test func aRemovedJournalIsAnnouncedAndContinued() async throws {
    let stage = try await weighed()
    try FileManager.default.removeItem(atPath: stage.scale.journal)
    let verified = try await Program.run(["history", "verify", "--journal", stage.scale.journal])
    #expect(verified.code == 65 && verified.output.contains("weighings 1 to 3 are lost"), "\(verified)")
    #expect(try await next(stage) == 4)
    #expect(losses(stage) == [[1, 3]])
    #expect(try await next(stage) == 5)
    #expect(losses(stage) == [[1, 3]], "announced once")
    let again = try await Program.run(["history", "verify", "--journal", stage.scale.journal])
    #expect(again.code == 0 && again.output.contains("weighings 1 to 3 are lost"), "\(again)")
  }

  /// Even the high-water mark is lost, as with a new memory card. The retained health on the broker still has the number.
  @Test func aNewFolderIsContinuedAboveTheRetainedHealth() async throws {
    let stage = try await weighed()
    for name in try files(stage) { try FileManager.default.removeItem(atPath: "\(stage.scale.folder.path)/\(name)") }
    #expect(try await next(stage) == 4)
    #expect(losses(stage) == [[1, 3]])
    #expect(stage.health("journal", "sequence") as? Int == 4)
    #expect(try await next(stage) == 5)
    #expect(losses(stage) == [[1, 3]], "announced once")
  }

  @Test func aRetainedNumberThatIsTooFarAheadIsReportedOnly() async throws {
    let stage = try await weighed()
    let health = #"{"journal":{"sequence":1000004}}"#
    try await stage.publish("health", ["-r", "-m", health])
    let again = try Program.grampad(["run", "--config", stage.scale.path])
    try await eventually("reported") { again.complaints.contains("implausibly high") }
    try await eventually("health is its own again") { stage.health("journal", "sequence") as? Int == 3 }
    #expect(losses(stage) == [])
    #expect(try await stage.command()("weighing", "sequence") as? Int == 4)
  }

  @Test(arguments: [
    "dashboard: {token_file: none}", "mqtt: {broker: \"mqtt://127.0.0.1:1\", username: a, password_file: none}",
  ])
  func aStartThatFailsLeavesNoJournal(_ fault: String) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("scale.yaml", "pad: {device: simulated}\n\(fault)\n")
    let ended = try await Program.run(["run", "--config", path])
    #expect(ended.code != 0, "\(ended)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["scale.yaml"])
  }
}
