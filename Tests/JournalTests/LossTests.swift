import Foundation
import GRDB
import Testing
import Weighing

@testable import Journal

/// A journal that has gone back: reported, kept aside, and continued above the highest number.
@Suite struct LossTests {
  struct Damage: CustomTestStringConvertible {
    var testDescription: String
    /// Alters the files of a journal that was killed.
    var apply: @Sendable (_ path: String) throws -> Void
  }

  static let damages = [
    Damage(testDescription: "four bytes at offset 16 of the log") { path in
      try overwrite(path + "-wal", at: 16, with: [1, 2, 3, 4])
    },
    Damage(testDescription: "sixteen bytes at the start of the log") { path in
      try overwrite(path + "-wal", at: 0, with: [UInt8](repeating: 0, count: 16))
    },
    Damage(testDescription: "a byte in the middle of the log") { path in
      let count = try Bytes.read(path + "-wal").count
      try overwrite(path + "-wal", at: count / 2, with: [0x5a])
    },
    Damage(testDescription: "the log removed") { path in try Bytes.remove(path + "-wal") },
    Damage(testDescription: "the log cut in half") { path in
      let bytes = try Bytes.read(path + "-wal")
      try Bytes.write(Array(bytes[..<(bytes.count / 2)]), to: path + "-wal")
    },
    Damage(testDescription: "the database file removed") { path in try Bytes.remove(path) },
    Damage(testDescription: "the database file emptied") { path in try Bytes.write([], to: path) },
    Damage(testDescription: "all but the mark removed") { path in
      for end in ["", "-wal"] { try Bytes.remove(path + end) }
    },
  ]

  @Test(arguments: damages, [true, false]) func aLossIsReportedAndNoNumberIsGivenOutTwice(
    damage: Damage, young: Bool
  ) throws {
    let folder = try Folder()
    let path = folder.file()
    var recorded = try killed(path, checkpointed: young ? 0 : 5, count: 9)
    try damage.apply(path)
    let log = try? Bytes.read(path + "-wal")

    let before = try contents(folder)
    let seen = try Journal.reader(path: path, logger: quiet).verify()
    #expect(seen.faults.contains { $0.kind == .missing && $0.description.contains(" 9 ") }, "\(seen.faults)")
    #expect(try contents(folder) == before, "verify changes no file")

    let journal = Journal.at(path)
    let next = try journal.record(weighing(10), at: moment(10))
    #expect(next.sequence == 10)
    let survivors = try journal.history(since: nil).map(\.record).dropLast()
    #expect(Array(survivors) == Array(recorded.prefix(survivors.count)))
    let loss = try #require(journal.removeLosses().first)
    #expect(loss.from == survivors.count + 1 && loss.to == 9)
    if let log {
      let aside = try #require(loss.keptAside)
      #expect(try Bytes.read(aside + "-wal") == log)
    }
    recorded.append(next)
    let verification = try journal.verify()
    #expect(verification.faults == [])
    #expect(verification.losses.map(\.to) == [9])

    // The next start continues, and tells again only while the loss was not announced.
    journal.close()
    let third = Journal.at(path)
    try third.open()
    #expect(third.removeLosses().map(\.to) == [9])
    try third.markIncidentsAnnounced()
    third.close()
    let fourth = Journal.at(path)
    try fourth.open()
    #expect(fourth.removeLosses() == [])
    #expect(try fourth.record(weighing(11), at: moment(11)).sequence == 11)
    #expect(try fourth.verify().faults == [])
  }

  @Test func anOlderCopyIsContinuedAboveTheMark() throws {
    let folder = try Folder()
    let path = folder.file()
    try sample(path)
    let old = try Bytes.read(path)
    let journal = Journal.at(path)
    for number in 8...12 { _ = try journal.record(weighing(number), at: moment(Double(number))) }
    journal.close()
    try Bytes.write(old, to: path)
    let again = Journal.at(path)
    #expect(try again.record(weighing(1), at: moment(20)).sequence == 13)
    #expect(again.removeLosses().map { [$0.from, $0.to] } == [[8, 12]])
    #expect(try again.verify().faults == [])
  }

