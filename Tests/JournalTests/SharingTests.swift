import Foundation
import Recordings
import Synchronization
import Testing
import Weighing

@testable import Journal

/// Several writers and readers of one file.
@Suite struct SharingTests {
  @Test func twoWritersAndAReaderShareOneFile() throws {
    let folder = try Folder()
    let path = folder.file()
    let journals = [Journal.at(path), Journal.at(path)]
    let failures = Mutex<[String]>([])
    let recorded = Mutex<[RecordedWeighing]>([])
    let looks = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: 3) { index in
      do {
        if index < 2 {
          for number in 1...500 {
            let record = try patiently { try journals[index].record(weighing(number), at: moment(Double(number))) }
            recorded.withLock { $0.append(record) }
          }
        } else {
          let reader = Journal.reader(path: path, logger: quiet)
          let deadline = ContinuousClock.now + .seconds(60)
          while recorded.withLock(\.count) < 1000, failures.withLock(\.isEmpty), ContinuousClock.now < deadline {
            let confirmed = recorded.withLock(\.count)
            if confirmed == 0 { continue }
            let sequences = try reader.history(since: nil).map(\.record.sequence)
            if sequences != Array(1...max(sequences.count, 1)) || sequences.count < confirmed {
              failures.withLock { $0.append("the reader saw \(sequences.count) of \(confirmed)") }
            }
            looks.withLock { $0 += 1 }
          }
        }
      } catch {
        failures.withLock { $0.append("\(index): \(error)") }
      }
    }
    #expect(failures.withLock(\.self) == [])
    #expect(recorded.withLock { $0.map(\.sequence).sorted() } == Array(1...1000))
    #expect(
      try journals[0].history(since: nil).map(\.record.id)
        == recorded.withLock { records in
          records.sorted { $0.sequence < $1.sequence }.map(\.id)
        })
    #expect(try journals[1].verify() == Verification(weighings: 1000, audits: 1, faults: []))
    print("looks of the reader meanwhile: \(looks.withLock(\.self))")
  }

  /// Tries again when another writer has had the file for all of our time: two that never pause can keep each other out.
  private func patiently(_ record: () throws -> RecordedWeighing) throws -> RecordedWeighing {
    while true {
      do { return try record() } catch JournalError.busy { continue }
    }
  }

  @Test func severalMayMakeTheFileAtOnce() throws {
    for _ in 1...25 {
      let folder = try Folder()
      let failures = Mutex<[String]>([])
      DispatchQueue.concurrentPerform(iterations: 4) { index in
        do {
          _ = try Journal.at(folder.file()).record(weighing(index), at: moment())
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
      #expect(failures.withLock(\.self) == [])
      #expect(try Journal.at(folder.file()).verify() == Verification(weighings: 4, audits: 1, faults: []))
      #expect(folder.names == ["grampad.db", "grampad.db-mark"])
    }
  }

  @Test func aReaderMakesNothing() throws {
    let folder = try Folder()
    let path = folder.file()
    let reader = Journal.reader(path: path, logger: quiet)
    #expect(throws: JournalError.notFound(path: path)) { try reader.history(since: nil) }
    #expect(throws: JournalError.notFound(path: path)) { try reader.verify() }
    #expect(folder.names == [])
    try sample(path)
    #expect(folder.names == ["grampad.db", "grampad.db-mark"])
    #expect(try reader.history(since: nil).count == 7)
    #expect(throws: JournalError.readOnly(path: path)) { try reader.record(weighing(1), at: moment()) }
    #expect(throws: JournalError.readOnly(path: path)) { try reader.delivered([1]) }
    #expect(folder.names == ["grampad.db", "grampad.db-mark"])
    let writer = Journal.at(path)
    _ = try writer.record(weighing(8), at: moment())
    #expect(try reader.last()?.sequence == 8)
  }

  /// One byte of the file changed: found, or without any effect on what is read.
  @Test func flippedBytesAreFoundOrHarmless() throws {
    let folder = try Folder()
    let path = folder.file()
    try sample(path, count: 40)
    let bytes = try Bytes.read(path)
    let good = Journal.reader(path: path, logger: quiet)
    let (history, audit) = (try good.history(since: nil), try good.audit())
    var random = SplitMix64(seed: 20261121)
    var counts = (found: 0, refused: 0, harmless: 0)
    for seed in 0..<500 {
      var altered = bytes
      altered[Int(random.next() % UInt64(bytes.count))] ^= UInt8(1 << (random.next() % 8))
      let work = folder.file("flip.db")
      try Bytes.write(altered, to: work)
      let reader = Journal.reader(path: work, logger: quiet)
      do {
        if try !reader.verify().isClean {
          counts.found += 1
          continue
        }
        let same = try reader.history(since: nil) == history && reader.audit() == audit
        #expect(same, "seed \(seed)")
        counts.harmless += 1
      } catch {
        counts.refused += 1
      }
    }
    print("bytes flipped in a file of \(bytes.count): \(counts)")
    #expect(counts.found > 0)
  }
}
