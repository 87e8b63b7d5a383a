import GRDB
import Glibc

/// A journal that is about to be replaced: nobody else can open it while the value lives, and all of it is in one file.
///
/// What a writer that died has left in `-wal` is brought into the file, and nothing is beside it any more, so that nothing of
/// this journal can be applied to the one that takes its place.
package final class RetiringJournal {
  private let queue: DatabaseQueue

  /// Takes a journal out of use.
  ///
  /// - Throws: `busy` when somebody has it open; `corrupt`, `foreign` or `newer` when it is none that can be opened.
  package init(_ path: String) throws(JournalError) {
    do {
      if let obstacle = FileCondition(path).obstacle() { throw obstacle }
      var configuration = GRDB.Configuration()
      configuration.prepareDatabase { db in
        // Before the file is touched: then no memory is shared, which is what the -shm is for.
        try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF")
      }
      queue = try DatabaseQueue(path: path, configuration: configuration)
      try queue.inDatabase { db in
        try Connection.admit(db, path: path)
        // Leaving WAL takes the whole log into the file and removes it.
        guard try String.fetchOne(db, sql: "PRAGMA journal_mode = DELETE") == "delete" else {
          throw JournalError.busy(path: path)
        }
        // From here to the end the lock is held.
        try db.inTransaction(.exclusive) { .commit }
        // Nothing is written any more, and the emptied -journal, which stays with an exclusive lock, can go.
        try db.execute(sql: "PRAGMA journal_mode = OFF")
      }
      for end in ["-journal", "-shm"] { unlink(path + end) }
    } catch {
      throw JournalError(error, path: path)
    }
  }

  /// The hash of its last record, 64 hexadecimal digits; zeros for an empty one, as `extent()` has it.
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