  @Test func anotherJournalInItsPlaceIsReported() throws {
    let folder = try Folder()
    let path = folder.file()
    try sample(folder.file("other.db"), count: 9)
    try sample(path)
    try Bytes.write(Bytes.read(folder.file("other.db")), to: path)
    let seen = try Journal.reader(path: path, logger: quiet).verify()
    #expect(seen.faults.map(\.kind) == [.altered])
    let journal = Journal.at(path)
    #expect(try journal.record(weighing(1), at: moment(20)).sequence == 11)
    #expect(journal.removeLosses().map { [$0.from, $0.to] } == [[7, 7]])
    #expect(try journal.verify().faults == [])
  }

  @Test func aDamagedDatabaseIsContinuedAboveTheMark() throws {
    let folder = try Folder()
    let path = folder.file()
    try sample(path)
    try Self.overwrite(path, at: 0, with: [UInt8](repeating: 0xa5, count: 4096))
    let journal = Journal.at(path)
    #expect(throws: JournalError.self) { try journal.record(weighing(1), at: moment(9)) }
    #expect(try journal.record(weighing(1), at: moment(10)).sequence == 8)
    let loss = try #require(journal.removeLosses().first)
    #expect(loss.from == 1 && loss.to == 7)
    #expect(FileManager.default.fileExists(atPath: loss.keptAside ?? ""))
    #expect(try journal.verify().faults == [])
  }

  /// A page that opening the journal needs, but not the weighings; the mark is gone, too.
  @Test func theNumbersOfADamagedDatabaseAreSalvaged() throws {
    let folder = try Folder()
    let path = folder.file()
    try sample(path)
    try Bytes.remove(path + "-mark")
    try Self.overwrite(path, at: 4096, with: [UInt8](repeating: 0x58, count: 200))
    let journal = Journal.at(path)
    #expect(throws: JournalError.self) { try journal.record(weighing(1), at: moment(9)) }
    #expect(try journal.record(weighing(1), at: moment(10)).sequence == 8)
    #expect(journal.removeLosses().map { [$0.from, $0.to] } == [[1, 7]])
    #expect(try journal.verify().losses.map(\.to) == [7])
  }

  @Test func oneApplianceRecordsAtATime() throws {
    let folder = try Folder()
    let path = folder.file()
    let (first, second) = (Journal.at(path), Journal.at(path))
    first.recordExclusively()
    second.recordExclusively()
    #expect(try first.record(weighing(1), at: moment(1)).sequence == 1)
    #expect(throws: JournalError.inUse(path: path)) { try second.record(weighing(2), at: moment(2)) }
    // Nor does it change anything else.
    try first.store(ScaleMemory(tare: Grams(1), tareEpoch: 1))
    #expect(throws: JournalError.inUse(path: path)) { try second.store(ScaleMemory(tare: Grams(2), tareEpoch: 2)) }
    #expect(throws: JournalError.inUse(path: path)) { try second.firstDevice("other") }
    #expect(throws: JournalError.inUse(path: path)) { try second.delivered([1]) }
    #expect(try first.scaleState() == .state(ScaleMemory(tare: Grams(1), tareEpoch: 1)))
    #expect(try first.record(weighing(2), at: moment(3)).sequence == 2)
    #expect(try Journal.reader(path: path, logger: quiet).history(since: nil).count == 2)
  }

  /// Database and mark gone at once, and with them every number: those that the file had room for are skipped.
  @Test func aDamagedDatabaseWithoutAMarkIsContinuedAboveItsSize() throws {
    let folder = try Folder()
    let path = folder.file()
    try sample(path)
    let room = try Bytes.read(path).count / 128
    try Bytes.remove(path + "-mark")
    try Self.overwrite(path, at: 0, with: [UInt8](repeating: 0xa5, count: 200))
    let journal = Journal.at(path)
    #expect(throws: JournalError.self) { try journal.record(weighing(1), at: moment(9)) }
    #expect(try journal.record(weighing(1), at: moment(10)).sequence == room + 1)
    let loss = try #require(journal.removeLosses().first)
    #expect(loss.from == 1 && loss.to == room)
    #expect(FileManager.default.fileExists(atPath: loss.keptAside ?? ""))
    let verification = try journal.verify()
    #expect(verification.faults == [] && verification.losses.map(\.to) == [room])
  }

