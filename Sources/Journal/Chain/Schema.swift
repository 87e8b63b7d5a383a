import GRDB

/// The tables and their migrations.
///
/// Triggers make `weighings` and `audit` append-only; `head` only increases. A row of `outbox` exists until a broker has acknowledged
/// the weighing; see `Journal+Outbox` for `parked_ns`. The state of the scale, the containers, the first device and what was
/// learned about stops are outside the chain; each change of a container is in the audit trail. `weighings.version` is that of the record's format, see `ChainLink`.
///
/// An appliance can go back by one version, and then continues in the journal that the newer version has migrated. The `user_version` in
/// the header is the format that a program must know. A program opens a journal with migrations that it does not know if all of its own
/// are applied and it knows the format. Otherwise it leaves the file as it is and throws `JournalError.newer`. Each migration is one of
/// two kinds:
///
/// - `additive`: it only creates tables, and indices that are not unique. Older programs neither read nor write them, so the newer one
///   must allow for what an older one has recorded in the meantime. A column, trigger, view, unique index or foreign key is not
///   additive: it changes what older programs can read, write or delete.
/// - `format`: everything else. This includes new values in existing columns, such as another `ActionSource` or `ChainLink.version`, which
///   older programs treat as damage. It is released in two steps: the first release can read, write and verify the new format and raises
///   `format`; the migration comes with the next one.
///
/// The number is written in the transaction of its migration. It counts only with a migration that is unknown: every format comes with
/// one, so that a number without it is damage to the header. Journals from before the number was used have 0, the first format.
enum Schema {
  /// Identifies a journal among SQLite files: `Grmp` in the `application_id` of the header.
  static let applicationID = 0x4772_6d70

  /// The newest format that this program can read, write and verify.
  static let format = 0

  /// A step from one version of the file to the next.
  struct Migration: Sendable {
    /// What it requires of programs that do not know it.
    enum Kind: Hashable, Sendable {
      /// Nothing: they continue to use the journal.
      case additive
      /// That they know this format, one above the previous one.
      case format(Int)
    }

    let name: String
    let kind: Kind
    let sql: String

    func apply(_ db: Database) throws {
      try db.execute(sql: sql)
      if case .format(let number) = kind { try db.execute(sql: "PRAGMA user_version = \(number)") }
    }
  }

  /// All migrations, in order.
  static let migrations = [
    Migration(
      name: "1 journal", kind: .format(0), sql: "PRAGMA application_id = \(applicationID);" + tables + triggers),
    Migration(
      name: stops, kind: .additive,
      sql: """
        CREATE TABLE learned_stops (
          number INTEGER PRIMARY KEY,
          label TEXT NOT NULL,
          flow_g_s REAL NOT NULL,
          arrived_g REAL NOT NULL
        ) STRICT
        """),
  ]

  /// Migrates a file to the newest version.
  static var migrator: DatabaseMigrator { migrator(migrations) }

  /// Migrates a file with the given migrations.
  static func migrator(_ migrations: [Migration]) -> DatabaseMigrator {
    migrations.reduce(into: DatabaseMigrator()) { $0.registerMigration($1.name, migrate: $1.apply) }
  }

  /// Whether this program knows the format of a journal with migrations that it does not know.
  static func knowsFormat(of db: Database) throws -> Bool {
    try (0...format).contains(Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0)
  }

  /// Whether a line of `description` can be that of an additive migration.
  static func isAdditive(_ line: String) -> Bool {
    line.hasPrefix("table ") || line.hasPrefix("index ") && !line.contains(" CREATE UNIQUE INDEX ")
  }

  /// The definitions of all tables, indices and triggers in SQLite, in a fixed order.
  static func description(_ db: Database) throws -> [String] {
    try String.fetchAll(
      db, sql: "SELECT type || ' ' || name || ' ' || tbl_name || ' ' || ifnull(sql, '') FROM sqlite_master ORDER BY 1")
  }

  /// The migration that adds what was learned about stops.
  private static let stops = "2 learned stops"

  /// The definitions in a new file.
  static let expected = Result { try definitions() }
  /// The definitions in a file that was not opened for writing since version 1.
  static let first = Result { try definitions(upTo: "1 journal") }

  /// The definitions that a file of this version has, whether or not its tables or its list of migrations are damaged.
  static func expected(of db: Database) throws -> [String] {
    let isNewest = try db.tableExists("learned_stops") || migrator.appliedMigrations(db).contains(stops)
    return try (isNewest ? expected : first).get()
  }

  private static func definitions(upTo migration: String = stops) throws -> [String] {
    let pristine = try DatabaseQueue()
    try migrator.migrate(pristine, upTo: migration)
    return try pristine.read(description)
  }

