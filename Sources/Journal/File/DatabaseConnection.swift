import CSQLite
import Foundation
import GRDB
import GRDBSQLite
import Linux
import SystemPackage

/// An open SQLite database and the identity of its file.
struct DatabaseConnection: Sendable {
  let queue: DatabaseQueue
  /// The file that was opened; `nil` for a database in memory.
  let identity: FileIdentity?
  /// Declared after the queue, so that the file counts as open until the queue has closed it.
  private let registration: OpenFiles.Registration?

  /// Opens a journal for writing and migrates it to the newest version; creates a missing file.
  init(_ location: JournalLocation) throws {
    var configuration = GRDB.Configuration()
    configuration.foreignKeysEnabled = true
    configuration.busyMode = .timeout(Self.patience)
    configuration.prepareDatabase { db in
      Self.keepLog(db, true)
      try db.execute(sql: "PRAGMA synchronous = FULL; PRAGMA recursive_triggers = ON")
    }
    switch location {
    case .memory:
      queue = try DatabaseQueue(configuration: configuration)
      identity = nil
      registration = nil
      try Schema.migrator.migrate(queue)
    case .file(let path):
      identity = try FileCondition(path).prepared()
      if FileKind.isJournalOfUnknownFormat(path) { throw Unreadable("its header is damaged") }
      registration = OpenFiles.Registration(path)
      queue = try DatabaseQueue(path: path, configuration: configuration)
      do {
        try queue.readConsistently { db in
          try Self.checkIsJournal(db, path: path)
          try Self.checkVersions(db, path: path)
        }
      } catch let error as JournalError {
        // It was read, and is left as it was found.
        close(waitMilliseconds: 0)
        throw error
      }
      try queue.inDatabase { db in try Self.logAhead(db, path: path) }
      try Self.migrate(queue)
      guard FileIdentity(path) == identity else { throw JournalError.replaced(path: path) }
    }
  }

  /// Closes it, and removes the log if a checkpoint can empty it.
  ///
  /// SQLite on its own also copies a doubtful log into the database file, and removes one of which a failing disk let it read nothing,
  /// with confirmed weighings in it.
  ///
  /// - Parameter waitMilliseconds: How long to wait for other readers.
  func close(waitMilliseconds: Int) {
    if (try? Checkpoint.run(on: queue, waitMilliseconds: waitMilliseconds)) == true {
      queue.inDatabase { Self.keepLog($0, false) }
    }
    try? queue.close()
  }

  /// Writes the log again as it is read, and flushes it and its name.
  ///
  /// After a flush that has failed, the system shows what it will never write, also to the next process: records that follow would be
  /// lost with the power, since SQLite reads a log up to the first gap (wiki.postgresql.org/wiki/Fsync_Errors). What is written again
  /// is flushed again. And SQLite ignores that the name of a new log could not be flushed.
  func rewriteLog() throws {
    guard let identity else { return }
    try queue.inDatabase { db in
      let path = sqlite3_db_filename(db.sqliteConnection, nil).map { String(cString: $0) } ?? queue.path
      // The write lock excludes other writers; readers continue.
      try db.inTransaction(.immediate) {
        do {
          let log = try FileDescriptor.open(path + "-wal", .readWrite, options: [.closeOnExec, .noFollow])
          try log.closeAfter {
            // Without the file, the log may be that of another one.
            guard FileIdentity(path) == identity else { throw JournalError.replaced(path: queue.path) }
            var offset = Int64(0)
            while case let piece = try log.readPiece(), !piece.isEmpty {
              try log.writeAll(toAbsoluteOffset: offset, piece)
              offset += Int64(piece.count)
            }
            try log.sync()
          }
        } catch Errno.noSuchFileOrDirectory {
          // It is empty.
        }
        try FileSystem.flushFolder(FileCondition(path).folder)
        return .commit
      }
    }
  }

