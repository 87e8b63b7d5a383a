import Foundation
import Testing

/// `restore` on a new machine, over existing files, and never while the appliance runs.
@Suite struct RestoreTests {
  @Test func aFreshMachineGetsAll() async throws {
    let scale = try await SavedScale(weighings: 4, extra: "journal: {path: state/grampad.db}\n")
    try FileManager.default.createDirectory(atPath: "\(scale.folder.path)/state", withIntermediateDirectories: false)
    try await scale.weigh(4, to: "\(scale.folder.path)/state/grampad.db")
    let place = try TemporaryFolder()
    let file = try await scale.saved(in: place)
    let path = "\(place.path)/etc/scale.yaml"
    let missing = try await Program.run(["restore", file, "--config", path])
    #expect(missing.code == 73 && missing.complaints.contains("no such folder"), "\(missing)")
    try FileManager.default.createDirectory(atPath: "\(place.path)/etc", withIntermediateDirectories: false)
    let ended = try await Program.run(["restore", file, "--config", path])
    #expect(ended.code == 0, "\(ended)")
    #expect(
      try contents(of: "\(place.path)/etc").keys.sorted()
        == ["calibration.yaml", "scale.yaml", "state", "state/grampad.db", "state/grampad.db-mark"])
    for target in ["scale.yaml", "calibration.yaml", "state/grampad.db"] {
      #expect(ended.complaints.contains("\(place.path)/etc/\(target)"), "\(target)")
    }
    #expect(try await recorded(in: "\(place.path)/etc/state/grampad.db").map(\.sequence) == [1, 2, 3, 4])
    // The folder exists and belongs to the service. So do the restored files, and no file of root is left.
    if geteuid() == 0 {
      let state = "\(place.path)/etc/state"
      for name in ["grampad.db", "grampad.db-mark"] { try FileManager.default.removeItem(atPath: "\(state)/\(name)") }
      chown(state, 65534, 65534)
      #expect(try await Program.run(["restore", file, "--config", path]).code == 0)
      // The mark as well: without it, the loss of the restored journal would go unnoticed until the first weighing.
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: state).sorted() == ["grampad.db", "grampad.db-mark"])
      for name in ["grampad.db", "grampad.db-mark"] {
        let found = try FileManager.default.attributesOfItem(atPath: "\(state)/\(name)")
        #expect(found[.ownerAccountID] as? Int == 65534 && found[.posixPermissions] as? Int == 0o640, "\(found)")
      }
    }
    let audit = try await Program.run(["history", "audit", "--config", path])
    #expect(audit.output.contains(#""restored":true"#), "\(audit)")
  }

  @Test func whatIsThereIsKept() async throws {
    let scale = try await SavedScale(weighings: 3)
    let place = try TemporaryFolder()
    let file = try await scale.saved(in: place)
    try await scale.weigh(2)
    try scale.folder.write("scale.yaml", "device: {name: Newer}\ncalibration: {file: calibration.yaml}\n")
    try scale.folder.write("calibration.yaml", "points: [{raw: 0, grams: 0}, {raw: 500, grams: 100}]\n")
    chmod(scale.path, 0o640)
    chmod(scale.journal, 0o604)
    if geteuid() == 0 { chown(scale.journal, 65534, 65534) }
    let before = try contents(of: scale.folder.path)

    let refused = try await Program.run(["restore", file, "--config", scale.path])
    #expect(
      refused.code == 1 && refused.complaints.contains("has 2 weighings") && refused.complaints.contains("--force"))
    let trial = try await Program.run(["restore", file, "--force", "--dry-run", "--config", scale.path])
    #expect(trial.code == 0 && trial.complaints.contains("nothing was changed"), "\(trial)")
    #expect(try contents(of: scale.folder.path) == before)

    let ended = try await Program.run(["restore", file, "--force", "--config", scale.path])
    #expect(ended.code == 0, "\(ended)")
    #expect(try await recorded(in: scale.journal).count == 3)
    #expect(try await scale.isInOrder())
    let names = try FileManager.default.contentsOfDirectory(atPath: scale.folder.path).sorted()
    #expect(names.count == 11 && names.contains("grampad.db-mark"), "\(names)")
    for name in ["scale.yaml", "calibration.yaml"] {
      let kept = try #require(names.first { $0.hasPrefix("\(name).before-") })
      #expect(FileManager.default.contents(atPath: "\(scale.folder.path)/\(kept)") == before[name])
    }
    let kept = try #require(names.first { $0.hasPrefix("grampad.db.before-") })
    #expect(try await recorded(in: "\(scale.folder.path)/\(kept)").count == 5)
    #expect(
      String(decoding: FileManager.default.contents(atPath: scale.path) ?? Data(), as: UTF8.self).contains("Saved"))
    var status = stat()
    #expect(stat(scale.path, &status) == 0 && status.st_mode & 0o777 == 0o640)
    #expect(stat(scale.journal, &status) == 0 && status.st_mode & 0o777 == 0o604)
    if geteuid() == 0 { #expect(status.st_uid == 65534 && status.st_gid == 65534) }

    // Once more, with nothing to lose. Subscribers have seen 4 and 5: the next weighing is not one of these.
    #expect(try await Program.run(["restore", file, "--config", scale.path]).code == 0)
    try await scale.weigh(1)
    #expect(try await recorded(in: scale.journal).map(\.sequence) == [1, 2, 3, 6])
    let audit = try await Program.run(["history", "audit", "--config", scale.path])
    #expect(audit.output.contains(#""from":4,"#) && audit.output.contains(#""to":5}"#), "\(audit)")
    #expect(try await scale.isInOrder())
  }

  /// This version continues in a journal to which a newer one has added a table.
  @Test func aMigratedJournalIsRestored() async throws {
    let scale = try await SavedScale(weighings: 3)
    let migration = """
      import sqlite3, sys
      db = sqlite3.connect(sys.argv[1])
      db.executescript("CREATE TABLE later (name TEXT); INSERT INTO grdb_migrations VALUES ('9 later');")
      db.close()
      """
    let migrated = try await Program("python3", ["-c", migration, scale.journal]).ended(within: .seconds(120))
    #expect(migrated.code == 0, "\(migrated)")
    let place = try TemporaryFolder()
    let file = try await scale.saved(in: place)
    try await scale.weigh(2)
    let refused = try await Program.run(["restore", file, "--config", scale.path])
    #expect(refused.code == 1 && refused.complaints.contains("has 2 weighings"), "\(refused)")
    let ended = try await Program.run(["restore", file, "--force", "--config", scale.path])
    #expect(ended.code == 0, "\(ended)")
    try await scale.weigh(1)
    #expect(try await recorded(in: scale.journal).map(\.sequence) == [1, 2, 3, 6])
    #expect(try await scale.isInOrder())
  }

  @Test func aRunningApplianceIsLeftAlone() async throws {
    let stage = try await Stage(pad: RunningScale.plain)
    _ = try await stage.command()
    let place = try TemporaryFolder()
    let file = "\(place.path)/x.tar"
    #expect(try await Program.run(["backup", file, "--config", stage.scale.path]).code == 0)
    for arguments in [[], ["--force"], ["--dry-run"]] {
      let ended = try await Program.run(["restore", file, "--config", stage.scale.path] + arguments)
      #expect(ended.code == 69 && ended.complaints.contains("systemctl stop grampad"), "\(ended)")
      #expect(ended.complaints.contains("process \(stage.scale.program.id)"), "\(ended)")
    }
    // Nor is its configuration replaced by one that names another journal.
    let other = try await SavedScale(weighings: 1, extra: "journal: {path: other.db}\n")
    try await other.weigh(1, to: "\(other.folder.path)/other.db")
    let foreign = try await other.saved(in: place, as: "other.tar")
    let before = FileManager.default.contents(atPath: stage.scale.path)
    #expect(try await Program.run(["restore", foreign, "--force", "--config", stage.scale.path]).code == 69)
    #expect(FileManager.default.contents(atPath: stage.scale.path) == before)
    let answer = try await stage.command()
    #expect(answer("weighing", "sequence") as? Int == 2)
    stage.scale.program.end()
    // Killed: its -wal is there, with what is not in the file yet.
    #expect(FileManager.default.fileExists(atPath: stage.scale.journal + "-wal"))
    let ended = try await Program.run(["restore", file, "--force", "--config", stage.scale.path])
    #expect(ended.code == 0, "\(ended)")
    #expect(!FileManager.default.fileExists(atPath: stage.scale.journal + "-wal"))
    #expect(try await recorded(in: stage.scale.journal).count == 1)
    let names = try FileManager.default.contentsOfDirectory(atPath: stage.scale.folder.path)
    let kept = try #require(names.first { $0.hasPrefix("grampad.db.before-") })
    #expect(try await recorded(in: "\(stage.scale.folder.path)/\(kept)").count == 2)
  }

  @Test func whatWasNotDeliveredIsDelivered() async throws {
    let broker = try await Broker()
    let scale = try await SavedScale(
      weighings: 3,
      extra: "pad: \(RunningScale.plain)\ndashboard: {enabled: false}\n"
        + "mqtt: {broker: \"mqtt://127.0.0.1:\(broker.port)\"}\n")
    let place = try TemporaryFolder()
    let file = try await scale.saved(in: place)
    let ids = try await recorded(in: scale.journal).map(\.id)
    for round in 1...2 {
      let listener = try await Listener(broker.port)
      let program = try Program.grampad(["run", "--config", scale.path])
      try await eventually("delivered, round \(round)") { listener.messages("weighing").count == 3 }
      #expect(listener.messages("weighing").map { $0("id") as? String ?? "" } == ids)
      try await eventually("nothing waits") { listener.messages("health").last?("outbox", "waiting") as? Int == 0 }
      program.send(SIGTERM)
      #expect(try await program.ended().code == 0)
      let ended = try await Program.run(["restore", file, "--config", scale.path])
      #expect(ended.code == 0, "\(ended)")
    }
  }

  @Test func aDamagedJournalIsReplacedIfThatIsWanted() async throws {
    let scale = try await SavedScale(weighings: 3)
    let place = try TemporaryFolder()
    let file = try await scale.saved(in: place)
    let url = URL(fileURLWithPath: scale.journal)
    var bytes = try Data(contentsOf: url)
    for index in 100..<bytes.count { bytes[index] = UInt8(truncatingIfNeeded: index &* 7) }
    try bytes.write(to: url)
    try Data("stale".utf8).write(to: URL(fileURLWithPath: scale.journal + "-wal"))
    let refused = try await Program.run(["restore", file, "--config", scale.path])
    #expect(refused.code == 1 && refused.complaints.contains("cannot be read"), "\(refused)")
    let ended = try await Program.run(["restore", file, "--force", "--config", scale.path])
    #expect(ended.code == 0, "\(ended)")
    for end in ["-wal", "-shm", "-journal"] {
      #expect(!FileManager.default.fileExists(atPath: scale.journal + end), "\(end)")
    }
    #expect(try await recorded(in: scale.journal).count == 3)
    let names = try FileManager.default.contentsOfDirectory(atPath: scale.folder.path)
    let kept = try #require(names.first { $0.hasPrefix("grampad.db.before-") && $0.hasSuffix("Z") })
    #expect(FileManager.default.contents(atPath: "\(scale.folder.path)/\(kept)") == bytes)
  }

  @Test func aCalibrationThatWasNotThereGoes() async throws {
    let scale = try await SavedScale(weighings: 1)
    try FileManager.default.removeItem(atPath: "\(scale.folder.path)/calibration.yaml")
    let place = try TemporaryFolder()
    let file = try await scale.saved(in: place)
    try scale.folder.write("calibration.yaml", SavedScale.calibration)
    let ended = try await Program.run(["restore", file, "--config", scale.path])
    #expect(ended.code == 0 && ended.complaints.contains("no calibration"), "\(ended)")
    let names = try FileManager.default.contentsOfDirectory(atPath: scale.folder.path)
    #expect(!names.contains("calibration.yaml") && names.contains { $0.hasPrefix("calibration.yaml.before-") })
  }

  @Test func missingSecretsAreNamed() async throws {
    let scale = try await SavedScale(weighings: 1, extra: "dashboard: {token_file: token}\n")
    try scale.folder.write("token", "0123456789abcdef0123\n")
    let place = try TemporaryFolder()
    let file = try await scale.saved(in: place)
    #expect(try await Program("grep", ["-c", "0123456789abcdef", file]).ended().code == 1, "the token is not in it")
    let ended = try await Program.run(["restore", file, "--config", "\(place.path)/scale.yaml"])
    #expect(
      ended.code == 0 && ended.complaints.contains("\(place.path)/token, which is never part of a backup"), "\(ended)")
  }
}
