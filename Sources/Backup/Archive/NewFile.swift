import EventLoop
import Foundation
import Glibc
import Journal

/// A file that a command creates. It appears under its name only when it is complete and on disk; only its owner can read it.
package struct NewFile: Hashable, Sendable {
  /// Its path; `-` for standard output.
  package let path: String
  private let replaces: Bool

  /// Chooses the path; nothing is created yet.
  ///
  /// - Parameters:
  ///   - path: The file, or a folder to create the file `name` in; `-` for standard output.
  ///   - replaces: Whether an existing file is replaced.
  /// - Throws: `.file` if the file exists and must not be replaced, `.isJournal` if it is a journal.
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
      // A device or a pipe cannot be replaced by a file.
      guard replaces, status.st_mode & S_IFMT == S_IFREG else { throw .file(FileFailure(path, .create, EEXIST)) }
      return
    }
    self.path = (path.hasSuffix("/") ? path : path + "/") + name
    if !replaces, access(self.path, F_OK) == 0 { throw .file(FileFailure(self.path, .create, EEXIST)) }
  }

  /// Whether it is standard output.
  package var isStandardOutput: Bool { path == "-" }

  /// A folder for drafts on the same file system; for standard output, in the folder for temporary files.
  func staging() throws(BackupError) -> StagingFolder {
    isStandardOutput ? try StagingFolder() : try StagingFolder(in: folder)
  }

  private var folder: String {
    parentFolder(of: absolutePath(path, in: FileManager.default.currentDirectoryPath))
  }

  /// Opens the draft in the staging folder, or standard output.
  func draft(in staging: StagingFolder) throws(BackupError) -> OpenFile {
    isStandardOutput
      ? OpenFile(lending: STDOUT_FILENO, name: "standard output")
      : try OpenFile(creating: staging.file("draft"), name: path)
  }

  /// Moves the draft to its final name.
  func publish(_ draft: OpenFile, in staging: StagingFolder) throws(BackupError) {
    if isStandardOutput { return }
    try draft.sync()
    if replaces {
      if rename(staging.file("draft"), path) != 0 { throw .file(FileFailure(path, .create, errno)) }
    } else if !renamed(staging.file("draft")) {
      throw .file(FileFailure(path, .create, errno))
    }
    syncFolder(folder)
  }

  /// Renames without overwriting an existing file. `link(2)` fails if the name exists.
  private func renamed(_ draft: String) -> Bool {
    if link(draft, path) == 0 { return unlink(draft) == 0 }
    // On a file system without hard links, check for the file instead.
    guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno) else { return false }
    if access(path, F_OK) == 0 {
      errno = EEXIST
      return false
    }
    return rename(draft, path) == 0
  }
}

/// Flushes the entries of a folder to disk, if the file system supports it. `fsync(2)`
func syncFolder(_ path: String) {
  let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  guard folder >= 0 else { return }
  fsync(folder)
  close(folder)
}
