import Foundation
import Testing

/// A journal that cannot be written: nothing is confirmed, the scale keeps running and recovers automatically.
@Suite struct JournalTroubleTests {
  @Test func aFolderIsInItsPlace() async throws {
    let stage = try await Stage(
      pad: RunningScale.plain,
      prepare: {
        try FileManager.default.createDirectory(atPath: "\($0.path)/grampad.db", withIntermediateDirectories: false)
      })
    try await isRefused(stage, "not a regular file")
    try FileManager.default.removeItem(atPath: stage.scale.journal)
    try await worksAgain(stage, sequence: 1)
  }

  @Test(.enabled(if: geteuid() == 0, "mounting takes root")) func theDiskIsReadOnly() async throws {
    let disk = try await Disk("size=2m,ro")
    let stage = try await Stage(pad: RunningScale.plain, extra: "journal: {path: \(disk.path)/grampad.db}")
    try await isRefused(stage, "read-only")
    try await disk.remount("rw")
    try await worksAgain(stage, sequence: 1, in: "\(disk.path)/grampad.db")
  }

  /// It recovers without a command, with what the last run left.
  @Test(.enabled(if: geteuid() == 0, "mounting takes root")) func theDiskOfAnEarlierRunIsReadOnlyAtTheStart()
    async throws
  {
    let disk = try await Disk("size=4m")
    let extra = "journal: {path: \(disk.path)/grampad.db}"
    let broker = try await Broker()
    do {
      let stage = try await Stage(broker, pad: RunningScale.plain, extra: extra)
      #expect(try await stage.command("container", #","name":"jug""#)("ok") as? Bool == true)
      #expect(try await stage.command("tare")("ok") as? Bool == true)
      try await eventually("delivered") { stage.health("outbox", "waiting") as? Int == 0 }
      stage.scale.program.send(SIGTERM)
      #expect(try await stage.scale.program.ended().code == 0)
    }
    try await disk.remount("ro")
    let stage = try await Stage(broker, pad: RunningScale.plain, extra: extra)
    try await eventually("said") { stage.health("journal", "state") as? String == "unavailable" }
    #expect(stage.listener.messages("live").last?("tare_g") as? Double == 0)
    func hasContainer() -> Bool {
      let list = stage.listener.messages("containers").last?("containers") as? [[String: Any]]
      return list?.contains { $0["name"] as? String == "jug" } == true
    }
    try await eventually("no container") { !hasContainer() }
    try await disk.remount("rw")
    try await eventually("available") { stage.health("journal", "state") as? String == "available" }
    try await eventually("tared") { (stage.listener.messages("live").last?("tare_g") as? Double ?? 0) > 0 }
    try await eventually("the container") { hasContainer() }
  }

  @Test(.enabled(if: geteuid() == 0, "mounting takes root")) func theDiskIsFull() async throws {
    let disk = try await Disk("size=2m")
    let path = "\(disk.path)/grampad.db"
    let stage = try await Stage(pad: RunningScale.plain, extra: "journal: {path: \(path)}")
    #expect(try await stage.command()("ok") as? Bool == true)
    var count = 1
    func logSize() throws -> Int? { try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int }
    // The log is emptied when the scale is idle, which frees space: the disk is full only if it is filled after that.
    while true {
      try await eventually("the log is empty", within: .seconds(120)) { try logSize() == 0 }
      try disk.fill()
      if try await stage.command()("ok") as? Bool == true { count += 1 } else if try logSize() == 0 { break }
    }
    try await isRefused(stage, "no space left")
    let full = try await Program.run(["history", "verify", "--journal", path])
    #expect(full.code == 0, "\(full)")
    try disk.empty()
    try await worksAgain(stage, sequence: count + 1, in: path)
    #expect(try await recorded(in: path).map(\.sequence) == Array(1...count + 1))
    #expect(!stage.listener.messages("event").contains { $0("type") as? String == "journal_loss" })
    // The mark kept up.
    #expect(!stage.scale.program.complaints.contains("high-water mark"))
    stage.scale.program.end()
    for end in ["", "-wal", "-shm"] { try FileManager.default.removeItem(atPath: path + end) }
    let removed = try await Program.run(["history", "verify", "--journal", path])
    #expect(removed.output.contains("weighings 1 to \(count + 1) are lost"), "\(removed)")
  }

