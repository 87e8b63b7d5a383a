import Foundation
import Glibc
import Linux
import SystemPackage

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
    let owner = old.map { Owner($0) } ?? Owner(ofNewFileIn: target)
    try FileFailure.checked(target.path, .create) {
      let file = try FileDescriptor.open(draft, .readOnly, options: [.closeOnExec, .noFollow])
      try file.closeAfter {
        if Owner(try Stat(file)) != owner { try file.changeOwner(to: owner.user, owner.group) }
        try file.changePermissions(to: old?.permissions ?? FilePermissions(rawValue: mode))
        try file.sync()
      }
    }
  }

  /// The owner of a file.
  private struct Owner: Equatable {
    var user: UserID
    var group: GroupID

    init(_ status: Stat) { (user, group) = (status.userID, status.groupID) }

    init(ofNewFileIn target: RestoreTargets.Target) {
      if let status = try? Stat(target.folder) {
        self.init(status)
      } else {
        self.init(ofNewFolder: ())
      }
    }

    /// The user of the service if root restores, otherwise the current user.
    init(ofNewFolder: Void) {
      (user, group) = (UserID(rawValue: geteuid()), GroupID(rawValue: getegid()))
      guard user.rawValue == 0, let entry = getpwnam("grampad") else { return }
      (user, group) = (UserID(rawValue: entry.pointee.pw_uid), GroupID(rawValue: entry.pointee.pw_gid))
    }
  }

  /// Moves the previous file away and the new file to its name.
  ///
  /// - Parameter suffixes: The suffixes of companion files, which move with the previous file.
  mutating func install(companions suffixes: [String] = []) throws(BackupError) {
    if target.isFolderMissing { try createFolder() }
    if let kept {
      // On a file system without hard links, there is no file under the name for a moment.
      if (try? FileSystem.link(target.path, as: kept)) == nil { try Self.rename(target.path, to: kept) }
      isKept = true
    }
    for suffix in suffixes where FileSystem.exists(target.path + suffix) {
      let aside = kept.map { $0 + suffix } ?? Self.freeName(target.path + suffix + ".before")
      try Self.rename(target.path + suffix, to: aside)
      companions.append(suffix)
    }
    try FileFailure.checked(target.path, .replace) {
      if let draft {
        try FileSystem.rename(draft, to: target.path)
      } else if FileSystem.exists(target.path) {
        try FileSystem.unlink(target.path)
      }
    }
    isInstalled = true
    FileSystem.syncFolder(target.folder)
  }

  /// Gives an existing file another name.
  private static func rename(_ path: String, to newPath: String) throws(BackupError) {
    try FileFailure.checked(path, .keep) { try FileSystem.rename(path, to: newPath) }
  }

  /// Undoes `install`, as far as it got.
  func undo() {
    if let kept, isKept {
      for suffix in companions { try? FileSystem.rename(kept + suffix, to: target.path + suffix) }
      if isInstalled { try? FileSystem.rename(kept, to: target.path) } else { putBack(kept) }
    } else if isInstalled {
      try? FileSystem.unlink(target.path)
    }
    if hasCreatedFolder { rmdir(target.folder) }
    FileSystem.syncFolder(target.folder)
  }

  /// Gives the previous file its name back, or removes its second name.
  private func putBack(_ kept: String) {
    if FileSystem.exists(target.path) {
      try? FileSystem.unlink(kept)
    } else {
      try? FileSystem.rename(kept, to: target.path)
    }
  }

  private mutating func createFolder() throws(BackupError) {
    try FileFailure.checked(target.folder, .create) {
      try FileSystem.createFolder(target.folder, permissions: FilePermissions(rawValue: 0o750))
    }
    hasCreatedFolder = true
    let owner = Owner(ofNewFolder: ())
    if owner.user.rawValue != geteuid() {
      _ = chown(target.folder, owner.user.rawValue, owner.group.rawValue)
    }
  }

  /// The suffixes of the files that SQLite keeps next to a database.
  static let companionSuffixes = ["-wal", "-shm", "-journal"]

  /// A name that neither a file nor a companion has yet.
  private static func freeName(_ base: String) -> String {
    var (name, attempt) = (base, 1)
    while ([""] + companionSuffixes).contains(where: { FileSystem.exists(name + $0) }) {
      attempt += 1
      name = "\(base)-\(attempt)"
    }
    return name
  }
}
