import Glibc

/// What goes wrong with a journal; nothing was recorded, nothing recorded before was touched, the next use tries again.
package enum JournalError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no such file to read.
  case notFound(path: String)
  /// The user may not read or write the file or its folder.
  case notPermitted(path: String)
  /// The file cannot be made; `reason` is the system's.
  case cannotCreate(path: String, reason: String)
  /// The disk, or the file's quota, is full.
  case full(path: String)
  /// The file, its folder or its file system cannot be written; also any change asked of a reader.
  case readOnly(path: String)
  /// The file is damaged and was moved to `keptAside`; a new one has been begun. `nil`: it could not be, or must not be,
  /// moved and is still there.
  case corrupt(path: String, keptAside: String?)
  /// Another process has held the file for longer than the journal waits.
  case busy(path: String)
  /// The file was removed or replaced while it was open; the next use opens what is there then.
  case replaced(path: String)
  /// It is a database, but not a journal.
  case foreign(path: String)
  /// It was written by a newer version.
  case newer(path: String)
  /// Its tables are there, but the list of schema versions is empty.
  case versionMissing(path: String)
  /// Another appliance records into the file.
  case inUse(path: String)
  /// The high-water mark, which is a file next to the journal, cannot be written.
  case markNotWritten(path: String)
  /// The weighing is voided already, or none exists.
  case nothingToVoid(path: String)
  /// The journal has no weighing with the identifier that was given.
  case unknownWeighing(path: String)
  /// Anything else, in the words of the system or of SQLite.
  case other(path: String, reason: String)

  /// The file; `:memory:` for a journal in memory.
  package var path: String {
    switch self {
    case .notFound(let path), .notPermitted(let path), .full(let path), .readOnly(let path), .busy(let path): path
    case .replaced(let path), .foreign(let path), .newer(let path), .versionMissing(let path): path
    case .inUse(let path), .markNotWritten(let path), .nothingToVoid(let path), .unknownWeighing(let path): path
    case .cannotCreate(let path, _), .corrupt(let path, _), .other(let path, _): path
    }
  }

  /// What failed, on what, and what to do.
  package var description: String { "\(path): \(reason)" }

  /// The same without the path.
  package var reason: String {
    switch self {
    case .notFound: "no such journal; `journal.path` in the configuration names it, and `grampad run` makes it"
    case .notPermitted:
      "no permission to read and write the journal; the file and its folder must belong to the user who runs grampad"
    case .cannotCreate(_, let reason):
      "the journal cannot be made: \(reason); make its folder, or change `journal.path`"
    case .full: "the journal cannot be written: no space left; free some on its disk"
    case .readOnly: "the journal cannot be written: it is read-only; remount its disk or change its permissions"
    case .corrupt(_, let aside?):
      "the journal is damaged; it is kept as \(aside), and a new one goes on with its sequence"
    case .corrupt(_, nil): "the journal is damaged; move it away together with its -wal and -shm, or restore a copy"
    case .busy: "another program keeps the journal locked; stop it (`fuser -v` on the path tells which)"
    case .replaced: "the journal was removed or replaced while it was open; what is there now is opened next time"
    case .foreign: "a database, but not a journal of grampad; change `journal.path`"
    case .newer: "the journal was written by a newer grampad; install that version, or change `journal.path`"
    case .versionMissing:
      "the journal does not say which version its tables are: the table grdb_migrations is empty. Restore a backup, or move "
        + "the file away together with its -wal and -shm; `grampad history` still reads it"
    case .inUse: "another appliance records into this journal; give each its own `journal.path`"
    case .markNotWritten:
      "the high-water mark of the journal cannot be written; the file must be a regular file that the user who runs grampad "
        + "can write"
    case .nothingToVoid: "the weighing is voided already, or none exists"
    case .unknownWeighing: "no weighing has this identifier"
    case .other(_, let reason): "the journal failed: \(reason)"
    }
  }
}