  /// Whether SQLite leaves the log as it is when the last connection closes. `SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE`
  private static func keepLog(_ db: Database, _ isKept: Bool) {
    _ = grampad_keep_log_on_close(db.sqliteConnection, isKept ? 1 : 0)
  }

  /// Opens a journal, which another process may be writing to, or a copy of one, for reading.
  init(reading path: String, reportedAs name: String) throws {
    var configuration = GRDB.Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(Self.patience)
    // Do not trust the schema of an unknown file: its triggers and views must not call our functions.
    configuration.prepareDatabase { db in
      Self.keepLog(db, true)
      try db.execute(sql: "PRAGMA trusted_schema = OFF")
    }
    identity = FileIdentity(path)
    registration = OpenFiles.Registration(path)
    queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.read { db in
      try Self.checkIsJournal(db, path: name)
      // An empty file is valid: no journal has been created in it yet.
      if try !db.tableExists("head") { throw JournalError.notFound(path: name) }
    }
  }

  /// Switches to write-ahead logging.
  private static func logAhead(_ db: Database, path: String) throws {
    func mode() throws -> String? { try String.fetchOne(db, sql: "PRAGMA journal_mode") }
    for attempt in 1... {
      if try mode() == "wal" { return }
      do {
        guard try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL") == "wal" else {
          throw JournalError.other(
            path: path, reason: "its file system does not support shared memory, which SQLite's WAL mode requires")
        }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && attempt < 10 {
        // The switch does not wait for another process that opens the same new file; a transaction does.
        try db.inTransaction(.immediate) { .commit }
      }
    }
  }

  /// Migrates a file to the newest version.
  private static func migrate(_ queue: DatabaseQueue) throws {
    for attempt in 1... {
      let isNewest = try queue.readConsistently { db in
        // Determines the snapshot of the transaction.
        _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master")
        return try Schema.migrator.hasCompletedMigrations(db)
      }
      if isNewest { return }
      do {
        return try Schema.migrator.migrate(queue)
      } catch {
        // GRDB checks before it takes the write lock: another process that creates the same file may be faster at each
        // of the two steps.
        if attempt == 4 { throw error }
      }
    }
  }

  /// Maximum wait for another process's lock, in seconds: well above one synced transaction on a slow SD card, but
  /// short enough for a user waiting at the pad.
  static let patience = 2.0

  /// Rejects a database that is not a journal, or has a format that this version does not know, before changing anything.
  static func checkIsJournal(_ db: Database, path: String) throws {
    let objects =
      try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master WHERE tbl_name <> 'grdb_migrations'") ?? 0
    let application = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
    // A file with no tables except GRDB's is from an interrupted creation: GRDB creates its list of migrations first.
    guard application == Schema.applicationID || objects == 0 else { throw JournalError.foreign(path: path) }
    guard try Schema.migrator.hasBeenSuperseded(db) else { return }
    // A newer version has applied all our migrations as well.
    guard try Set(Schema.migrator.migrations).isSubset(of: Schema.migrator.appliedIdentifiers(db)) else {
      throw Unreadable("its list of versions is damaged")
    }
    guard try Schema.knowsFormat(of: db) else { throw JournalError.newer(path: path) }
  }

  /// Rejects a journal whose list of migrations is empty: creating the tables again would fail.
  private static func checkVersions(_ db: Database, path: String) throws {
    guard try db.tableExists("head"), try Schema.migrator.appliedMigrations(db).isEmpty else { return }
    throw JournalError.versionMissing(path: path)
  }
}

extension DatabaseQueue {
  /// Reads within one transaction.
  ///
  /// GRDB's `read` also forbids to write, with a pragma after which SQLite compiles each prepared statement again.
  func readConsistently<T>(_ work: (Database) throws -> T) throws -> T {
    try inDatabase { db in
      try db.beginTransaction(.deferred)
      defer { try? db.rollback() }
      return try work(db)
    }
  }
}
