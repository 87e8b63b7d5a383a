import Languages
import Linux
import SystemPackage
import Weighing

/// A failed operation on a file.
package struct FileFailure: Hashable, Sendable {
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

  package init(_ path: String, _ operation: Operation, _ errno: Errno) {
    (self.path, self.operation, self.errno) = (path, operation, errno)
  }

  /// Performs calls on a file.
  ///
  /// - Throws: `.file` if the system reports an error.
  static func checked<Value>(
    _ path: String, _ operation: Operation, _ body: () throws -> Value
  ) throws(BackupError) -> Value {
    do { return try body() } catch { throw .file(FileFailure(path, operation, Errno(error))) }
  }

  /// What failed, on which file, and what to do about it.
  package var sentence: Sentence {
    let key: TextKey =
      switch operation {
      case .open: .fileNotOpened
      case .create: .fileNotCreated
      case .read: .fileNotRead
      case .write: .fileNotWritten
      case .keep: .fileNotRenamed
      case .replace: .fileNotReplaced
      }
    let failure = Sentence(key, ["path": path, "error": errno])
    return advice.map { Sentence($0, ["failure": failure]) } ?? failure
  }

  private var advice: TextKey? {
    switch errno {
    case .noSpace, .diskQuotaExceeded: .fileNoSpace
    case .permissionDenied, .notPermitted: .fileNeedsPermission
    case .fileExists: .fileExistsAlready
    case .readOnlyFileSystem: .fileSystemReadOnly
    default: nil
    }
  }
}
