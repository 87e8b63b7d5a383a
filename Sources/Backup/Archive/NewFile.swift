import Foundation
import Journal
import Linux
import SystemPackage

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
    guard path != "-", let status = try? Stat(path) else {
      self.path = path
      return
    }
    guard status.type == .directory else {
      self.path = path
      guard FileKind(of: path) != .journal else { throw .isJournal(path) }
      // A device or a pipe cannot be replaced by a file.
      guard replaces, status.type == .regular else { throw .file(FileFailure(path, .create, .fileExists)) }
      return
    }
    self.path = (path.hasSuffix("/") ? path : path + "/") + name
    if !replaces, FileSystem.exists(self.path) { throw .file(FileFailure(self.path, .create, .fileExists)) }
  }

  /// Whether it is standard output.
  package var isStandardOutput: Bool { path == "-" }

  /// A folder for drafts on the same file system; for standard output, in the folder for temporary files.
  func staging() throws(BackupError) -> StagingFolder {
    isStandardOutput ? try StagingFolder() : try StagingFolder(in: folder)
  }

  private var folder: String { parentFolder(of: absolutePath(path, in: FileManager.default.currentDirectoryPath)) }

  /// Opens the draft in the staging folder, or standard output.
  func draft(in staging: StagingFolder) throws(BackupError) -> OpenFile {
    isStandardOutput
      ? OpenFile(lending: .standardOutput, name: "standard output")
      : try OpenFile(creating: staging.file("draft"), name: path)
  }

  /// Moves the draft to its final name.
  func publish(_ draft: OpenFile, in staging: StagingFolder) throws(BackupError) {
    if isStandardOutput { return }
    try draft.sync()
    try FileFailure.checked(path, .create) {
      if replaces {
        try FileSystem.rename(staging.file("draft"), to: path)
      } else {
        try moveWithoutReplacing(staging.file("draft"))
      }
    }
    FileSystem.syncFolder(folder)
  }

  /// Renames without replacing an existing file. `link(2)` fails if the name exists.
  private func moveWithoutReplacing(_ draft: String) throws(Errno) {
    do throws(Errno) {
      try FileSystem.link(draft, as: path)
    } catch {
      // On a file system without hard links, check for the file instead.
      guard [.notPermitted, .notSupported, .noFunction, .tooManyLinks].contains(error) else { throw error }
      if FileSystem.exists(path) { throw .fileExists }
      return try FileSystem.rename(draft, to: path)
    }
    try FileSystem.unlink(draft)
  }
}
