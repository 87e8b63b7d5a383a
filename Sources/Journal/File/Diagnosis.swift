import GRDB
import SystemPackage

extension JournalError {
  /// Classifies an error at `path`; examines the file if SQLite's result code is ambiguous.
  init(_ error: any Error, path: String) {
    switch error {
    case let error as JournalError: self = error
    case is Unreadable, is RowDecodingError: self = .corrupt(path: path, keptAside: nil)
    case is Unstorable: self = .other(path: path, reason: "a mass of the weighing is not a number")
    case let error as DatabaseError: self.init(error, path: path)
    case Errno.noSpace, Errno.diskQuotaExceeded: self = .full(path: path)
    case Errno.readOnlyFileSystem: self = .readOnly(path: path)
    default: self = .other(path: path, reason: String(describing: error))
    }
  }

  private init(_ error: DatabaseError, path: String) {
    let condition = FileCondition(path)
    switch (error.extendedResultCode, error.resultCode) {
    case (.SQLITE_READONLY_DBMOVED, _): self = .replaced(path: path)
    case (_, .SQLITE_FULL): self = .full(path: path)
    case (_, .SQLITE_BUSY), (_, .SQLITE_LOCKED): self = .busy(path: path)
    case (_, .SQLITE_READONLY): self = condition.obstacle() ?? .readOnly(path: path)
    case (_, .SQLITE_PERM), (_, .SQLITE_AUTH): self = .notPermitted(path: path)
    // A violated constraint means that the file contradicts itself.
    case (_, .SQLITE_CORRUPT), (_, .SQLITE_NOTADB), (_, .SQLITE_CONSTRAINT):
      self = .corrupt(path: path, keptAside: nil)
    case (_, .SQLITE_CANTOPEN), (_, .SQLITE_IOERR):
      self = condition.obstacle() ?? (condition.isFull ? .full(path: path) : .other(path: path, reason: words(error)))
    default: self = .other(path: path, reason: words(error))
    }
  }
}

private func words(_ error: DatabaseError) -> String {
  "\(error.message ?? "no message") (SQLite \(error.extendedResultCode.rawValue))"
}
