import Foundation
import Testing

/// The settings of the page in backups.
@Suite struct SettingsBackupTests {
  private static let settings = "grampad.settings.yaml"
  private static let names = [settings, settings + ".previous"]

  private func text(_ name: String, in folder: String) -> String? {
    FileManager.default.contents(atPath: "\(folder)/\(name)").map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func areRestoredNextToTheJournal() async throws {
    let scale = try await SavedScale(weighings: 0, extra: "journal: {path: state/grampad.db}\n")
    let state = "\(scale.folder.path)/state"
    try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: false)
    for name in Self.names {
      try FileManager.default.moveItem(atPath: "\(scale.folder.path)/\(name)", toPath: "\(state)/\(name)")
    }
    try await scale.weigh(2, to: "\(state)/grampad.db")
    let place = try TemporaryFolder()
    let file = try await scale.saved(in: place)
    let path = "\(place.path)/scale.yaml"
    let ended = try await Program.run(["restore", file, "--config", path])
    #expect(ended.code == 0, "\(ended)")
    for (name, word, content) in [
      (Self.names[0], "settings", SavedScale.settings),
      (Self.names[1], "previous settings", SavedScale.previousSettings),
    ] {
      #expect(text("state/\(name)", in: place.path) == content)
      #expect(ended.complaints.contains("the \(word) was restored to \(place.path)/state/\(name)\n"), "\(ended)")
      let mode = try FileManager.default.attributesOfItem(atPath: "\(place.path)/state/\(name)")[.posixPermissions]
      #expect(mode as? Int == 0o640)
    }
    let checked = try await Program.run(["check", path])
    #expect(checked.code == 0 && checked.output.contains("name: Bench\n"), "\(checked)")
  }

  /// What a file contains. The output of the tests shows a long text by its size.
  struct Content: ExpressibleByStringLiteral, CustomTestStringConvertible {
    let text: String
    init(text: String) { self.text = text }
    init(stringLiteral text: String) { self.init(text: text) }
    var testDescription: String { text.utf8.count < 80 ? text.debugDescription : "\(text.utf8.count) bytes" }
  }

  private static let tooLarge = Content(text: String(repeating: "# 5678\n", count: 300_000))

  /// Whatever is there is kept, also settings that are the reason for the restore.
  @Test(arguments: [
    ("other settings", "device: {name: Newer}\n"), ("invalid settings", "device: {name: [\n"),
    ("binary", "\0\u{1}\u{2}"), ("2 MB", tooLarge),
  ])
  func replaceOthers(_ name: String, _ content: Content) async throws {
    let scale = try await SavedScale(weighings: 1)
    let place = try TemporaryFolder()
    let file = try await scale.saved(in: place)
    for name in Self.names { try scale.folder.write(name, content.text) }
    let ended = try await Program.run(["restore", file, "--config", scale.path])
    #expect(ended.code == 0, "\(name): \(ended)")
    #expect(text(Self.settings, in: scale.folder.path) == SavedScale.settings)
    #expect(text(Self.settings + ".previous", in: scale.folder.path) == SavedScale.previousSettings)
    let files = try FileManager.default.contentsOfDirectory(atPath: scale.folder.path)
    for name in Self.names {
      let kept = try #require(files.first { $0.hasPrefix("\(name).before-") }, "\(files)")
      #expect(text(kept, in: scale.folder.path) == content.text)
    }
    #expect(try await Program.run(["check", scale.path]).code == 0)
  }

