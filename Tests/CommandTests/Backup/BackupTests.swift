import Foundation
import Testing

/// `backup` of running and stopped appliances.
@Suite struct BackupTests {
  @Test func isAPrefixHoweverMuchIsRecorded() async throws {
    let stage = try await Stage(
      pad: RunningScale.plain, extra: "scale: {division_g: 0.01}\nstability: {motion_g: 50, time_ms: 1}")
    let place = try TemporaryFolder()
    let flood = try Program(
      "mosquitto_pub",
      stage.publication("command/commit", ["-m", "{}", "--repeat", "1000000", "--repeat-delay", "0.002"]))
    try await eventually("weighings") { stage.listener.count(of: "weighing") > 20 }
    var saved: [String] = []
    for number in 1...8 {
      let file = "\(place.path)/\(number).tar"
      let ended = try await Program.run(["backup", file, "--config", stage.scale.path])
      #expect(ended.code == 0, "\(ended.complaints)")
      saved.append(file)
    }
    let after = stage.listener.count(of: "weighing")
    flood.end()
    try await eventually("nothing waits") { stage.health("outbox", "waiting") as? Int == 0 }
    let history = try await stage.history()
    #expect(history.count >= after)
    var counts: [Int] = []
    for (number, file) in saved.enumerated() {
      let fresh = "\(place.path)/fresh-\(number)"
      try FileManager.default.createDirectory(atPath: fresh, withIntermediateDirectories: false)
      let restored = try await Program.run(["restore", file, "--config", "\(fresh)/scale.yaml"])
      #expect(restored.code == 0, "\(restored.complaints)")
      let verified = try await Program.run(["history", "verify", "--config", "\(fresh)/scale.yaml"])
      #expect(verified.code == 0, "\(verified)")
      let list = try await recorded(in: "\(fresh)/grampad.db")
      #expect(list.map(\.id) == history.prefix(list.count).map(\.id))
      #expect(list.map(\.sequence) == Array(1...list.count))
      counts.append(list.count)
    }
    #expect(counts == counts.sorted() && counts.last ?? 0 > counts[0], "\(counts)")
    print("backups while recording have \(counts) of \(history.count) weighings")
  }

