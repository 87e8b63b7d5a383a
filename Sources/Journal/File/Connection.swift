import Foundation
import GRDB

/// An open SQLite database, and which file it is.
struct Connection: Sendable {
  let queue: DatabaseQueue
  /// The file that was opened; `nil` in memory.
  let identity: FileIdentity?
  /// After the queue, so that the file counts as open until the queue has closed it.
  private let registration: OpenFiles.Registration?

  /// Opens a journal for writing and brings it to the newest version; makes the file where there is none.
  init(_ place: JournalPlace) throws {
    var configuration = GRDB.Configuration()
    configuration.foreignKeysEnabled = true
    configuration.busyMode = .timeout(Self.patience)
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA synchronous = FULL; PRAGMA recursive_triggers = ON")
    }
    switch place {
    case .memory:
      queue = try DatabaseQueue(configuration: configuration)
      identity = nil
      registration = nil
      try Schema.migrator.migrate(queue)
    case .file(let path):
      identity = try FileCondition(path).prepared()
      registration = OpenFiles.Registration(path)
      queue = try DatabaseQueue(path: path, configuration: configuration)
      try queue.read { db in
        try Self.admit(db, path: path)
        try Self.checkVersions(db, path: path)
      }
      try queue.inDatabase { db in try Self.logAhead(db, path: path) }
      try Self.migrate(queue)
      guard FileIdentity(path) == identity else { throw JournalError.replaced(path: path) }
    }
  }

  /// Opens a journal that another process may be writing to, or a copy of one, to read it.
  init(reading path: String, reportedAs name: String) throws {
    var configuration = GRDB.Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(Self.patience)
    // What a file from elsewhere calls itself decides nothing: its triggers and views can reach no function of ours.
    configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA trusted_schema = OFF") }
    identity = FileIdentity(path)
    registration = OpenFiles.Registration(path)
    queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.read { db in
      try Self.admit(db, path: name)
      // An empty file, in which a journal has yet to be begun.
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
          throw JournalError.other(path: path, reason: "its file system does not support shared memory, which SQLite's WAL mode requires")
        }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && attempt < 10 {
        // The switch does not wait for another process that opens the same new file; a transaction does.
        try db.inTransaction(.immediate) { .commit }
      }
    }
  }

  /// Brings a file to the newest version.
  private static func migrate(_ queue: DatabaseQueue) throws {
    for attempt in 1... {
      let isNewest = try queue.read { db in
        // Settles which state of the file the transaction sees.
        _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master")
        return try Schema.migrator.hasCompletedMigrations(db)
      }
      if isNewest { return }
      do {
        return try Schema.migrator.migrate(queue)
      } catch {
        // GRDB looks before it takes the write lock: another process that makes the same new file may be faster, step by
        // step. There are two steps.
        if attempt == 4 { throw error }
      }
    }
  }

  /// How long another process may hold the lock, in seconds: well above one synced transaction of a slow SD card, and
  /// short enough for someone who waits at the pad.
  private static let patience = 2.0

  /// Refuses a database that is not a journal, or one of a newer version, before anything in it is touched.
  static func admit(_ db: Database, path: String) throws {
    let objects =
      try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master WHERE tbl_name <> 'grdb_migrations'") ?? 0
    let application = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
    // One without any table of its own was being made when the power failed: GRDB makes its list of versions first.
    guard application == Schema.applicationID || objects == 0 else { throw JournalError.foreign(path: path) }
    guard try !Schema.migrator.hasBeenSuperseded(db) else { throw JournalError.newer(path: path) }
  }

  /// Refuses a journal whose list of versions does not say how its tables were made: creating them again would fail.
  private static func checkVersions(_ db: Database, path: String) throws {
    guard try db.tableExists("head"), try Schema.migrator.appliedMigrations(db).isEmpty else { return }
    throw JournalError.versionMissing(path: path)
  }
}