  /// A number that the mark does not have would be given out twice after a loss.
  @Test(arguments: [true, false]) func nothingIsRecordedWithoutAMark(young: Bool) throws {
    let folder = try Folder()
    let path = folder.file()
    if !young { try sample(path) }
    let mark = path + "-mark"
    if !young { try Bytes.remove(mark) }
    try FileManager.default.createDirectory(atPath: mark, withIntermediateDirectories: false)
    let journal = Journal.at(path)
    journal.recordExclusively()
    for _ in 1...2 {
      #expect(throws: JournalError.markNotWritten(path: mark)) { try journal.record(weighing(1), at: moment(9)) }
    }
    #expect(try journal.history(since: nil).count == (young ? 0 : 7))
    try FileManager.default.removeItem(atPath: mark)
    #expect(try journal.record(weighing(1), at: moment(10)).sequence == (young ? 1 : 8))
    #expect(try journal.verify().faults == [])
  }

  @Test func aNumberThatOthersHaveSeenIsSkipped() throws {
    let folder = try Folder()
    let path = folder.file()
    try sample(path)
    let journal = Journal.at(path)
    try journal.skip(to: 5, reason: "seen elsewhere", keptAside: nil, at: moment(9))
    #expect(journal.removeLosses() == [])
    let aside = try journal.copyAside()
    try journal.skip(to: 20, reason: "seen elsewhere", keptAside: aside, at: moment(9))
    let loss = try #require(journal.removeLosses().first)
    #expect(loss.from == 8 && loss.to == 20 && loss.reason == "seen elsewhere")
    #expect(try Journal.reader(path: loss.keptAside ?? "", logger: quiet).history(since: nil).count == 7)
    #expect(journal.sequence == 20)
    journal.close()
    let next = Journal.at(path)
    #expect(try next.record(weighing(1), at: moment(10)).sequence == 21)
    #expect(try next.verify().faults == [])
  }

