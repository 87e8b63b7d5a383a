import Foundation
import Glibc

/// A folder that nobody else can look into, gone with the value.
final class StagingFolder {
  let path: String

  /// Makes one in another folder. `mkdtemp(3)`
  init(in parent: String) throws(BackupFault) {
    var template = Array("\(parent)/.grampad-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      let code = errno
      throw code == ENOENT || code == ENOTDIR ? .noFolder(parent) : .file(FileFault(parent, .make, code))
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Makes one for what is not kept at all.
  convenience init() throws(BackupFault) {
    try self.init(in: FileManager.default.temporaryDirectory.path)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a file in it.
  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Whether so many bytes fit beside it. `statvfs(3)`
  func requireRoom(for size: Int, as name: String) throws(BackupFault) {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return }
    let free = UInt(geteuid() == 0 ? status.f_bfree : status.f_bavail) * status.f_frsize
    if free < UInt(size) { throw .file(FileFault(name, .write, ENOSPC)) }
  }
}
