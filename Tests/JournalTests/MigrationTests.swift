import GRDB
import Testing
import Weighing

@testable import Journal

/// Journals that a newer version has migrated, used by this version.
@Suite struct MigrationTests {
  /// A change that a newer version makes.
  struct Change: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var migrations: [Schema.Migration] = []
    /// Replaces the number that the migrations have written.
    var number: Int?
    let isUsable: Bool
  }

  private static let recipes = Schema.Migration(
    name: "3 recipes", kind: .additive,
    sql: """
      CREATE TABLE recipes (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
      CREATE INDEX weighings_label ON weighings (label);
      INSERT INTO recipes (name) VALUES ('bread');
      """)
  private static let users = Schema.Migration(
    name: "4 users", kind: .format(Schema.format + 1), sql: "ALTER TABLE weighings ADD COLUMN user TEXT")
  private static let cups = Schema.Migration(name: "5 cups", kind: .additive, sql: "CREATE TABLE cups (name TEXT)")
  private static let known = Schema.Migration(
    name: "3 known", kind: .format(Schema.format), sql: "CREATE TABLE known (name TEXT)")

  @Test(arguments: [
    Change(testDescription: "an additive migration", migrations: [recipes], isUsable: true),
    Change(testDescription: "two additive migrations", migrations: [recipes, cups], isUsable: true),
    Change(testDescription: "a migration to a known format", migrations: [known], isUsable: true),
    Change(testDescription: "a migration to an unknown format", migrations: [users], isUsable: false),
    Change(testDescription: "both, the additive one first", migrations: [recipes, users], isUsable: false),
    Change(testDescription: "both, the additive one last", migrations: [users, cups], isUsable: false),
    Change(testDescription: "a negative number", migrations: [recipes], number: -1, isUsable: false),
    Change(testDescription: "a number without a migration", number: 7, isUsable: true),
    Change(testDescription: "no migration and no number", number: 0, isUsable: true),
  ]) func aKnownFormatIsUsed(_ change: Change) throws {
    let folder = try Folder()
    let path = folder.file()
    try sample(path)
    try Self.migrate(path, change.migrations, number: change.number)
    let (before, names) = (try Bytes.read(path), folder.names)
    let journal = Journal.at(path)
    let reader = Journal.reader(path: path, logger: quiet)
    guard change.isUsable else {
      for _ in 1...2 {
        #expect(throws: JournalError.newer(path: path)) { try journal.record(weighing(1), at: moment(9)) }
      }
      #expect(try Bytes.read(path) == before)
      #expect(folder.names == names)
      #expect(throws: JournalError.newer(path: path)) { try reader.history(since: nil) }
      let other = folder.file("other.db")
      try Bytes.write(before, to: other)
      #expect(throws: JournalError.newer(path: other)) { try RetiringJournal(other) }
      return
    }
    #expect(try journal.record(weighing(1), at: moment(9)).sequence == 8)
    #expect(try reader.history(since: nil).count == 8)
    #expect(try reader.verify().faults == [])
  }

  /// The newer version runs, then this one, then the newer one again.
  @Test func nothingIsLostOnTheWayBackAndForth() throws {
    let folder = try Folder()
    let path = folder.file()
    try sample(path)
    try Self.migrate(path, [Self.recipes])
    let journal = Journal.at(path)
    try journal.begin(configurationHash: "c3", calibrationHash: "k3", at: moment(10))
    for number in 1...3 {
      _ = try journal.record(weighing(number, label: "rye"), at: moment(10 + Double(number)))
    }
    _ = try journal.record(void, at: moment(14))
    try journal.append(.zero, at: moment(15))
    try journal.store(try #require(ContainerName("cup")), tare: Grams(30), at: moment(16))
    try journal.store(LearnedStop(label: "rye", samples: [.init(flow: 2, arrived: Grams(1))]))
    #expect(try journal.verify().faults == [])
    let records = try journal.history(since: nil).map(\.record)
    #expect(records.map(\.sequence) == Array(1...11))
    let extent = try journal.extent()
    journal.close()

    // There is nothing left to migrate: a second table of the same name would be an error.
    try Self.migrate(path, [Self.recipes])
    #expect(try Self.recipes(in: path) == ["bread"])
    let reopened = Journal.at(path)
    #expect(try reopened.extent() == extent)
    #expect(try reopened.history(since: nil).map(\.record) == records)
    #expect(try reopened.containers().count == 1 && reopened.learnedStops().count == 1)
    #expect(try reopened.record(weighing(1), at: moment(20)).sequence == 12)
    #expect(try reopened.verify().faults == [])
  }

  /// What `backup` and `restore` do with a journal.
  @Test func aMigratedJournalIsBackedUpAndRestored() throws {
    let folder = try Folder()
    let (path, copy) = (folder.file(), folder.file("copy.db"))
    try sample(path)
    try Self.migrate(path, [Self.recipes])
    let reader = Journal.reader(path: path, logger: quiet)
    try reader.copy(to: copy)
    let restored = Journal.at(copy)
    #expect(try restored.verify().faults == [])
    #expect(try restored.extent() == reader.extent())
    #expect(try reader.weighings(missingFrom: restored) == 0)
    try restored.append(.restored(backupTime: "", keptAside: nil, missing: 0), at: moment(9))
    let extent = try restored.extent()
    restored.close()
    let head = try RetiringJournal(copy).head()
    #expect(head == extent.head)
    #expect(try Journal.reader(path: copy, logger: quiet).verify().faults == [])
    #expect(try Self.recipes(in: copy) == ["bread"])
  }

  /// Verification accepts what an unknown additive migration can create, and nothing without one.
  @Test(arguments: [
    ("CREATE TABLE other (name TEXT UNIQUE)", true),
    ("CREATE INDEX other ON weighings (net_g)", true),
    ("CREATE UNIQUE INDEX other ON weighings (id, net_g)", false),
    ("CREATE TRIGGER other AFTER INSERT ON weighings BEGIN DELETE FROM outbox; END", false),
    ("CREATE VIEW other AS SELECT net_g FROM weighings", false),
    ("DROP INDEX outbox_waiting", false),
  ]) func onlyAdditionsAreExpected(sql: String, isAdditive: Bool) throws {
    let folder = try Folder()
    let (path, other) = (folder.file(), folder.file("other.db"))
    try sample(path)
    try sample(other)
    try Self.migrate(path, [Schema.Migration(name: "3 other", kind: .additive, sql: sql)])
    let reader = Journal.reader(path: path, logger: quiet)
    #expect(try reader.verify().faults.allSatisfy { $0.kind == .schema })
    #expect(try reader.verify().isClean == isAdditive)
    try DatabaseQueue(path: other).write { try $0.execute(sql: sql) }
    #expect(try !Journal.reader(path: other, logger: quiet).verify().isClean)
  }

  /// After a power cut before the commit, neither the migration nor its number is in the file.
  @Test func theNumberIsWrittenWithTheMigration() throws {
    let folder = try Folder()
    let path = folder.file()
    try sample(path)
    let queue = try DatabaseQueue(path: path)
    func number() throws -> Int? { try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } }
    try queue.write {
      try $0.execute(
        sql: "CREATE TRIGGER cut BEFORE INSERT ON grdb_migrations BEGIN SELECT RAISE(ABORT, 'power cut'); END")
    }
    let before = try queue.read(Schema.description)
    let newer = Schema.migrator(Schema.migrations + [Self.users])
    #expect(throws: DatabaseError.self) { try newer.migrate(queue) }
    #expect(try number() == 0)
    #expect(try queue.read(Schema.description) == before)
    try queue.write { try $0.execute(sql: "DROP TRIGGER cut") }
    try newer.migrate(queue)
    #expect(try number() == Schema.format + 1)
  }

  @Test func theMigrationsAreOfTheKindTheyState() throws {
    let queue = try DatabaseQueue()
    var format = -1
    for count in 1...Schema.migrations.count {
      let before = try queue.read(Schema.description)
      try Schema.migrator(Array(Schema.migrations.prefix(count))).migrate(queue)
      let after = try queue.read(Schema.description)
      switch Schema.migrations[count - 1].kind {
      case .additive:
        #expect(before.allSatisfy(after.contains))
        for line in after where !before.contains(line) {
          #expect(Schema.isAdditive(line) && !line.contains("REFERENCES"), "\(line)")
        }
      case .format(let number):
        #expect(number == format + 1)
        format = number
      }
      #expect(try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == format)
    }
    #expect(format <= Schema.format)
  }

  /// Older programs treat other values as damage: another value is another format, see `Schema`.
  @Test func theValuesAreThoseOfTheFormat() {
    #expect(Schema.format == 0)
    #expect(ChainLink.version == 1)
    #expect(
      ActionSource.allCases.map(\.rawValue) == [
        "pad", "button", "mqtt", "command_line", "dashboard", "start", "auto", "sics",
      ])
    #expect(
      AuditKind.allCases.map(\.rawValue) == ["calibration", "configuration", "zero", "void", "journal", "container"])
    for origin in [Calibration.Origin.kernel, .known, .nominal, .user] {
      switch origin {
      // A case that is missing here does not compile.
      case .kernel, .known, .nominal, .user: break
      }
    }
  }

  private static func migrate(_ path: String, _ migrations: [Schema.Migration], number: Int? = nil) throws {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    try Schema.migrator(Schema.migrations + migrations).migrate(queue)
    if let number { try queue.write { try $0.execute(sql: "PRAGMA user_version = \(number)") } }
  }

  private static func recipes(in path: String) throws -> [String] {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.read { try String.fetchAll($0, sql: "SELECT name FROM recipes") }
  }
}
