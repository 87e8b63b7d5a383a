import Foundation
import Synchronization
import Testing
import Weighing

@testable import Journal

/// Copies of a journal in use, and its retirement.
@Suite struct CopyTests {
  @Test func aCopyIsAPrefixHoweverFastItGoesOn() throws {
    let folder = try Folder()
    let path = folder.file()
    let journal = Journal.at(path)
    try journal.begin(configurationHash: "c", calibrationHash: "k", at: moment())
    _ = try journal.record(weighing(1), at: moment(1))
    let isOver = Mutex(false)
    let failures = Mutex<[String]>([])
    let recorded = Mutex(1)
    let extents = Mutex<[JournalExtent]>([])
    DispatchQueue.concurrentPerform(iterations: 2) { index in
      do {
        if index == 0 {
          while !isOver.withLock({ $0 }) {
            let number = recorded.withLock { $0 } + 1
            _ = try journal.record(number % 7 == 0 ? void : weighing(number), at: moment(Double(number)))
            if number % 3 == 0 { try journal.delivered([number - 1]) }
            recorded.withLock { $0 += 1 }
          }
        } else {
          defer { isOver.withLock { $0 = true } }
          for number in 1...25 {
            let before = recorded.withLock { $0 }
            let copy = folder.file("copy-\(number).db")
            try Journal.reader(path: path, logger: quiet).copy(to: copy)
            let extent = try Journal.reader(path: copy, logger: quiet).extent()
            if extent.weighings < before { failures.withLock { $0.append("\(extent) has not all of \(before)") } }
            extents.withLock { $0.append(extent) }
          }
        }
      } catch {
        failures.withLock { $0.append("\(index): \(error)") }
        isOver.withLock { $0 = true }
      }
    }
    #expect(failures.withLock(\.self) == [])
    let history = try journal.history(since: nil).map(\.record)
    #expect(history.count == recorded.withLock { $0 })
    for (number, extent) in extents.withLock({ $0 }).enumerated() {
      let name = folder.file("copy-\(number + 1).db")
      let copy = Journal.reader(path: name, logger: quiet)
      #expect(try copy.verify().faults == [])
      #expect(try copy.history(since: nil).map(\.record) == Array(history.prefix(extent.weighings)))
      #expect(extent.lastSequence == extent.weighings)
      #expect(try copy.weighings(missingFrom: journal) == 0)
      #expect(try journal.weighings(missingFrom: copy) == history.count - extent.weighings)
    }
    // Each copy is a single file.
    #expect(!folder.names.contains { $0.hasPrefix("copy") && !$0.hasSuffix(".db") })
    print("copies while recording: \(extents.withLock { $0.map(\.weighings) })")
  }

  @Test func aCopyHasTheOutbox() throws {
    let folder = try Folder()
    let journal = Journal.at(folder.file())
    for number in 1...6 { _ = try journal.record(weighing(number), at: moment(Double(number))) }
    try journal.delivered([1, 2])
    try journal.park([(3, "quota")], at: moment(9))
    try journal.copy(to: folder.file("copy.db"))
    let copy = Journal.at(folder.file("copy.db"))
    #expect(try copy.depth() == OutboxDepth(waiting: 3, parked: 1))
    #expect(try copy.extent() == journal.extent())
    #expect(try copy.pending(after: 0, limit: 9) == journal.pending(after: 0, limit: 9))
    #expect(try copy.record(weighing(7), at: moment(7)).sequence == 7)
    #expect(try copy.verify().faults == [])
  }

  @Test func anotherPastIsMissing() throws {
    let folder = try Folder()
    let journal = Journal.at(folder.file())
    for number in 1...4 { _ = try journal.record(weighing(number), at: moment(Double(number))) }
    try journal.copy(to: folder.file("copy.db"))
    let copy = Journal.at(folder.file("copy.db"))
    for number in 5...6 { _ = try journal.record(weighing(number), at: moment(Double(number))) }
    #expect(try journal.weighings(missingFrom: copy) == 2)
    #expect(try copy.weighings(missingFrom: journal) == 0)
    // The same number and the same mass, but another weighing.
    _ = try copy.record(weighing(5), at: moment(5))
    #expect(try journal.weighings(missingFrom: copy) == 2)
    #expect(try copy.weighings(missingFrom: journal) == 1)
    let other = Journal.at(folder.file("other.db"))
    #expect(try other.weighings(missingFrom: journal) == 0)
    #expect(try journal.weighings(missingFrom: other) == 6)
  }

  @Test func theAuditTrailTellsOfARestore() throws {
    let folder = try Folder()
    let path = folder.file()
    try sample(path)
    let journal = Journal.at(path)
    try journal.append(
      .restored(backupTime: "2026-01-01T00:00:00.000Z", keptAside: "old.db", missing: 3), at: moment(99))
    let last = try #require(try journal.audit().last)
    #expect(last.entry.kind == .journal)
    #expect(
      last.entry.detail
        == #"{"backup_time":"2026-01-01T00:00:00.000Z","kept_aside":"old.db","missing":3,"restored":true}"#)
    #expect(try journal.verify().faults == [])
    #expect(try journal.record(weighing(9), at: moment(100)).sequence == 8)
  }

  @Test func whatIsRetiredIsInOneFile() throws {
    let folder = try Folder()
    let path = folder.file()
    let left = folder.file("left.db")
    do {
      let journal = Journal.at(path)
      for number in 1...5 { _ = try journal.record(weighing(number), at: moment(Double(number))) }
      #expect(throws: JournalError.busy(path: path)) { _ = try RetiringJournal(path) }
      // As a process leaves it that was killed.
      for end in ["", "-wal"] { try Bytes.write(Bytes.read(path + end), to: left + end) }
    }
    try Bytes.write([1, 2, 3], to: left + "-shm")
    #expect(FileKind(of: left) == .journal)
    let retiring = try RetiringJournal(left)
    #expect(folder.names.filter { $0.hasPrefix("left") } == ["left.db"])
    // No other connection can open it.
    #expect(throws: JournalError.busy(path: left)) { try Journal.at(left).record(weighing(9), at: moment(9)) }
    let head = try retiring.head()
    withExtendedLifetime(retiring) {}
    let alone = folder.file("alone.db")
    try Bytes.write(Bytes.read(left), to: alone)
    #expect(try Journal.at(alone).extent().head == head)
    #expect(try Journal.at(alone).extent().weighings == 5)
  }

  @Test func filesAreToldApart() throws {
    let folder = try Folder()
    #expect(FileKind(of: folder.file("none")) == .missing)
    try Bytes.write([], to: folder.file("empty"))
    #expect(FileKind(of: folder.file("empty")) == .empty)
    try Bytes.write(Array("root:x:0:0\n".utf8), to: folder.file("text"))
    #expect(FileKind(of: folder.file("text")) == .other)
    #expect(FileKind(of: folder.path) == .other)
    try sample(folder.file())
    #expect(FileKind(of: folder.file()) == .journal)
    try tamper(folder.file(), "PRAGMA application_id = 7")
    #expect(FileKind(of: folder.file()) == .other)
    let fresh = Journal.at(folder.file("fresh.db"))
    _ = try fresh.record(weighing(1), at: moment())
    #expect(FileKind(of: folder.file("fresh.db")) == .journal, "its first page is in the log yet")
  }
}
