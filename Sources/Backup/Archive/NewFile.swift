import EventLoop
import Foundation
import Glibc
import Journal

/// The file that a command writes: it appears under its name whole, on the disk and readable by its owner only, or not at
/// all.
package struct NewFile: Hashable, Sendable {
  /// Its path; `-` for standard output.
  package let path: String
  private let replaces: Bool

  /// Names a file that is to be.
  ///
  /// - Parameters:
  ///   - path: Where a folder is, `name` in it is meant.
  ///   - replaces: Whether a file that is there goes.
  /// - Throws: `.file` where something is there and must stay.
  package init(_ path: String, name: String, replaces: Bool) throws(BackupError) {
    self.replaces = replaces
    var status = stat()
    guard path != "-", stat(path, &status) == 0 else {
      self.path = path
      return
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      self.path = path
      guard FileKind(of: path) != .journal else { throw .isJournal(path) }
      // A device or a pipe is nothing to be replaced by a file.
      guard replaces, status.st_mode & S_IFMT == S_IFREG else { throw .file(FileFault(path, .make, EEXIST)) }
      return
    }
    self.path = (path.hasSuffix("/") ? path : path + "/") + name
    if !replaces, access(self.path, F_OK) == 0 { throw .file(FileFault(self.path, .make, EEXIST)) }
  }

  /// Whether it is standard output.
  package var isStandardOutput: Bool { path == "-" }

  /// A folder on the same disk, for drafts; for standard output, one among the temporary files.
  func staging() throws(BackupError) -> StagingFolder {
    isStandardOutput ? try StagingFolder() : try StagingFolder(in: folder)
  }

  private var folder: String {
    parentFolder(of: absolutePath(path, in: FileManager.default.currentDirectoryPath))
  }

  /// Opens what is written to first: a draft in the staging folder, or standard output itself.
  func draft(in staging: StagingFolder) throws(BackupError) -> OpenFile {
    isStandardOutput
      ? OpenFile(lending: STDOUT_FILENO, name: "standard output")
      : try OpenFile(making: staging.file("draft"), name: path)
  }

  /// Gives the draft its name.
  func publish(_ draft: OpenFile, in staging: StagingFolder) throws(BackupError) {
    if isStandardOutput { return }
    try draft.sync()
    if replaces {
      if rename(staging.file("draft"), path) != 0 { throw .file(FileFault(path, .make, errno)) }
    } else if !renamed(staging.file("draft")) {
      throw .file(FileFault(path, .make, errno))
    }
    syncFolder(folder)
  }

  /// Renames, but never over another file. `link(2)`, which fails where a name exists
  private func renamed(_ draft: String) -> Bool {
    if link(draft, path) == 0 { return unlink(draft) == 0 }
    // Some file systems have no second names; then a look has to do.
    guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno) else { return false }
    if access(path, F_OK) == 0 {
      errno = EEXIST
      return false
    }
    return rename(draft, path) == 0
  }
}

/// Brings the names in a folder to the disk; some file systems cannot, and need not. `fsync(2)`
func syncFolder(_ path: String) {
  let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  guard folder >= 0 else { return }
  fsync(folder)
  close(folder)
}
