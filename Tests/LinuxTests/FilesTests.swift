import Foundation
import Linux
import SystemPackage
import Testing

/// Reading files and the errors of the system.
@Suite final class FilesTests {
  private let folder: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.path + "/files-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  @Test func readsARegularFileUpToALimit() throws {
    let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
    let file = try FileDescriptor.open(
      folder + "/file", .writeOnly, options: [.create, .closeOnExec], permissions: FilePermissions(rawValue: 0o600))
    try file.closeAfter { _ = try file.writeAll(bytes) }
    #expect(try fileBytes(folder + "/file", limit: 1 << 20) == bytes)
    #expect(try fileBytes(folder + "/file", limit: 70_000) == Array(bytes[...70_000]))
    #expect(throws: FileError.missing) { try fileBytes(folder + "/none", limit: 1) }
    #expect(throws: FileError.notAFile) { try fileBytes(folder, limit: 1) }
    #expect(throws: FileError.notAFile) { try fileBytes("/dev/zero", limit: 1) }
  }

  @Test func movesNamesAndReportsErrors() throws {
    let (a, b) = (folder + "/a", folder + "/b")
    try Data("a".utf8).write(to: URL(fileURLWithPath: a))
    try FileSystem.link(a, as: b)
    #expect(isSameFile(a, b))
    #expect(throws: Errno.fileExists) { try FileSystem.link(a, as: b) }
    try FileSystem.unlink(a)
    #expect(!FileSystem.exists(a) && !isSameFile(a, b))
    try FileSystem.rename(b, to: a)
    #expect(throws: Errno.noSuchFileOrDirectory) { try FileSystem.rename(b, to: a) }
    #expect(throws: Errno.noSuchFileOrDirectory) { try FileSystem.checkReadable(b) }
    #expect(throws: Errno.fileExists) { try FileSystem.createFolder(folder, permissions: .ownerReadWriteExecute) }
  }

  @Test(arguments: [1, 2, 5, 13, 17, 20, 21, 28, 30, 32, 111, 122])
  func hasTheTextsOfTheSystem(code: CInt) {
    #expect(systemText(code) == String(cString: strerror(code)))
  }
}
