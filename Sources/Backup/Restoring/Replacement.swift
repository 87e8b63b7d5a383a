import Foundation
import Glibc

/// Replaces a file and keeps the previous one in the same folder as `NAME.before-TIME`.
///
/// There is always a complete file under the name: the previous file gets a second name, and then the new file is renamed over
/// it.
struct Replacement {
  /// The file to replace.
  let target: RestoreTargets.Target
  /// The path of the previous file; `nil` if there is none.
  let kept: String?
  /// The new file, on the same file system; `nil` to only move the previous file away.
  private let draft: String?
  private var companions: [String] = []
  private var hasCreatedFolder = false
  private var isKept = false
  private var isInstalled = false

  /// Prepares a new file with the owner and the mode of the file that it replaces.
  ///
  /// If there is no such file, it gets the owner of its folder and `mode`. If the folder is missing too, it is created and owned
  /// by the user `grampad`, if that user exists.
  ///
  /// - Parameters:
  ///   - draft: The new file, in `target.draftFolder` or below it.
  ///   - mode: The mode of a file that did not exist.
  ///   - stamp: The time in the name of the previous file.
  init(_ target: RestoreTargets.Target, with draft: String?, mode: mode_t, stamp: String) throws(BackupError) {
    (self.target, self.draft) = (target, draft)
    let old = target.status
    kept = old.map { _ in Self.freeName("\(target.path).before-\(stamp)") }
    guard let draft else { return }
    let file = open(draft, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { throw .file(FileFailure(target.path, .create, errno)) }
    defer { close(file) }
    let owner = old.map { Owner($0) } ?? Owner(ofNewFileIn: target)
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .file(FileFailure(target.path, .create, errno)) }
    if Owner(status) != owner, fchown(file, owner.user, owner.group) != 0 {
      throw .file(FileFailure(target.path, .create, errno))
    }
    guard fchmod(file, old.map { $0.st_mode & 0o7777 } ?? mode) == 0, fsync(file) == 0 else {
      throw .file(FileFailure(target.path, .create, errno))
    }
  }

  /// The owner of a file.
  private struct Owner: Equatable {
    var user: uid_t
    var group: gid_t

    init(_ status: stat) { (user, group) = (status.st_uid, status.st_gid) }

    init(ofNewFileIn target: RestoreTargets.Target) {
      var status = stat()
      if !target.isFolderMissing, stat(target.folder, &status) == 0 {
        self.init(status)
      } else {
        self.init(ofNewFolder: ())
      }
    }

    /// The user of the service if root restores, otherwise the current user.
    init(ofNewFolder: Void) {
      (user, group) = (geteuid(), getegid())
      guard user == 0, let entry = getpwnam("grampad") else { return }
      (user, group) = (entry.pointee.pw_uid, entry.pointee.pw_gid)
    }
  }

  /// Moves the previous file away and the new file to its name.
  ///
  /// - Parameter suffixes: The suffixes of companion files, which move with the previous file.
  mutating func install(companions suffixes: [String] = []) throws(BackupError) {
    if target.isFolderMissing { try createFolder() }
    if let kept {
      // On a file system without hard links, there is no file under the name for a moment.
      guard link(target.path, kept) == 0 || rename(target.path, kept) == 0 else {
        throw .file(FileFailure(target.path, .keep, errno))
      }
      isKept = true
    }
    for suffix in suffixes where access(target.path + suffix, F_OK) == 0 {
      let aside = kept.map { $0 + suffix } ?? Self.freeName(target.path + suffix + ".before")
      guard rename(target.path + suffix, aside) == 0 else {
        throw .file(FileFailure(target.path + suffix, .keep, errno))
      }
      companions.append(suffix)
    }
    if let draft {
      guard rename(draft, target.path) == 0 else { throw .file(FileFailure(target.path, .replace, errno)) }
    } else if access(target.path, F_OK) == 0, unlink(target.path) != 0 {
      throw .file(FileFailure(target.path, .replace, errno))
    }
    isInstalled = true
    syncFolder(target.folder)
  }

  /// Undoes `install`, as far as it got.
  func undo() {
    if let kept, isKept {
      for suffix in companions { _ = rename(kept + suffix, target.path + suffix) }
      if isInstalled { _ = rename(kept, target.path) } else { putBack(kept) }
    } else if isInstalled {
      unlink(target.path)
    }
    if hasCreatedFolder { rmdir(target.folder) }
    syncFolder(target.folder)
  }

  /// Gives the previous file its name back, or removes its second name.
  private func putBack(_ kept: String) {
    if access(target.path, F_OK) == 0 { unlink(kept) } else { _ = rename(kept, target.path) }
  }

  private mutating func createFolder() throws(BackupError) {
    guard mkdir(target.folder, 0o750) == 0 else { throw .file(FileFailure(target.folder, .create, errno)) }
    hasCreatedFolder = true
    let owner = Owner(ofNewFolder: ())
    if owner.user != geteuid() { _ = chown(target.folder, owner.user, owner.group) }
  }

  /// The suffixes of the files that SQLite keeps next to a database.
  static let companionSuffixes = ["-wal", "-shm", "-journal"]

  /// A name that neither a file nor a companion has yet.
  private static func freeName(_ base: String) -> String {
    var (name, attempt) = (base, 1)
    while ([""] + companionSuffixes).contains(where: { access(name + $0, F_OK) == 0 }) {
      attempt += 1
      name = "\(base)-\(attempt)"
    }
    return name
  }
}
