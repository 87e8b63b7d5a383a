import GRDB
import Testing
import Weighing

@testable import Journal

/// Everything that someone with a database editor could do is found.
@Suite struct VerificationTests {
  struct Case: CustomTestStringConvertible {
    var testDescription: String
    var sql: [String]
    var kinds: Set<Verification.Kind>

    init(_ name: String, _ kinds: Set<Verification.Kind>, _ sql: String...) {
      testDescription = name
      self.kinds = kinds
      self.sql = sql
    }
  }

  static let cases = [
    Case("first weighing removed", [.missing], "DELETE FROM weighings WHERE sequence = 1"),
    Case("middle weighing removed", [.missing], "DELETE FROM weighings WHERE sequence = 5"),
    Case("last weighing removed", [.head], "DELETE FROM weighings WHERE sequence = 7"),
    Case("all weighings removed", [.missing], "DELETE FROM weighings"),
    Case("everything removed", [.head], "DELETE FROM weighings", "DELETE FROM audit", "DELETE FROM outbox"),
    Case(
      "everything and the head removed, numbers kept", [.altered], "DELETE FROM head",
      "DELETE FROM audit WHERE position = 1", "UPDATE weighings SET position = 1 WHERE sequence = 1",
      "UPDATE weighings SET position = 4 WHERE sequence = 7"),
    Case("first audit entry removed", [.missing], "DELETE FROM audit WHERE position = 1"),
    Case("middle audit entry removed", [.missing], "DELETE FROM audit WHERE kind = 'zero'"),
    Case(
      "last removed and closed up", [.head], "DELETE FROM weighings WHERE sequence = 7",
      "UPDATE head SET position = position - 1, sequence = 6"),
    Case(
      "two weighings swapped", [.altered], "UPDATE weighings SET sequence = 99, position = 99 WHERE sequence = 1",
      "UPDATE weighings SET sequence = 1, position = (SELECT position - 1 FROM weighings WHERE sequence = 2) WHERE sequence = 2",
      "UPDATE weighings SET sequence = 2, position = 5 WHERE sequence = 99"),
    Case("two masses swapped", [.altered], "UPDATE weighings SET net_g = 30 - net_g WHERE sequence IN (1, 2)"),
    Case(
      "weighing inserted", [.altered],
      """
      INSERT INTO weighings SELECT 15, 8, '019b76da-a800-7000-8000-000000000001', time_ns, gross_g, tare_g, net_g, division_g,
        uncertainty_g, label, source, calibration, calibration_counter, configuration_hash, NULL, version, kind, amends, pieces, clock,
        hash
      FROM weighings WHERE sequence = 7
      """),
    Case(
      "audit entry inserted", [.head],
      "INSERT INTO audit SELECT 16, 7, time_ns, 'zero', 2, detail, hash FROM audit WHERE kind = 'zero'"),
    Case("head hash", [.head], "UPDATE head SET hash = zeroblob(32)"),
    Case("head position", [.head], "UPDATE head SET position = position + 1"),
    Case("head sequence", [.head], "UPDATE head SET sequence = 6"),
    Case("head removed", [.head], "DELETE FROM head"),
    Case("counter of calibrations", [.head], "UPDATE head SET calibration_counter = 1"),
    Case("counter of configurations", [.head], "UPDATE head SET configuration_counter = 9"),
    Case("counter of zeros", [.head], "UPDATE head SET zero_counter = 0"),
    Case("counter of voids", [.head], "UPDATE head SET void_counter = 0"),
    Case("counter of files", [.head], "UPDATE head SET journal_counter = 2"),
    Case(
      "label of no kind of text", [.altered],
      "UPDATE weighings SET label = CAST(x'666c6f7572ff' AS TEXT) WHERE sequence = 2"),
    Case(
      "label with a tail behind a NUL", [.altered],
      "UPDATE weighings SET label = label || char(0) || 'x' WHERE sequence = 2"),
    Case("no label made an empty one", [.altered], "UPDATE weighings SET label = '' WHERE sequence = 1"),
    Case(
      "label moved to the neighbour column", [.altered],
      "UPDATE weighings SET source = source || substr(calibration, 1, 1), calibration = substr(calibration, 2)"),
    Case("outbox of a weighing that never was", [.inconsistent], "INSERT INTO outbox (sequence) VALUES (77)"),
    Case("table added", [.schema], "CREATE TABLE extra (x)"),
    Case("index removed", [.schema], "DROP INDEX outbox_waiting"),
  ]

