import Foundation
import Glibc
import Linux
import SystemPackage

/// A private folder for drafts and other temporary files, removed when the last reference is released.
///
/// The folder is locked while in use. If a process is killed, its folder is removed when the next one is created in the same
/// place, after an hour.
package final class StagingFolder {
  let path: String
  private let lock: FileDescriptor?

  /// Creates a folder in `parent`. `mkdtemp(3)`
  init(in parent: String) throws(BackupError) {
    var template = Array("\(parent)/.grampad-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      let error = Errno(rawValue: errno)
      let hasParent = error != .noSuchFileOrDirectory && error != .notDirectory
      throw hasParent ? .file(FileFailure(parent, .create, error)) : .noFolder(parent)
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    lock = try? FileDescriptor.open(path, .readOnly, options: [.directory, .closeOnExec])
    try? lock?.lock()
    Self.removeAbandoned(in: parent)
  }

  /// Removes abandoned folders. `flock(2)`
  private static func removeAbandoned(in parent: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? [] {
      guard name.hasPrefix(".grampad-"), name.utf8.count == ".grampad-XXXXXX".utf8.count else { continue }
      let path = "\(parent)/\(name)"
      let options: FileDescriptor.OpenOptions = [.directory, .closeOnExec, .noFollow]
      guard let folder = try? FileDescriptor.open(path, .readOnly, options: options) else { continue }
      defer { try? folder.close() }
      guard let status = try? Stat(folder), status.userID.rawValue == geteuid(),
        time(nil) - status.st_mtim.tv_sec > 3600, (try? folder.lock()) != nil
      else { continue }
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  /// Creates a folder for temporary files.
  package convenience init() throws(BackupError) { try self.init(in: FileManager.default.temporaryDirectory.path) }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
    try? lock?.close()
  }

  /// The path of a file in the folder.
  package func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Checks that the file system has enough free space. `statvfs(3)`
  ///
  /// - Throws: `.file` with ENOSPC.
  func requireRoom(for size: Int, as name: String) throws(BackupError) {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return }
    let free = UInt(geteuid() == 0 ? status.f_bfree : status.f_bavail) * status.f_frsize
    if free < UInt(size) { throw .file(FileFailure(name, .write, .noSpace)) }
  }
}
