import Foundation
import Testing

@testable import Backup

/// Staging folders are private, are removed with their value, and are cleaned up after a crash.
@Suite struct StagingFolderTests {
  private func make(_ name: String, in folder: TestFolder, hoursAgo: Double) throws {
    try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: false)
    try folder.write("\(name)/journal", [1])
    let time = Date(timeIntervalSinceNow: -3600 * hoursAgo)
    try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: folder.file(name))
  }

  @Test func isPrivateAndGoes() throws {
    let folder = try TestFolder()
    do {
      let staging = try StagingFolder(in: folder.path)
      let mode = try FileManager.default.attributesOfItem(atPath: staging.path)[.posixPermissions]
      #expect(mode as? Int == 0o700)
      try Data([1]).write(to: URL(fileURLWithPath: staging.file("draft")))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test func whatWasLeftBehindIsRemoved() throws {
    let folder = try TestFolder()
    try make(".grampad-old001", in: folder, hoursAgo: 2)
    try make(".grampad-new001", in: folder, hoursAgo: 0.5)
    try make(".grampad-inuse1", in: folder, hoursAgo: 2)
    try make(".grampad-unrelated", in: folder, hoursAgo: 2)
    let used = open(folder.file(".grampad-inuse1"), O_RDONLY | O_DIRECTORY)
    defer { close(used) }
    #expect(flock(used, LOCK_EX | LOCK_NB) == 0)
    let staging = try StagingFolder(in: folder.path)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let own = String(staging.path.split(separator: "/").last ?? "")
    #expect(names == [".grampad-inuse1", ".grampad-new001", ".grampad-unrelated", own].sorted())
  }

  @Test func aFolderThatIsMissingIsNamed() throws {
    let folder = try TestFolder()
    let fault = #expect(throws: BackupError.self) { _ = try StagingFolder(in: folder.file("no")) }
    #expect(fault?.description.hasPrefix("\(folder.path)/no: no such folder") == true)
  }
}
