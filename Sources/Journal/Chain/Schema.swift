import GRDB

/// The tables and their migrations.
///
/// Triggers make `weighings` and `audit` append-only; `head` only increases. `outbox` is the only table that shrinks: a
/// row exists until a broker has acknowledged the weighing. See `Journal+Outbox` for `parked_ns`.
enum Schema {
  /// Identifies a journal among SQLite files: `Grmp` in the `application_id` of the header.
  static let applicationID = 0x4772_6d70

  /// Migrates a file to the newest version.
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1 weighings, audit trail, outbox") { db in
      try db.execute(sql: "PRAGMA application_id = \(applicationID)")
      try db.execute(sql: tables + triggers)
    }
    migrator.registerMigration("2 kinds of records") { db in try db.execute(sql: recordKinds) }
    migrator.registerMigration("3 scale state") { db in
      try db.execute(sql: scaleState)
    }
    migrator.registerMigration("4 highest epoch") { db in
      try db.execute(sql: "ALTER TABLE scale_state ADD COLUMN highest_epoch INTEGER")
    }
    migrator.registerMigration("5 containers") { db in try db.execute(sql: containers) }
    // Without a check of all foreign keys, which takes seconds in a long journal.
    migrator.registerMigration("6 records with an earlier time", foreignKeyChecks: .immediate) { db in
      try db.execute(sql: "CREATE INDEX weighings_earlier ON weighings (time_ns) WHERE \(isEarlier)")
    }
    migrator.registerMigration("7 first device", foreignKeyChecks: .immediate) { db in
      try db.execute(
        sql: "CREATE TABLE first_device (only INTEGER PRIMARY KEY CHECK (only = 1), id TEXT NOT NULL) STRICT")
    }
    migrator.registerMigration("8 zero of the scale state", foreignKeyChecks: .immediate) { db in
      try db.execute(sql: "ALTER TABLE scale_state ADD COLUMN zero_date TEXT")
    }
    return migrator
  }

  /// The definitions of all tables, indices and triggers in SQLite, in a fixed order.
  static func description(_ db: Database) throws -> [String] {
    try String.fetchAll(
      db, sql: "SELECT type || ' ' || name || ' ' || tbl_name || ' ' || ifnull(sql, '') FROM sqlite_master ORDER BY 1")
  }

  /// The definitions in a new file of the version of a journal, which was maybe not migrated yet.
  static func expected(for db: Database) throws -> [String] {
    let pristine = try DatabaseQueue()
    let known = try migrator.appliedMigrations(db).last
    try known.map { try migrator.migrate(pristine, upTo: $0) } ?? migrator.migrate(pristine)
    return try pristine.read(description)
  }

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
      journal_counter INTEGER NOT NULL
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
    CREATE INDEX outbox_waiting ON outbox (sequence) WHERE parked_ns IS NULL;

    """

  /// `version` is that of the record's format, see `ChainLink`: NULL in records made before the column existed, which
  /// have version 1. Only a void of version 1 repeats the masses of the voided weighing with their sign.
  private static let recordKinds = """
    ALTER TABLE weighings ADD COLUMN version INTEGER;
    ALTER TABLE weighings ADD COLUMN kind TEXT;
    ALTER TABLE weighings ADD COLUMN amends TEXT REFERENCES weighings (id);
    ALTER TABLE weighings ADD COLUMN pieces INTEGER;
    ALTER TABLE weighings ADD COLUMN clock TEXT;
    CREATE INDEX weighings_amends ON weighings (amends) WHERE amends IS NOT NULL;

    """

  private static let scaleState = """
    CREATE TABLE scale_state (
      only INTEGER PRIMARY KEY CHECK (only = 1),
      tare_g REAL NOT NULL,
      tare_epoch INTEGER NOT NULL,
      plate_counts REAL,
      pad TEXT NOT NULL
    ) STRICT;
    """

  /// The tares of containers, outside the chain; each change is in the audit trail.
  private static let containers = """
    CREATE TABLE containers (
      number INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      tare_g REAL NOT NULL
    ) STRICT;
    ALTER TABLE scale_state ADD COLUMN container TEXT;
    ALTER TABLE head ADD COLUMN container_counter INTEGER NOT NULL DEFAULT 0;
    CREATE TRIGGER head_containers_grow BEFORE UPDATE ON head
    WHEN NEW.container_counter < OLD.container_counter
    BEGIN SELECT RAISE(ABORT, 'the head only grows'); END;
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
      OR NEW.journal_counter < OLD.journal_counter
    BEGIN SELECT RAISE(ABORT, 'the head only grows'); END;
    CREATE TRIGGER head_no_delete BEFORE DELETE ON head
    BEGIN SELECT RAISE(ABORT, 'the head stays'); END;
    """
}
