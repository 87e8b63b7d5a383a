import GRDB

/// A journal as the first version of the program wrote it: seven records, two of them voids that repeat the masses of
/// what they void. Made with `grampad replay`; neither a byte of it nor its hashes may ever change.
enum FirstVersionJournal {
  /// Makes the file.
  static func write(to path: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: sql)
      try db.execute(sql: "PRAGMA journal_mode = DELETE")
    }
    try queue.close()
  }

  private static let sql = #"""
    PRAGMA application_id = 1198681456;
    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
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
    INSERT INTO grdb_migrations VALUES ('1 weighings, audit trail, outbox');
    INSERT INTO head VALUES (1, 14, 7, x'148f9c5d2a76f81989f59ea86a1fd372236856c605282d0f436a13002f3b726a', 2, 2, 0, 2, 1);
    INSERT INTO weighings VALUES (4, 1, '00000000-04b0-722f-a3a6-a81d599b520a', 1200000000, 100.0, 0.0, 100.0, 1.0, 25.001739024568707, 'Zoë, "2" = 🌾', 'command_line', 'nominal', 1, '34173f67fb2ff937', NULL, x'098847d1b50669aab73903247541a60a20eccfaf08eb4b24678b2dd7f4489167');
    INSERT INTO weighings VALUES (5, 2, '00000000-0514-7905-b964-ea4a5df0e308', 1300000000, 100.0, 0.0, 100.0, 1.0, 25.001739024568707, 'Zoë, "2" = 🌾', 'command_line', 'nominal', 1, '34173f67fb2ff937', '00000000-04b0-722f-a3a6-a81d599b520a', x'20130e21e17e5f4a8a1c6b20feeb3805cf14c00aeadd2693c4e84cc28c31f41b');
    INSERT INTO weighings VALUES (7, 3, '00000000-05dc-7af5-8c0d-6bd3e740c773', 1500000000, 100.0, 0.0, 100.0, 1.0, 25.001720296971424, NULL, 'command_line', 'nominal', 1, '34173f67fb2ff937', NULL, x'ccba524c0666bdd6fe6c38967731d2328bd578c85b827df2898a86fcaf115e9a');
    INSERT INTO weighings VALUES (10, 4, '00000000-05dc-7af5-8c0d-6bd4a755dbee', 1200000000, 375.90000000000003, 0.0, 375.90000000000003, 0.1, 0.22805276784648085, NULL, 'command_line', 'user', 2, 'c01f1082044cc4b9', NULL, x'1523b8b5a7ee9be7f9d2d529f105bb54a17211b915e5ecaf68c88e21551d6c4a');
    INSERT INTO weighings VALUES (11, 5, '00000000-05dc-7af5-8c0d-6bd502a8e639', 1300000000, 375.90000000000003, 0.0, 375.90000000000003, 0.1, 0.21604944738471835, NULL, 'command_line', 'user', 2, 'c01f1082044cc4b9', NULL, x'c7790c06142541c86e1b1e9466490ef723f73ece7bd0b55f829aa49541fd7d34');
    INSERT INTO weighings VALUES (12, 6, '00000000-05dc-7af5-8c0d-6bd562626024', 1400000000, 375.90000000000003, 0.0, 375.90000000000003, 0.1, 0.21604944738471835, NULL, 'command_line', 'user', 2, 'c01f1082044cc4b9', '00000000-05dc-7af5-8c0d-6bd502a8e639', x'dead9095c8c8a6be8007d4af2f3635925c3486eabb670234eee1592c5ecb1036');
    INSERT INTO weighings VALUES (14, 7, '00000000-05dc-7af5-8c0d-6bd613ac6d94', 1500000000, 375.90000000000003, 0.0, 375.90000000000003, 0.1, 0.19690916826279967, NULL, 'command_line', 'user', 2, 'c01f1082044cc4b9', NULL, x'148f9c5d2a76f81989f59ea86a1fd372236856c605282d0f436a13002f3b726a');
    INSERT INTO audit VALUES (1, 0, 200000000, 'journal', 1, '{"begun":true}', x'cb85c64ba9c2ff09126ee4ac038b12b2043e0136be74e00431ac9e820b2879f0');
    INSERT INTO audit VALUES (2, 0, 200000000, 'calibration', 1, '{"hash":"6b57af9e18e82021"}', x'403b8f5bd367a13563f9087e5985ae3a9a3b9dbb3adee324842eb2f264728b51');
    INSERT INTO audit VALUES (3, 0, 200000000, 'configuration', 1, '{"hash":"34173f67fb2ff937"}', x'b61bfac3b7bfcc77138987e6d26a7b492cdc40ed22c8c6df98648585bf47694b');
    INSERT INTO audit VALUES (6, 2, 1300000000, 'void', 1, '{"id":"00000000-0514-7905-b964-ea4a5df0e308","voids":"00000000-04b0-722f-a3a6-a81d599b520a"}', x'7e2fdf0333c1ebc0624f7a877da7a449ca2bf10a34ec1a9d972a30ee9e2c9668');
    INSERT INTO audit VALUES (8, 3, 200000000, 'calibration', 2, '{"hash":"d9925b9732dfd813"}', x'c59b4b475bcde42930e6bdb4ea781daf7e5bfd0761ea1f597bb981272d1b1db3');
    INSERT INTO audit VALUES (9, 3, 200000000, 'configuration', 2, '{"hash":"c01f1082044cc4b9"}', x'eec140aa02a746ecc4cab9f5a49e630d94820733205db9eef24c7ed2e40f0ba6');
    INSERT INTO audit VALUES (13, 6, 1400000000, 'void', 2, '{"id":"00000000-05dc-7af5-8c0d-6bd562626024","voids":"00000000-05dc-7af5-8c0d-6bd502a8e639"}', x'77e78b6a7a274614fce39a531343ec13304f0923674e26bd79a8fbc46624a746');
    INSERT INTO outbox VALUES (1, NULL, NULL);
    INSERT INTO outbox VALUES (2, NULL, NULL);
    INSERT INTO outbox VALUES (3, NULL, NULL);
    INSERT INTO outbox VALUES (4, NULL, NULL);
    INSERT INTO outbox VALUES (5, NULL, NULL);
    INSERT INTO outbox VALUES (6, NULL, NULL);
    INSERT INTO outbox VALUES (7, NULL, NULL);
    CREATE INDEX outbox_waiting ON outbox (sequence) WHERE parked_ns IS NULL;
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
    """#
}