  // Every journal has this text, spaces and line breaks included, and is verified against it: a change of it is a migration.
  private static let tables = """
    CREATE TABLE head (
      only INTEGER PRIMARY KEY CHECK (only = 1),
      position INTEGER NOT NULL,
      sequence INTEGER NOT NULL,
      hash BLOB NOT NULL CHECK (length(hash) = 32),
      calibration_counter INTEGER NOT NULL,
      configuration_counter INTEGER NOT NULL,
      zero_counter INTEGER NOT NULL,
      void_counter INTEGER NOT NULL,
      journal_counter INTEGER NOT NULL,
      container_counter INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE weighings (
      position INTEGER NOT NULL UNIQUE,
      sequence INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      time_ns INTEGER NOT NULL,
      gross_g REAL NOT NULL,
      tare_g REAL NOT NULL,
      net_g REAL NOT NULL,
      division_g REAL NOT NULL,
      uncertainty_g REAL,
      label TEXT,
      source TEXT NOT NULL,
      calibration TEXT NOT NULL,
      calibration_counter INTEGER NOT NULL,
      configuration_hash TEXT NOT NULL,
      voids TEXT UNIQUE REFERENCES weighings (id),
      version INTEGER NOT NULL,
      kind TEXT NOT NULL,
      amends TEXT REFERENCES weighings (id),
      pieces INTEGER,
      clock TEXT,
      hash BLOB NOT NULL
    ) STRICT;
    CREATE TABLE audit (
      position INTEGER PRIMARY KEY,
      sequence INTEGER NOT NULL,
      time_ns INTEGER NOT NULL,
      kind TEXT NOT NULL,
      counter INTEGER NOT NULL,
      detail TEXT NOT NULL,
      hash BLOB NOT NULL,
      UNIQUE (kind, counter)
    ) STRICT;
    CREATE TABLE outbox (
      sequence INTEGER PRIMARY KEY REFERENCES weighings (sequence),
      parked_ns INTEGER,
      reason TEXT
    ) STRICT;
    CREATE TABLE scale_state (
      only INTEGER PRIMARY KEY CHECK (only = 1),
      tare_g REAL NOT NULL,
      tare_epoch INTEGER NOT NULL,
      highest_epoch INTEGER NOT NULL,
      plate_counts REAL,
      zero_date TEXT,
      pad TEXT NOT NULL,
      container TEXT
    ) STRICT;
    CREATE TABLE containers (
      number INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      tare_g REAL NOT NULL
    ) STRICT;
    CREATE TABLE first_device (only INTEGER PRIMARY KEY CHECK (only = 1), id TEXT NOT NULL) STRICT;
    CREATE INDEX outbox_waiting ON outbox (sequence) WHERE parked_ns IS NULL;
    CREATE INDEX weighings_amends ON weighings (amends) WHERE amends IS NOT NULL;
    CREATE INDEX weighings_earlier ON weighings (time_ns) WHERE \(isEarlier);

    """

  /// That the time of a record is not the one in its id: the clock was set back before.
  static let isEarlier = "substr(id, 1, 8) || substr(id, 10, 4) <> printf('%012x', time_ns / 1000000)"

  private static let triggers = """
    CREATE TRIGGER weighings_no_update BEFORE UPDATE ON weighings
    BEGIN SELECT RAISE(ABORT, 'a weighing is never changed'); END;
    CREATE TRIGGER weighings_no_delete BEFORE DELETE ON weighings
    BEGIN SELECT RAISE(ABORT, 'a weighing is never removed'); END;
    CREATE TRIGGER weighings_in_order BEFORE INSERT ON weighings
    WHEN NEW.position IS NOT (SELECT position + 1 FROM head) OR NEW.sequence IS NOT (SELECT sequence + 1 FROM head)
    BEGIN SELECT RAISE(ABORT, 'a weighing follows the last one'); END;
    CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit
    BEGIN SELECT RAISE(ABORT, 'the audit trail is never changed'); END;
    CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit
    BEGIN SELECT RAISE(ABORT, 'the audit trail is never shortened'); END;
    CREATE TRIGGER audit_in_order BEFORE INSERT ON audit
    WHEN NEW.position IS NOT (SELECT position + 1 FROM head)
    BEGIN SELECT RAISE(ABORT, 'an entry follows the last one'); END;
    CREATE TRIGGER head_grows BEFORE UPDATE ON head
    WHEN NEW.only <> 1 OR NEW.position <= OLD.position OR NEW.sequence < OLD.sequence
      OR NEW.calibration_counter < OLD.calibration_counter OR NEW.configuration_counter < OLD.configuration_counter
      OR NEW.zero_counter < OLD.zero_counter OR NEW.void_counter < OLD.void_counter
      OR NEW.journal_counter < OLD.journal_counter OR NEW.container_counter < OLD.container_counter
    BEGIN SELECT RAISE(ABORT, 'the head only grows'); END;
    CREATE TRIGGER head_no_delete BEFORE DELETE ON head
    BEGIN SELECT RAISE(ABORT, 'the head stays'); END;
    """
}
