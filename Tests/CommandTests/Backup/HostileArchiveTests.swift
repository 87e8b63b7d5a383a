import Foundation
import Testing

/// Archives that `backup` does not write: rejected with exit code 65 and a reason, and nothing is changed.
///
/// Serialized, because each case runs four processes.
@Suite(.serialized) struct HostileArchiveTests {
  @Test(arguments: [
    ("an absolute name", #"members[1][0].name = "/tmp/grampad-pwned""#, "instead of"),
    ("a way up", #"members[1][0].name = FOLDER + "../../grampad-pwned""#, "instead of"),
    (
      "a symbolic link", #"members.insert(1, (info("grampad.yaml", 0, tarfile.SYMTYPE, "/etc/passwd"), b""))"#,
      "not a backup"
    ),
    (
      "a hard link", #"members.insert(1, (info("grampad.yaml", 0, tarfile.LNKTYPE, "/etc/passwd"), b""))"#,
      "not a backup"
    ),
    ("a device", #"members.insert(1, (info("grampad.yaml", 0, tarfile.CHRTYPE), b""))"#, "not a backup"),
    ("a FIFO", #"members.insert(1, (info("grampad.yaml", 0, tarfile.FIFOTYPE), b""))"#, "not a backup"),
    ("a folder first", #"members.insert(0, (info("", 0, tarfile.DIRTYPE), b""))"#, "not a backup"),
    ("a file twice", "members.append(members[-1])", "instead of"),
    ("another order", "members[1], members[-2] = members[-2], members[1]", "instead of"),
    ("no settings", "del members[2]", "instead of"),
    ("a file too many", #"members.append((info("extra", 1), b"x"))"#, "instead of"),
    ("no manifest", "del members[0]", "instead of"),
    ("no journal", "del members[-1]", "is missing"),
    ("no files at all", "members.clear()", "is missing"),
    ("a set-user mode", "members[1][0].mode = 0o4755", "not a backup"),
    ("an owner", "members[1][0].uid = 1000", "not a backup"),
    ("another format", #"manifest["format"] = "other""#, "not a backup"),
    ("a newer format", #"manifest["format_version"], manifest["version"] = 3, "9.9.9""#, "newer version"),
    ("a manifest without parts", #"del manifest["files"]"#, "not a backup"),
    ("a manifest of a megabyte", #"manifest["device"] = "x" * (1 << 20)"#, "exceeds the maximum size"),
    ("a time for the terminal", #"manifest["time"] = "\x1b[2J" + manifest["time"][4:]"#, "not a backup"),
    ("another device", #"manifest["device"] = "\x1b]0;x""#, "does not match its checksum"),
    ("a huge number", #"manifest["files"][-1]["size"] = 1e300"#, "not a backup"),
    (
      "another configuration", "members[1] = (members[1][0], members[1][1].replace(b'Saved', b'Bored'))",
      "does not match its checksum"
    ),
    ("another journal", "members[-1] = (members[-1][0], members[-1][1][:-1] + b'x')", "does not match its checksum"),
    ("a configuration with a fault", #"put("grampad.yaml", b"scale: {capacity: 1}")"#, "unknown key"),
    ("a configuration of binary", #"put("grampad.yaml", bytes(range(256)))"#, "cannot be used"),
    (
      "a bad calibration", #"put("calibration.yaml", b"points: [{raw: 5, grams: 5}, {raw: 1, grams: 9}]")"#,
      "cannot be used"
    ),
    ("settings with a fault", #"put("grampad.settings.yaml", b"scale: {unit: stone}")"#, "grampad.settings.yaml:1:15"),
    ("settings of binary", #"put("grampad.settings.yaml", bytes(range(256)))"#, "cannot be used"),
    (
      "settings with a password", #"put("grampad.settings.yaml", b"mqtt: {password_file: /etc/shadow}")"#,
      "cannot be set here"
    ),
    (
      "settings against the configuration", #"put("grampad.settings.yaml", b"scale: {minimum_g: 400}")"#,
      "is not below the capacity"
    ),
    (
      "previous settings with a fault", #"put("grampad.settings.yaml.previous", b"scale: [")"#,
      "grampad.settings.yaml.previous in the backup"
    ),
    ("settings of 2 MB", #"put("grampad.settings.yaml", b" " * (2 << 20))"#, "exceeds the maximum size"),
    (
      "a calibration without calibration.file", #"put("grampad.yaml", b"device: {name: Other}")"#,
      "has no calibration.file"
    ),
    (
      "a path for the terminal", #"put("grampad.yaml", b'calibration: {file: c}\njournal: {path: "\\u001b[2Jx.db"}')"#,
      "control characters"
    ),
    ("no database", #"put("grampad.db", b"x" * 8192)"#, "not a grampad journal"),
    ("half a database", #"put("grampad.db", members[-1][1][:8192])"#, "cannot be used"),
    (
      "an altered weighing", #"put("grampad.db", members[-1][1].replace(b"command_line", b"command_lime", 1))"#,
      "verification failed"
    ),
    ("another extent", #"manifest["journal"]["weighings"] += 1"#, "does not match the manifest"),
    (
      "one file for two", #"put("grampad.yaml", b"calibration: {file: grampad.db}\njournal: {path: grampad.db}")"#,
      "is also the file of calibration.file"
    ),
  ]) func isRefused(_ name: String, _ script: String, _ reason: String) async throws {
    let scale = try await SavedScale(weighings: 4)
    let folder = try TemporaryFolder()
    let archive = Archive(folder: folder, good: try await scale.saved(in: folder))
    // The script changes what is there; unchanged, the same tool makes one that is taken.
    let bad = try await archive.changed(script)
    try await expectRefused(bad, scale, name, reason)
  }

  @Test func anUnchangedOneIsTaken() async throws {
    let scale = try await SavedScale(weighings: 4)
    let folder = try TemporaryFolder()
    let archive = Archive(folder: folder, good: try await scale.saved(in: folder))
    let same = try await archive.changed("pass")
    let ended = try await Program.run(["restore", same, "--dry-run", "--config", scale.path])
    #expect(ended.code == 0, "\(ended)")
  }

  @Test func othersAreRefused() async throws {
    let scale = try await SavedScale(weighings: 4)
    let folder = try TemporaryFolder()
    let archive = Archive(folder: folder, good: try await scale.saved(in: folder))
    let good = try #require(FileManager.default.contents(atPath: archive.good))
    try await expectRefused(try await archive.changed("pass", format: "GNU_FORMAT"), scale, "GNU's", "not a backup")
    let file = URL(fileURLWithPath: "\(folder.path)/other")
    for (name, bytes, reason) in [
      ("empty", Data(), "truncated"), ("text", Data(String(repeating: "text ", count: 500).utf8), "not a backup"),
      ("more behind", good + Data(count: 512), "data after the end"),
      ("zeros", Data(count: 1 << 20), "data after the end"),
      ("random", Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 3) }), "not a backup"),
    ] {
      try bytes.write(to: file)
      try await expectRefused(file.path, scale, name, reason)
    }
    let zipped = try await Program("gzip", ["-k", archive.good]).ended()
    #expect(zipped.code == 0)
    try await expectRefused(archive.good + ".gz", scale, "packed", "zcat")
    for count in stride(from: 100, to: good.count, by: good.count / 12) {
      try good.prefix(count).write(to: file)
      try await expectRefused(file.path, scale, "\(count) bytes", "")
    }
    var flipped = 0
    for place in stride(from: 3, to: good.count, by: good.count / 25) {
      var bytes = good
      bytes[place] ^= 1 << UInt8(place % 8)
      try bytes.write(to: file)
      try await expectRefused(file.path, scale, "byte \(place)", "")
      flipped += 1
    }
    #expect(flipped > 20)
  }

  /// A configuration could refer to any file on the machine.
  @Test(arguments: [
    ("the journal", "journal: {path: stranger}", "not a grampad journal"),
    ("the calibration", "calibration: {file: stranger}", "not a calibration"),
  ]) func doesNotReplaceStrangers(_ name: String, _ yaml: String, _ reason: String) async throws {
    let scale = try await SavedScale(weighings: 4)
    let folder = try TemporaryFolder()
    let archive = Archive(folder: folder, good: try await scale.saved(in: folder))
    let bad = try await archive.changed(
      """
      del members[part("calibration.yaml")]
      manifest["files"] = [f for f in manifest["files"] if f["name"] != "calibration.yaml"]
      put("grampad.yaml", b"\(yaml)")
      """)
    try scale.folder.write("stranger", "root:x:0:0:root:/root:/bin/bash\n")
    let before = try contents(of: scale.folder.path)
    let ended = try await Program.run(["restore", bad, "--force", "--config", scale.path])
    #expect(ended.code == 73 && ended.complaints.contains(reason), "\(ended)")
    #expect(try contents(of: scale.folder.path) == before)
  }

  private func expectRefused(_ file: String, _ scale: SavedScale, _ name: String, _ reason: String) async throws {
    let before = try contents(of: scale.folder.path)
    let ended = try await Program.run(["restore", file, "--force", "--config", scale.path])
    #expect(ended.code == 65 && (reason.isEmpty || ended.complaints.contains(reason)), "\(name): \(ended)")
    #expect(ended.complaints.contains("nothing was changed"), "\(name): \(ended)")
    #expect(try contents(of: scale.folder.path) == before, "\(name)")
    #expect(!FileManager.default.fileExists(atPath: "/tmp/grampad-pwned"))
  }
}