  @Test(arguments: cases) func tamperingIsFound(_ example: Case) throws {
    let folder = try Folder()
    try sample(folder.file())
    #expect(try Journal.reader(path: folder.file(), logger: quiet).verify().faults == [])
    for statement in example.sql { try tamper(folder.file(), statement) }
    let verification = try Journal.reader(path: folder.file(), logger: quiet).verify()
    #expect(!verification.isClean)
    #expect(example.kinds.isSubset(of: Set(verification.faults.map(\.kind))), "\(verification.faults)")
  }

  @Test func aRemovedTriggerIsFound() throws {
    let folder = try Folder()
    try sample(folder.file())
    try DatabaseQueue(path: folder.file()).write { try $0.execute(sql: "DROP TRIGGER weighings_no_delete") }
    let faults = try Journal.reader(path: folder.file(), logger: quiet).verify().faults
    #expect(faults.map(\.kind) == [.schema])
  }

  @Test func oneAlteredWeighingIsToldFromItsNeighbours() throws {
    let folder = try Folder()
    try sample(folder.file())
    try tamper(folder.file(), "UPDATE weighings SET net_g = net_g + 1 WHERE sequence = 3")
    let faults = try Journal.reader(path: folder.file(), logger: quiet).verify().faults
    #expect(faults.map(\.sequence) == [3])
  }

  /// Every column of every row, one byte each of text and hash, one bit of each number.
  @Test func everyByteOfEveryColumnCounts() throws {
    let folder = try Folder()
    try sample(folder.file(), count: 4)
    var tried = 0
    for table in ["weighings", "audit", "head"] {
      let queue = try DatabaseQueue(path: folder.file())
      let rows = try queue.read { try Row.fetchAll($0, sql: "SELECT rowid AS key, * FROM \(table)") }
      try queue.close()
      for row in rows {
        for column in row.columnNames where column != "key" {
          for alteration in Self.alterations(row[column]) {
            let work = folder.file("work.db")
            try Self.copy(folder.file(), to: work)
            let sql = "UPDATE \(table) SET \(column) = \(alteration) WHERE rowid = \(row["key"] as Int)"
            do {
              #expect(try tamper(work, sql) == 1)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
              continue  // SQLite itself refuses it.
            }
            tried += 1
            let verification = try Journal.reader(path: work, logger: quiet).verify()
            #expect(!verification.isClean, "\(sql)")
          }
        }
      }
    }
    print("columns altered: \(tried), all found")
    #expect(tried > 300)
  }

  private static func copy(_ path: String, to other: String) throws {
    let bytes = try Bytes.read(path)
    try Bytes.write(bytes, to: other)
  }

  /// SQL literals for the values that one changed byte, or one changed bit of a number, can make.
  private static func alterations(_ value: DatabaseValue) -> [String] {
    switch value.storage {
    case .null: ["'x'", "1"]
    case .int64(let number): [number ^ 1, number ^ 0x100, number ^ (1 << 40)].map { String($0) }
    case .double(let number): [String(number.nextUp), String(-number - 1), "NULL"]
    case .string(let text): ["'" + text + "x'", "'" + text.dropLast() + "~'", "'~" + text.dropFirst() + "'"]
    case .blob(let data):
      [0, 15, 31].map { index in
        var bytes = Array(data)
        bytes[index] ^= 1
        return "x'" + bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() + "'"
      }
    }
  }

  /// Earlier journals have the definitions as their text was then, down to the line breaks: a change is a migration.
  @Test func theDefinitionsAreThoseOfEveryJournal() throws {
    let text = try Schema.first.get().joined(separator: "\n")
    let hash = text.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    #expect(hash == 1_196_240_042_811_246_707)
  }
}
