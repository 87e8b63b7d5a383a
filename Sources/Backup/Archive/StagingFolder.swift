import Foundation
import Glibc

/// A folder that nobody else can look into, gone with the value.
///
/// One that a process has left behind that was killed is removed by the next one that makes one beside it, after an hour: it is
/// locked as long as it is in use.
final class StagingFolder {
  let path: String
  private let lock: Int32

  /// Makes one in another folder. `mkdtemp(3)`
  init(in parent: String) throws(BackupError) {
    var template = Array("\(parent)/.grampad-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      let code = errno
      throw code == ENOENT || code == ENOTDIR ? .noFolder(parent) : .file(FileFault(parent, .make, code))
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    flock(lock, LOCK_EX | LOCK_NB)
    Self.sweep(parent)
  }

  /// Removes what others have left behind. `flock(2)`
  private static func sweep(_ parent: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? [] {
      guard name.hasPrefix(".grampad-"), name.utf8.count == ".grampad-XXXXXX".utf8.count else { continue }
      let folder = open("\(parent)/\(name)", O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
      guard folder >= 0 else { continue }
      defer { close(folder) }
      var status = stat()
      guard fstat(folder, &status) == 0, status.st_uid == geteuid(), time(nil) - status.st_mtim.tv_sec > 3600,
        flock(folder, LOCK_EX | LOCK_NB) == 0
      else { continue }
      try? FileManager.default.removeItem(atPath: "\(parent)/\(name)")
    }
  }

  /// Makes one for what is not kept at all.
  convenience init() throws(BackupError) {
    try self.init(in: FileManager.default.temporaryDirectory.path)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
    if lock >= 0 { close(lock) }
  }

  /// The path of a file in it.
  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Whether so many bytes fit beside it. `statvfs(3)`
  func requireRoom(for size: Int, as name: String) throws(BackupError) {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return }
    let free = UInt(geteuid() == 0 ? status.f_bfree : status.f_bavail) * status.f_frsize
    if free < UInt(size) { throw .file(FileFault(name, .write, ENOSPC)) }
  }
}
