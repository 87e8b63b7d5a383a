import Testing
import Weighing

@testable import Journal

/// What a process that dies, or a power cut, leaves behind: the file and as much of its `-wal` as was written.
@Suite struct CrashTests {
  @Test func whateverIsLeftOfTheLogTheJournalIsInOrder() throws {
    let folder = try Folder()
    let path = folder.file()
    let journal = Journal.at(path)
    try journal.begin(configurationHash: "c", calibrationHash: "k", at: moment())
    var records: [RecordedWeighing] = []
    /// How long the log was when each record was confirmed.
    var lengths: [Int] = []
    for number in 1...40 {
      records.append(try journal.record(number % 7 == 0 ? void : weighing(number), at: moment(Double(number))))
      lengths.append(try Bytes.read(path + "-wal").count)
    }
    let file = try Bytes.read(path)
    let log = try Bytes.read(path + "-wal")
    let left = folder.file("left.db")
    var lost = 0
    for cut in stride(from: 0, through: log.count, by: log.count / 200) {
      try Bytes.write(file, to: left)
      try Bytes.write(Array(log[..<cut]), to: left + "-wal")
      let survivor = Journal.at(left)
      let confirmed = lengths.prefix { $0 <= cut }.count
      let history = try survivor.history(since: nil).map(\.record)
      #expect(history == Array(records.prefix(history.count)))
      #expect(history.count >= confirmed, "cut at \(cut)")
      lost += max(confirmed - history.count, 0)
      #expect(try survivor.record(weighing(1), at: moment(99)).sequence == history.count + 1)
      #expect(try survivor.verify().faults == [])
      #expect(try survivor.depth().waiting == history.count + 1)
      for suffix in ["-wal", "-shm", "-mark"] { remove(left, suffix) }
    }
    print("logs cut at 200 places: \(lost) confirmed records lost")
    _ = journal
  }

  @Test func anEmptyFileHasNothingToRead() throws {
    let folder = try Folder()
    try Bytes.write([], to: folder.file())
    #expect(throws: JournalError.notFound(path: folder.file())) {
      try Journal.reader(path: folder.file(), logger: quiet).history(since: nil)
    }
  }

  private func remove(_ path: String, _ suffix: String) {
    try? Bytes.remove(path + suffix)
  }
}