  @Test func aFolderIsInThePlaceOfTheMark() async throws {
    let stage = try await Stage(
      pad: RunningScale.plain,
      prepare: {
        try FileManager.default.createDirectory(
          atPath: "\($0.path)/grampad.db-mark", withIntermediateDirectories: false)
      })
    func states() -> [String] {
      stage.listener.messages("health").compactMap { $0("journal", "state") as? String }
    }
    try await isRefused(stage, "high-water mark")
    let first = try #require(states().firstIndex(of: "unavailable"))
    // It tries each second: the state stays, whatever small write succeeds.
    let count = stage.listener.messages("live").count
    try await eventually("a few seconds") { stage.listener.messages("live").count > count + 3 }
    #expect(states()[first...].allSatisfy { $0 == "unavailable" }, "\(states())")
    try FileManager.default.removeItem(atPath: stage.scale.journal + "-mark")
    try await worksAgain(stage, sequence: 1)
  }

  @Test func theFileIsNoDatabase() async throws {
    let garbage = Data((0..<9000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 3) })
    let stage = try await Stage(
      pad: RunningScale.plain, prepare: { try garbage.write(to: URL(fileURLWithPath: "\($0.path)/grampad.db")) })
    func aside() -> String? {
      let names = try? FileManager.default.contentsOfDirectory(atPath: stage.scale.folder.path)
      return names?.first { $0.hasPrefix("grampad.db.corrupt-") }
    }
    try await eventually("kept aside and said") { aside().map(stage.scale.program.complaints.contains) == true }
    let aside = try #require(aside())
    #expect(FileManager.default.contents(atPath: "\(stage.scale.folder.path)/\(aside)") == garbage)
    try await worksAgain(stage, sequence: 1)
  }

  @Test func theFileIsRemoved() async throws {
    let stage = try await Stage(pad: RunningScale.plain)
    #expect(try await stage.command()("ok") as? Bool == true)
    try await eventually("delivered") {
      !stage.listener.messages("weighing").isEmpty && stage.health("outbox", "waiting") as? Int == 0
    }
    for name in ["", "-wal", "-shm"] { try FileManager.default.removeItem(atPath: stage.scale.journal + name) }
    let answer = try await stage.command()
    // If the journal was idle, it has noticed the loss of its file before, and goes on in a new one.
    let isNoticed = answer("ok") as? Bool == true
    if isNoticed {
      #expect(answer("weighing", "sequence") as? Int == 2)
    } else {
      #expect(answer("reason") as? String == "journal_unavailable" && answer("weighing") is NSNull)
    }
    try await worksAgain(stage, sequence: isNoticed ? 3 : 2)
    #expect(try await recorded(in: stage.scale.journal).map(\.sequence) == (isNoticed ? [2, 3] : [2]))
  }

  /// Checks that nothing is confirmed, the reason, and that readings continue.
  private func isRefused(_ stage: Stage, _ words: String) async throws {
    let told = stage.listener.messages("weighing").count
    func complaints() -> Int { stage.scale.program.complaints.components(separatedBy: "journal unavailable").count - 1 }
    var logged = 0
    for attempt in 1...2 {
      let answer = try await stage.command()
      #expect(answer("reason") as? String == "journal_unavailable" && answer("weighing") is NSNull)
      if attempt == 1 { logged = complaints() }
    }
    try await eventually("said") { stage.health("journal", "state") as? String == "unavailable" }
    let reason = stage.health("journal", "reason") as? String ?? ""
    #expect(reason.contains(words), "\(reason)")
    let count = stage.listener.messages("live").count
    try await eventually("it goes on weighing") { stage.listener.messages("live").count > count }
    let call = try await stage.call(["commit"])
    #expect(
      call.code == 1
        && call.complaints
          == "grampad: commit rejected: journal_unavailable (the journal cannot be written; see the health topic for the reason)\n"
    )
    #expect(stage.listener.messages("weighing").count == told)
    // Said once, not with every attempt.
    #expect(logged > 0 && complaints() == logged)
  }

  /// Checks that the next commit succeeds and is published in order as a current weighing.
  private func worksAgain(_ stage: Stage, sequence: Int, in path: String? = nil) async throws {
    let answer = try await stage.command()
    #expect(answer("ok") as? Bool == true && answer("weighing", "sequence") as? Int == sequence)
    try await eventually("available") { stage.health("journal", "state") as? String == "available" }
    let path = path ?? stage.scale.journal
    #expect(stage.health("journal", "path") as? String == path)
    let id = answer("weighing", "id") as? String
    try await eventually("told") { stage.listener.messages("weighing").contains { $0("id") as? String == id } }
    #expect(stage.listener.messages("weighing").last?("historical") as? Bool == false)
    let verified = try await Program.run(["history", "verify", "--journal", path])
    #expect(verified.code == 0, "\(verified)")
  }
}
