import Glibc

/// An error of a journal: nothing was recorded, existing records are unchanged, and the next access retries.
package enum JournalError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no file to read.
  case notFound(path: String)
  /// The user has no permission to read or write the file or its directory.
  case notPermitted(path: String)
  /// The file cannot be created; `reason` is the system's message.
  case cannotCreate(path: String, reason: String)
  /// The disk is full or the quota is exceeded.
  case full(path: String)
  /// The file, its directory or its file system is read-only; also for any change requested of a reader.
  case readOnly(path: String)
  /// The file is damaged and was moved to `keptAside`, and a new one was started. With `nil` it could not be, or must
  /// not be, moved and is still in place.
  case corrupt(path: String, keptAside: String?)
  /// Another process has locked the file for longer than the journal waits.
  case busy(path: String)
  /// The file was removed or replaced while it was open; the next access opens the current one.
  case replaced(path: String)
  /// It is a database, but not a journal.
  case foreign(path: String)
  /// It was written by a newer version.
  case newer(path: String)
  /// Its tables exist, but the list of schema versions is empty.
  case versionMissing(path: String)
  /// Another instance records into the file.
  case inUse(path: String)
  /// The high-water mark, a file next to the journal, cannot be written.
  case markNotWritten(path: String)
  /// The weighing is already voided, or there is none.
  case nothingToVoid(path: String)
  /// The journal has no weighing with the given id.
  case unknownWeighing(path: String)
  /// Any other error, with the message of the system or of SQLite.
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
    case .notFound: "no such journal; check `journal.path`, or create the journal with `grampad run`"
    case .notPermitted:
      "no permission to read and write the journal; the user that runs grampad must own the file and its directory"
    case .cannotCreate(_, let reason):
      "cannot create the journal: \(reason); create its directory, or change `journal.path`"
    case .full: "cannot write the journal: no space left; free some disk space"
    case .readOnly: "cannot write the journal: it is read-only; remount its file system or change its permissions"
    case .corrupt(_, let aside?):
      "the journal is damaged; it is kept as \(aside), and a new journal continues its sequence"
    case .corrupt(_, nil):
      "the journal is damaged; move it away together with its -wal and -shm files, or restore a backup"
    case .busy: "the journal is locked by another program; stop that program (find it with `fuser -v` on the path)"
    case .replaced:
      "the journal was removed or replaced while open; the file now at this path is opened on the next access"
    case .foreign: "the file is a database, but not a Grampad journal; change `journal.path`"
    case .newer: "the journal was written by a newer version of grampad; install that version, or change `journal.path`"
    case .versionMissing:
      "the schema version of the journal is unknown: the table grdb_migrations is empty; restore a backup, or move the file "
        + "away together with its -wal and -shm files (`grampad history` can still read it)"
    case .inUse: "another instance uses this journal; give each instance its own `journal.path`"
    case .markNotWritten:
      "cannot write the high-water mark of the journal; it must be a regular file that the user that runs grampad can write"
    case .nothingToVoid: "the weighing is already voided, or there is no weighing to void"
    case .unknownWeighing: "there is no weighing with this id"
    case .other(_, let reason): "journal error: \(reason)"
    }
  }
}