  /// Settings that the backup does not have are moved away, also by a backup of a version without settings.
  @Test(arguments: [1, 2]) func areMovedAway(_ version: Int) async throws {
    let scale = try await SavedScale(weighings: 1)
    let folder = try TemporaryFolder()
    let archive = Archive(folder: folder, good: try await scale.saved(in: folder))
    let file = try await archive.changed(
      """
      manifest["format_version"] = \(version)
      for name in ["grampad.settings.yaml", "grampad.settings.yaml.previous"]:
          del members[part(name)]
          manifest["files"] = [f for f in manifest["files"] if f["name"] != name]
      """)
    let trial = try await Program.run(["restore", file, "--dry-run", "--config", scale.path])
    #expect(trial.code == 0 && trial.complaints.contains("would be moved away"), "\(trial)")
    #expect(text(Self.settings, in: scale.folder.path) == SavedScale.settings)
    let ended = try await Program.run(["restore", file, "--config", scale.path])
    #expect(ended.code == 0 && ended.complaints.contains("the backup has no settings: "), "\(ended)")
    let files = try FileManager.default.contentsOfDirectory(atPath: scale.folder.path)
    for name in Self.names {
      #expect(!files.contains(name) && files.contains { $0.hasPrefix("\(name).before-") }, "\(files)")
    }
    let checked = try await Program.run(["check", scale.path])
    #expect(checked.code == 0 && checked.output.contains("name: Saved\n"), "\(checked)")
  }

  /// A backup that could not be restored is not made, and the settings stay as they are.
  @Test(
    arguments: [
      (settings, "device: {name: [\n", 78, "invalid YAML"), (settings, "scale: {minimum_g: 400}\n", 78, "capacity"),
      (settings, "mqtt: {password_file: x}\n", 78, "cannot be set here"),
      (settings, tooLarge, 78, "file too large"),
      (settings + ".previous", "device: {name: [\n", 78, "invalid YAML"),
      (settings + ".previous", tooLarge, 78, "file too large"),
    ] as [(String, Content, Int32, String)])
  func areNotSavedIfTheyAreInvalid(_ name: String, _ content: Content, _ code: Int32, _ words: String) async throws {
    let scale = try await SavedScale(weighings: 1)
    let path = try scale.folder.write(name, content.text)
    let place = try TemporaryFolder()
    let ended = try await Program.run(["backup", place.path, "--config", scale.path])
    #expect(ended.code == code, "\(ended)")
    #expect(
      ended.complaints.hasPrefix("\(path):") && ended.complaints.contains(words), "\(ended.complaints.prefix(500))")
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.path).isEmpty)
    #expect(text(name, in: scale.folder.path) == content.text)
  }

  @Test func anotherKindOfFileIsNamed() async throws {
    for name in Self.names {
      let scale = try await SavedScale(weighings: 1)
      let place = try TemporaryFolder()
      let file = try await scale.saved(in: place)
      let path = "\(scale.folder.path)/\(name)"
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      let before = try contents(of: scale.folder.path)
      let saved = try await Program.run(["backup", place.path, "--config", scale.path])
      #expect(saved.code == 66 && saved.complaints.contains("\(path): not a file"), "\(saved)")
      let restored = try await Program.run(["restore", file, "--config", scale.path])
      #expect(restored.code == 73 && restored.complaints.contains("not a regular file"), "\(restored)")
      #expect(try contents(of: scale.folder.path) == before)
    }
  }

  @Test(.enabled(if: geteuid() == 0, "another user takes root")) func areNotLeftOutWithoutPermission() async throws {
    for name in Self.names {
      let scale = try await SavedScale(weighings: 1)
      chmod(scale.folder.path, 0o755)
      chmod(scale.journal, 0o644)
      for other in Self.names { chmod("\(scale.folder.path)/\(other)", other == name ? 0o600 : 0o644) }
      let place = try TemporaryFolder()
      chmod(place.path, 0o777)
      let ended = try await Program(
        "setpriv",
        [
          "--reuid=65534", "--clear-groups", try Program.path(), "backup", place.path, "--config", scale.path,
        ]
      ).ended(within: .seconds(120))
      #expect(ended.code == 77 && ended.complaints.contains("\(name): permission denied"), "\(ended)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: place.path).isEmpty)
    }
  }
}
