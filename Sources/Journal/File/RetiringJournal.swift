import GRDB
import Glibc

/// A journal about to be replaced: exclusively locked for the lifetime of this value, with all data in one file.
///
/// The `-wal` of a writer that died is transferred to the file and removed, so that nothing of this journal can be
/// applied to its replacement.
package final class RetiringJournal {
  private let queue: DatabaseQueue

  /// Takes a journal out of use.
  ///
  /// - Throws: `busy` if another process has it open; `corrupt`, `foreign` or `newer` if it is not a usable journal.
  package init(_ path: String) throws(JournalError) {
    do {
      if let obstacle = FileCondition(path).obstacle() { throw obstacle }
      var configuration = GRDB.Configuration()
      configuration.prepareDatabase { db in
        // Set before the file is accessed: SQLite then uses no shared memory, and therefore no -shm.
        try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF")
      }
      queue = try DatabaseQueue(path: path, configuration: configuration)
      try queue.inDatabase { db in
        try DatabaseConnection.checkIsJournal(db, path: path)
        // Leaving WAL mode transfers the whole log to the file and removes it.
        guard try String.fetchOne(db, sql: "PRAGMA journal_mode = DELETE") == "delete" else {
          throw JournalError.busy(path: path)
        }
        // From here to the end the lock is held.
        try db.inTransaction(.exclusive) { .commit }
        // There are no more writes, so the empty -journal, which persists with an exclusive lock, can be removed.
        try db.execute(sql: "PRAGMA journal_mode = OFF")
      }
      for end in ["-journal", "-shm"] { unlink(path + end) }
    } catch {
      throw JournalError(error, path: path)
    }
  }

  /// The hash of its last record, 64 hexadecimal digits; zeros for an empty journal, as in `extent()`.
  package func head() throws(JournalError) -> String {
    do {
      return try queue.inDatabase { db in
        (try db.tableExists("head") ? Head.fetch(db) ?? Head() : Head()).hash.text
      }
    } catch {
      throw JournalError(error, path: queue.path)
    }
  }
}
