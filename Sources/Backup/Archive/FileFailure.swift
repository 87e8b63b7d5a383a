import SystemPackage

/// A failed operation on a file.
package struct FileFailure: Hashable, Sendable, CustomStringConvertible {
  /// The operation.
  package enum Operation: Hashable, Sendable {
    case open, create, read, write
    /// Renaming an existing file, and moving a new file to its name.
    case keep, replace
  }

  /// The path of the file.
  package var path: String
  /// The operation that failed.
  package var operation: Operation
  /// The system's error.
  package var errno: Errno

  init(_ path: String, _ operation: Operation, _ errno: Errno) {
    (self.path, self.operation, self.errno) = (path, operation, errno)
  }

  /// What failed, on which file, and what to do about it.
  package var description: String {
    let words =
      switch operation {
      case .open: "cannot be opened"
      case .create: "cannot be created"
      case .read: "cannot be read"
      case .write: "cannot be written"
      case .keep: "cannot be renamed"
      case .replace: "cannot be replaced"
      }
    return "\(path) \(words): \(errno)\(advice)"
  }

  private var advice: String {
    switch errno {
    case .noSpace, .diskQuotaExceeded: "; free some disk space, or specify a file on another disk"
    case .permissionDenied, .notPermitted: "; run the command as a user with permission, for example as root (sudo)"
    case .fileExists: "; use --force to overwrite it"
    case .readOnlyFileSystem: "; the file system is mounted read-only"
    default: ""
    }
  }
}
