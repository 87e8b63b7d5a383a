import Foundation
import GRDB
import Testing
import Weighing

@testable import Journal

/// What can happen to a file, and that the journal recovers by itself.
@Suite struct FaultTests {
  @Test func aMissingFolderIsSaidAndTriedAgain() throws {
    let folder = try Folder()
    let path = folder.file("state/grampad.db")
    let journal = Journal.at(path)
    #expect { try journal.begin(configurationHash: "c", calibrationHash: "k", at: moment()) } throws: {
      if case JournalError.cannotCreate(path, _) = $0 { true } else { false }
    }
    try FileManager.default.createDirectory(atPath: folder.file("state"), withIntermediateDirectories: false)
    let record = try journal.record(weighing(1), at: moment(5))
    #expect(record.configurationHash == "c")
    #expect(try journal.audit().map(\.time) == [moment(5), moment(), moment()])
  }

  @Test func filesAreForTheirOwnerAndGroupOnly() throws {
    let folder = try Folder()
    let journal = Journal.at(folder.file())
    _ = try journal.record(weighing(1), at: moment())
    #expect(folder.names == ["grampad.db", "grampad.db-mark", "grampad.db-shm", "grampad.db-wal"])
    for name in folder.names {
      let mode = try FileManager.default.attributesOfItem(atPath: folder.file(name))[.posixPermissions] as? Int
      #expect((mode ?? 0o777) & ~0o640 == 0, "\(name)")
    }
  }

  @Test func anEmptyFileIsFine() throws {
    let folder = try Folder()
    try Bytes.write([], to: folder.file())
    #expect(try Journal.at(folder.file()).record(weighing(1), at: moment()).sequence == 1)
  }

  @Test func aFolderIsNoJournal() throws {
    let folder = try Folder()
    #expect(throws: JournalError.other(path: folder.path, reason: "it is not a regular file")) {
      try Journal.at(folder.path).open()
    }
  }

  @Test(arguments: [true, false]) func aDatabaseThatIsNotOursIsNotTouched(newer: Bool) throws {
    let folder = try Folder()
    let path = folder.file()
    if newer {
      try sample(path)
      try tamper(path, "INSERT INTO grdb_migrations VALUES ('3 something yet to come'); PRAGMA user_version = 1000")
    } else {
      try DatabaseQueue(path: path).write { try $0.execute(sql: "CREATE TABLE shopping (item)") }
    }
    let before = try Bytes.read(path)
    let journal = Journal.at(path)
    for _ in 1...2 {
      #expect(throws: newer ? JournalError.newer(path: path) : .foreign(path: path)) {
        try journal.record(weighing(1), at: moment())
      }
    }
    #expect(try Bytes.read(path) == before)
    #expect(folder.names == (newer ? ["grampad.db", "grampad.db-mark"] : ["grampad.db"]))
  }

  @Test func aFileThatIsNoDatabaseIsKeptAside() throws {
    let folder = try Folder()
    let garbage = (0..<9000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 3) }
    try Bytes.write(garbage, to: folder.file())
    let journal = Journal.at(folder.file())
    let aside = try #require(keptAside { try journal.open() })
    #expect(aside.hasPrefix(folder.file("grampad.db.corrupt-2")))
    #expect(try Bytes.read(aside) == garbage)
    #expect(try journal.record(weighing(1), at: moment()).sequence == 1)
    let first = try #require(try journal.audit().first?.entry.continuation)
    #expect(first.keptAside == aside)
    #expect(try journal.verify().isClean)
  }

  @Test(arguments: [true, false]) func aDamagedPageIsKeptAsideAndTheNumbersGoOn(open: Bool) throws {
    let folder = try Folder()
    let path = folder.file()
    try sample(path)
    let journal = Journal.at(path)
    if open { try journal.open() }
    // One that is not in memory yet.
    let name = open ? "sqlite_autoindex_weighings_2" : "head"
    let page = try DatabaseQueue(path: path).read {
      try Int.fetchOne($0, sql: "SELECT rootpage FROM sqlite_master WHERE name = ?", arguments: [name])
    }
    let start = (try #require(page) - 1) * 4096
    let handle = try #require(FileHandle(forUpdatingAtPath: path))
    try handle.seek(toOffset: UInt64(start))
    try handle.write(contentsOf: [UInt8](repeating: 0xa5, count: 4096))
    // Not closed before the end: that would drop SQLite's locks.
    let aside = try #require(keptAside { try journal.record(weighing(1), at: moment(9)) })
    try handle.close()
    let damaged = try Bytes.read(aside)
    #expect(damaged[start..<start + 4096].allSatisfy { $0 == 0xa5 })
    let record = try journal.record(weighing(1), at: moment(10))
    #expect(record.sequence == 8)
    let first = try #require(try journal.audit().first)
    #expect(first.entry.continuation?.sequence == 7)
    #expect(
      first.entry.continuation?.counters == [
        "calibration": 2, "configuration": 2, "journal": 1, "void": 1, "zero": 1, "container": 0,
      ])
    #expect(first.counter == 2)
    try journal.append(.zero, at: moment(11))
    #expect(try journal.audit().last?.counter == 2)
    #expect(try journal.verify().faults == [])
    #expect(throws: JournalError.nothingToVoid(path: path)) {
      _ = try journal.record(void, at: moment(12))
      _ = try journal.record(void, at: moment(12))
    }
  }

  @Test func aHeadThatContradictsTheRecordsOverwritesNothing() throws {
    let folder = try Folder()
    try sample(folder.file())
    try tamper(folder.file(), "UPDATE head SET sequence = 3")
    let journal = Journal.at(folder.file())
    let aside = try #require(keptAside { try journal.record(weighing(1), at: moment()) })
    #expect(try Journal.reader(path: aside, logger: quiet).history(since: nil).count == 7)
    #expect(try journal.record(weighing(1), at: moment()).sequence == 8)
  }

  @Test func aFileThatIsRemovedWhileOpenIsGoneOnWith() throws {
    let folder = try Folder()
    let path = folder.file()
    let journal = Journal.at(path)
    for number in 1...3 { _ = try journal.record(weighing(number), at: moment()) }
    for name in folder.names { try FileManager.default.removeItem(atPath: folder.file(name)) }
    #expect(throws: JournalError.replaced(path: path)) { try journal.record(weighing(4), at: moment()) }
    #expect(journal.resetReplacement() && !journal.resetReplacement())
    #expect(try journal.record(weighing(5), at: moment()).sequence == 4)
    let verification = try journal.verify()
    #expect((verification.weighings, verification.faults) == (1, []))
    #expect(verification.losses.map { [$0.from, $0.to] } == [[1, 3]])
  }

  @Test func aFileThatIsReplacedWhileOpenIsUsedFromThenOn() throws {
    let folder = try Folder()
    let path = folder.file()
    try sample(folder.file("other.db"))
    let journal = Journal.at(path)
    _ = try journal.record(weighing(1), at: moment())
    for suffix in ["-wal", "-shm"] { try FileManager.default.removeItem(atPath: path + suffix) }
    #expect(rename(folder.file("other.db"), path) == 0)
    #expect(throws: JournalError.replaced(path: path)) { try journal.record(weighing(2), at: moment()) }
    #expect(try journal.record(weighing(3), at: moment()).sequence == 8)
    #expect(try journal.verify().isClean)
    #expect(journal.resetReplacement() && !journal.resetReplacement())
  }

  @Test func aFileThatIsReplacedWhileClosedIsReportedAsAnotherOne() throws {
    let folder = try Folder()
    let path = folder.file()
    try sample(folder.file("other.db"))
    let journal = Journal.at(path)
    _ = try journal.record(weighing(1), at: moment())
    journal.close()
    _ = try journal.history(since: nil)
    #expect(!journal.resetReplacement(), "the same file, opened again")
    journal.close()
    #expect(rename(folder.file("other.db"), path) == 0)
    #expect(try journal.record(weighing(3), at: moment()).sequence == 8)
    #expect(journal.resetReplacement() && !journal.resetReplacement())
  }

  @Test func aLockOfAnotherProcessIsWaitedForNotForEver() throws {
    let folder = try Folder()
    let path = folder.file()
    let journal = Journal.at(path)
    _ = try journal.record(weighing(1), at: moment())
    var configuration = GRDB.Configuration()
    configuration.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(path: path, configuration: configuration)
    try other.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
    #expect(throws: JournalError.busy(path: path)) { try journal.record(weighing(2), at: moment()) }
    #expect(try journal.history(since: nil).count == 1)
    try other.inDatabase { try $0.execute(sql: "ROLLBACK") }
    #expect(try journal.record(weighing(2), at: moment()).sequence == 2)
  }

  /// The name under which the damaged file is kept, when `work` says that.
  private func keptAside(_ work: () throws -> Any) -> String? {
    do {
      _ = try work()
    } catch JournalError.corrupt(_, let aside) {
      return aside
    } catch {
      Issue.record(error)
    }
    return nil
  }
}