  @Test func tarAndSqliteReadIt() async throws {
    let scale = try await SavedScale(weighings: 5)
    let place = try TemporaryFolder()
    let file = try await scale.saved(in: place)
    #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
    let tar = try await Program("tar", ["-C", place.path, "-xf", file]).ended()
    #expect(tar.code == 0 && tar.complaints.isEmpty, "\(tar)")
    let parts = "\(place.path)/grampad-backup"
    #expect(
      Set(try FileManager.default.contentsOfDirectory(atPath: parts))
        == [
          "manifest.json", "grampad.yaml", "grampad.settings.yaml", "grampad.settings.yaml.previous",
          "calibration.yaml", "grampad.db",
        ])
    let sums = try await Program(
      "bash", ["-c", "cd \(parts); jq -r '.files[] | .sha256 + \"  \" + .name' manifest.json | sha256sum --check"]
    ).ended(within: .seconds(120))
    #expect(sums.code == 0, "\(sums)")
    #expect(FileManager.default.contentsEqual(atPath: "\(parts)/grampad.yaml", andPath: scale.path))
    let query =
      "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute('select count(*), max(sequence) from weighings').fetchall())"
    let sqlite = try await Program("python3", ["-c", query, "\(parts)/grampad.db"]).ended(within: .seconds(120))
    #expect(sqlite.output == "[(5, 5)]\n", "\(sqlite)")
    let manifest = String(
      decoding: FileManager.default.contents(atPath: "\(parts)/manifest.json") ?? Data(), as: UTF8.self)
    #expect(value(in: manifest, ["journal", "weighings"]) as? Int == 5)
    #expect(value(in: manifest, ["device"]) as? String == "grampad")
  }

  @Test func goesToStandardOutputAndIntoFolders() async throws {
    let scale = try await SavedScale(weighings: 1)
    let place = try TemporaryFolder()
    let piped = try await Program.run(["backup", "-", "--config", scale.path], output: place.write("piped.tar", ""))
    #expect(piped.code == 0, "\(piped)")
    let trial = try await Program.run(
      ["restore", "-", "--dry-run", "--config", "\(place.path)/scale.yaml"], input: "\(place.path)/piped.tar")
    #expect(trial.code == 0, "\(trial)")
    let inFolder = try await Program.run(["backup", place.path, "--config", scale.path])
    let names = try FileManager.default.contentsOfDirectory(atPath: place.path)
    #expect(inFolder.code == 0 && names.contains { $0.hasPrefix("grampad-backup-20") && $0.hasSuffix("Z.tar") })
    #expect(names.count == 2, "\(names)")
  }

  @Test func replacesOnlyWhatItIsTold() async throws {
    let scale = try await SavedScale(weighings: 1)
    let place = try TemporaryFolder()
    let file = try place.write("mine.tar", "mine")
    let refused = try await Program.run(["backup", file, "--config", scale.path])
    #expect(refused.code == 73 && refused.complaints.contains("--force"), "\(refused)")
    #expect(FileManager.default.contents(atPath: file) == Data("mine".utf8))
    #expect(try await Program.run(["backup", file, "--force", "--config", scale.path]).code == 0)
    let journal = try await Program.run(["backup", scale.journal, "--force", "--config", scale.path])
    #expect(journal.code == 73 && journal.complaints.contains("is a journal with weighings"), "\(journal)")
    let device = try await Program.run(["backup", "/dev/null", "--force", "--config", scale.path])
    #expect(device.code == 73, "\(device)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.path) == ["mine.tar"])
  }

  @Test func saysWhatIsMissing() async throws {
    let scale = try await SavedScale(weighings: 0)
    let place = try TemporaryFolder()
    let file = "\(place.path)/x.tar"
    let cases: [(String, [String], Int32)] = [
      ("no journal", ["backup", file, "--config", scale.path], 66),
      ("no configuration", ["backup", file, "--config", "\(place.path)/no.yaml"], 66),
      ("no folder", ["backup", "\(place.path)/no/x.tar", "--config", scale.path], 73),
      ("a bad configuration", ["backup", file, "--config", try place.write("bad.yaml", "scale: {capacity: 1}")], 78),
      ("no file", ["restore", file, "--config", scale.path], 66),
      ("a folder", ["restore", place.path, "--config", scale.path], 66),
      ("no argument", ["backup"], 64),
    ]
    for (name, arguments, code) in cases {
      let ended = try await Program.run(arguments)
      #expect(ended.code == code && !ended.complaints.isEmpty, "\(name): \(ended)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.path) == ["bad.yaml"])
    #expect(!FileManager.default.fileExists(atPath: scale.journal))
  }

  @Test func aDamagedJournalIsNotSaved() async throws {
    let scale = try await SavedScale(weighings: 5)
    let url = URL(fileURLWithPath: scale.journal)
    var bytes = try Data(contentsOf: url)
    let place = try #require(bytes.range(of: Data("command_line".utf8)))
    bytes[place.lowerBound] ^= 1
    try bytes.write(to: url)
    let folder = try TemporaryFolder()
    let ended = try await Program.run(["backup", folder.path, "--config", scale.path])
    #expect(ended.code == 65 && ended.complaints.contains("history verify"), "\(ended)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test(.enabled(if: geteuid() == 0, "mounting takes root")) func aFullDiskLeavesNothing() async throws {
    let scale = try await SavedScale(weighings: 300)
    let disk = try await Disk("size=256k")
    try disk.fill()
    for room in [0, 60_000] {
      if room > 0 {
        try disk.empty()
        try Data(count: 256_000 - room).write(to: URL(fileURLWithPath: "\(disk.path)/filler"))
      }
      let ended = try await Program.run(["backup", disk.path, "--config", scale.path])
      #expect(ended.code == 74 && ended.complaints.contains("o space left"), "\(ended)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == ["filler"])
    }
  }

  @Test(.enabled(if: geteuid() == 0, "another user takes root")) func whoMayNotReadIsTold() async throws {
    let scale = try await SavedScale(weighings: 1)
    chmod(scale.journal, 0o600)
    let place = try TemporaryFolder()
    chmod(place.path, 0o777)
    let arguments = [
      "--reuid=65534", "--clear-groups", try Program.path(), "backup", place.path, "--config", scale.path,
    ]
    let ended = try await Program("setpriv", arguments).ended(within: .seconds(120))
    #expect(ended.code == 77 && ended.complaints.contains("no permission"), "\(ended)")
    chmod(scale.journal, 0o644)
    chmod(place.path, 0o755)
    let elsewhere = try await Program("setpriv", arguments).ended(within: .seconds(120))
    #expect(elsewhere.code == 77, "\(elsewhere)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.path).isEmpty)
  }
}
