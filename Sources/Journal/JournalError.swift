import Glibc
import Languages
import Weighing

/// An error of a journal: nothing was recorded, existing records are unchanged, and the next access retries.
package enum JournalError: SentenceError, Hashable {
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
  /// It is another database, or no database at all.
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
  package var sentence: Sentence { reason.about(path) }

  /// The same without the path; messages of the system and of SQLite are in English.
  package var reason: Sentence {
    switch self {
    case .notFound: Sentence(.journalNotFound)
    case .notPermitted: Sentence(.journalForbidden)
    case .cannotCreate(_, let reason): Sentence(.journalNotCreated, ["error": reason])
    case .full: Sentence(.journalFull)
    case .readOnly: Sentence(.journalReadOnly)
    case .corrupt(_, let aside?): Sentence(.journalCorruptKept, ["path": aside])
    case .corrupt(_, nil): Sentence(.journalCorrupt)
    case .busy: Sentence(.journalBusy)
    case .replaced: Sentence(.journalReplaced)
    case .foreign: Sentence(.journalForeign)
    case .newer: Sentence(.journalNewer)
    case .versionMissing: Sentence(.journalNoVersion)
    case .inUse: Sentence(.journalInUse)
    case .markNotWritten: Sentence(.journalMark)
    case .nothingToVoid: Sentence(.journalNothingToVoid)
    case .unknownWeighing: Sentence(.journalUnknownWeighing)
    case .other(_, let reason): Sentence(.journalOther, ["error": reason])
    }
  }
}
