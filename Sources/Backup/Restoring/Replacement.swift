import Foundation
import Glibc

/// One file that takes the place of another, which is kept beside it as `NAME.before-TIME`.
///
/// The name is never without a file: the old one gets a second name, and then the new one is renamed over it. So whatever
/// happens in between, the old file or the new one is there, whole.
struct Replacement {
  /// What is replaced.
  let target: RestoreTargets.Target
  /// Under which name what is there is kept; `nil` where there is nothing.
  let kept: String?
  /// The new file, on the same disk; `nil` where there is to be none.
  private let draft: String?
  private var companions: [String] = []
  private var madeFolder = false
  private var isKept = false
  private var isPlaced = false

  /// Prepares a new file with the owner and the mode of the one that it replaces.
  ///
  /// Where there is none it gets the owner of its folder and a mode of its own; a folder that is missing as well will belong to
  /// the user `grampad`, where there is one.
  ///
  /// - Parameters:
  ///   - draft: A file of ours in `target.draftFolder` or below it.
  ///   - mode: For a file that is new.
  ///   - stamp: The time in the name of what is kept.
  init(_ target: RestoreTargets.Target, with draft: String?, mode: mode_t, stamp: String) throws(BackupError) {
    (self.target, self.draft) = (target, draft)
    let old = target.status
    kept = old.map { _ in Self.freeName("\(target.path).before-\(stamp)") }
    guard let draft else { return }
    let file = open(draft, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { throw .file(FileFault(target.path, .make, errno)) }
    defer { close(file) }
    let owner = old.map { Owner($0) } ?? Owner(ofNewFileIn: target)
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .file(FileFault(target.path, .make, errno)) }
    if Owner(status) != owner, fchown(file, owner.user, owner.group) != 0 {
      throw .file(FileFault(target.path, .make, errno))
    }
    guard fchmod(file, old.map { $0.st_mode & 0o7777 } ?? mode) == 0, fsync(file) == 0 else {
      throw .file(FileFault(target.path, .make, errno))
    }
  }

  /// Who a file belongs to.
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

    /// The service's user when root restores, else whoever does.
    init(ofNewFolder: Void) {
      (user, group) = (geteuid(), getegid())
      guard user == 0, let entry = getpwnam("grampad") else { return }
      (user, group) = (entry.pointee.pw_uid, entry.pointee.pw_gid)
    }
  }

  /// Puts the new file in its place.
  ///
  /// - Parameter companions: What else belongs to the old file and must not be taken for the new one's: the ends of the names.
  mutating func install(companions ends: [String] = []) throws(BackupError) {
    if target.isFolderMissing { try makeFolder() }
    if let kept {
      // Some file systems have no second names; there the name is without a file for a moment.
      guard link(target.path, kept) == 0 || rename(target.path, kept) == 0 else {
        throw .file(FileFault(target.path, .keep, errno))
      }
      isKept = true
    }
    for end in ends where access(target.path + end, F_OK) == 0 {
      let aside = kept.map { $0 + end } ?? Self.freeName(target.path + end + ".before")
      guard rename(target.path + end, aside) == 0 else { throw .file(FileFault(target.path + end, .keep, errno)) }
      companions.append(end)
    }
    if let draft {
      guard rename(draft, target.path) == 0 else { throw .file(FileFault(target.path, .replace, errno)) }
    } else if access(target.path, F_OK) == 0, unlink(target.path) != 0 {
      throw .file(FileFault(target.path, .replace, errno))
    }
    isPlaced = true
    syncFolder(target.folder)
  }

  /// Brings back what was there, as far as `install` came.
  func undo() {
    if let kept, isKept {
      for end in companions { _ = rename(kept + end, target.path + end) }
      if isPlaced { _ = rename(kept, target.path) } else { bringBack(kept) }
    } else if isPlaced {
      unlink(target.path)
    }
    if madeFolder { rmdir(target.folder) }
    syncFolder(target.folder)
  }

  /// The old file still has its own name, or only the other one.
  private func bringBack(_ kept: String) {
    if access(target.path, F_OK) == 0 { unlink(kept) } else { _ = rename(kept, target.path) }
  }

  private mutating func makeFolder() throws(BackupError) {
    guard mkdir(target.folder, 0o750) == 0 else { throw .file(FileFault(target.folder, .make, errno)) }
    madeFolder = true
    let owner = Owner(ofNewFolder: ())
    if owner.user != geteuid() { _ = chown(target.folder, owner.user, owner.group) }
  }

  /// What SQLite keeps beside a file.
  static let companionEnds = ["-wal", "-shm", "-journal"]

  /// A name that nothing has yet, nor its companions.
  private static func freeName(_ base: String) -> String {
    var (name, attempt) = (base, 1)
    while ([""] + companionEnds).contains(where: { access(name + $0, F_OK) == 0 }) {
      attempt += 1
      name = "\(base)-\(attempt)"
    }
    return name
  }
}