  /// Nor is it used again if that cannot be recorded at once: it is recorded with the next record or state of the scale, and reported
  /// once, however often the file is opened again.
  @Test(arguments: [true, false]) func aNumberThatOthersHaveSeenIsSkippedAfterTrouble(hasState: Bool) throws {
    let folder = try Folder()
    let (path, mark) = (folder.file(), folder.file() + HighWaterMark.suffix)
    try sample(path)
    let bytes = try Bytes.read(mark)
    try FileManager.default.removeItem(atPath: mark)
    try FileManager.default.createDirectory(atPath: mark, withIntermediateDirectories: false)
    let journal = Journal.at(path)
    journal.recordExclusively()
    #expect(throws: JournalError.markNotWritten(path: mark)) {
      try journal.skip(to: 20, reason: "seen elsewhere", keptAside: nil, at: moment(9))
    }
    #expect(journal.sequence == 20)
    try FileManager.default.removeItem(atPath: mark)
    try Bytes.write(bytes, to: mark)
    if hasState {
      try journal.store(ScaleMemory())
      #expect(journal.removeLosses().map(\.to) == [20])
    }
    #expect(try journal.record(weighing(1), at: moment(10)).sequence == 21)
    #expect(journal.removeLosses().map(\.to) == (hasState ? [] : [20]))
    for _ in 1...3 {
      journal.close()
      _ = try journal.last()
    }
    #expect(journal.removeLosses() == [])
  }

  /// What is found by opening the file to note that others were announced is announced by the next process, if not by this one.
  @Test func anIncidentFoundLateIsNotForgotten() throws {
    let folder = try Folder()
    let path = folder.file()
    try sample(path)
    let journal = Journal.at(path)
    try journal.open()
    journal.close()
    try HighWaterMark(of: path).raise(to: 30, nil)
    try journal.markIncidentsAnnounced()
    let next = Journal.at(path)
    try next.open()
    #expect(next.removeLosses().map(\.to) == [30])
  }

  /// The chain accepts no loss but the one that its entry names.
  @Test func aRecordRemovedAfterAReportedLossIsFound() throws {
    let folder = try Folder()
    let path = folder.file()
    try sample(path)
    let journal = Journal.at(path)
    try journal.skip(to: 20, reason: "seen elsewhere", keptAside: nil, at: moment(9))
    for number in 1...3 { _ = try journal.record(weighing(number), at: moment(Double(10 + number))) }
    journal.close()
    try tamper(path, "DELETE FROM weighings WHERE sequence = 22", "DELETE FROM outbox WHERE sequence = 22")
    let found = try Journal.reader(path: path, logger: quiet).verify()
    #expect(found.losses.map(\.to) == [20])
    #expect(found.faults.contains { $0.kind == .missing })
  }

  /// The database file alone has everything, while the journal is open and after it is closed.
  @Test(arguments: [true, false]) func theDatabaseFileAloneHasEverything(closed: Bool) throws {
    let folder = try Folder()
    let path = folder.file()
    let journal = Journal.at(path)
    for number in 1...5 { _ = try journal.record(weighing(number), at: moment(Double(number))) }
    if closed {
      journal.close()
      #expect(folder.names == ["grampad.db", "grampad.db-mark"])
    } else {
      #expect(try journal.checkpoint())
    }
    try Bytes.write(Bytes.read(path), to: folder.file("copy.db"))
    #expect(try Journal.reader(path: folder.file("copy.db"), logger: quiet).history(since: nil).count == 5)
    #expect(try journal.record(weighing(6), at: moment(6)).sequence == 6)
  }

  /// A reader that holds an old state delays neither a weighing nor a checkpoint.
  @Test func aCheckpointDoesNotWaitForReaders() throws {
    let folder = try Folder()
    let journal = Journal.at(folder.file())
    _ = try journal.record(weighing(1), at: moment(1))
    let reader = try DatabaseConnection(reading: folder.file(), reportedAs: "")
    try reader.queue.read { db in
      _ = try Head.fetch(db)
      _ = try journal.record(weighing(2), at: moment(2))
      let begin = ContinuousClock.now
      #expect(try !journal.checkpoint())
      #expect(ContinuousClock.now - begin < .milliseconds(1900))
    }
    #expect(try journal.checkpoint())
  }

  @Test func aJournalWithoutItsMigrationRowIsExplained() throws {
    let folder = try Folder()
    let path = folder.file()
    try sample(path)
    try DatabaseQueue(path: path).write { try $0.execute(sql: "DELETE FROM grdb_migrations") }
    let journal = Journal.at(path)
    #expect(throws: JournalError.versionMissing(path: path)) { try journal.record(weighing(1), at: moment()) }
    let reader = Journal.reader(path: path, logger: quiet)
    #expect(try reader.history(since: nil).count == 7)
    #expect(try reader.verify().faults.map(\.kind) == [.schema])
  }

  // MARK: -

  /// A journal as a process leaves it that was killed, with `checkpointed` of its weighings in the database file.
  private func killed(_ path: String, checkpointed: Int, count: Int) throws -> [RecordedWeighing] {
    let source = try Folder()
    let journal = Journal.at(source.file())
    var records: [RecordedWeighing] = []
    for number in 1...count {
      records.append(try journal.record(weighing(number), at: moment(Double(number))))
      if number == checkpointed { #expect(try journal.checkpoint()) }
    }
    for end in ["", "-wal", "-mark"] { try Bytes.write(Bytes.read(source.file() + end), to: path + end) }
    return records
  }

  private static func overwrite(_ path: String, at offset: Int, with bytes: [UInt8]) throws {
    var content = try Bytes.read(path)
    content.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    try Bytes.write(content, to: path)
  }

  private func contents(_ folder: Folder) throws -> [String: [UInt8]] {
    try folder.names.reduce(into: [:]) { $0[$1] = try Bytes.read(folder.file($1)) }
  }
}
