import Foundation
import Testing
import Weighing

@testable import Journal

/// The high-water mark: written before a weighing is confirmed, and never lowered.
@Suite struct HighWaterMarkTests {
  @Test func eachWeighingRaisesItBeforeItIsConfirmed() throws {
    let folder = try Folder()
    let path = folder.file()
    let journal = Journal.at(path)
    try journal.begin(configurationHash: "c", calibrationHash: "k", at: moment())
    #expect(try HighWaterMark(of: path).read().value?.sequence == 0, "it can be written before a number is given out")
    for number in 1...5 {
      let record = try journal.record(number == 4 ? void : weighing(number), at: moment(Double(number)))
      let value = try #require(try HighWaterMark(of: path).read().value)
      #expect(value.sequence == record.sequence)
      #expect(value.digest != nil)
    }
    #expect(try journal.verify() == Verification(weighings: 5, audits: 4, faults: []))
  }

  @Test func itIsNeverLowered() throws {
    let folder = try Folder()
    let mark = HighWaterMark(of: folder.file())
    let digest = Digest(of: [1])
    try mark.raise(to: 7, digest, announced: 3)
    try mark.raise(to: 6, Digest(of: [2]))
    #expect(try mark.read() == .value(HighWaterMark.Value(sequence: 7, digest: digest, announced: 3)))
    try mark.raise(to: 7, nil)
    #expect(try mark.read() == .value(HighWaterMark.Value(sequence: 7, digest: nil, announced: 3)))
  }

  /// Either slot torn, overwritten or cut off leaves the other one, which is one write older at most.
  @Test func aTornWriteLeavesTheOtherSlot() throws {
    let folder = try Folder()
    let mark = HighWaterMark(of: folder.file())
    for number in 1...6 { try mark.raise(to: number, Digest(of: [UInt8(number)])) }
    let bytes = try Bytes.read(mark.path)
    for offset in Array(0..<96) + Array(4096..<4192) {
      var altered = bytes
      altered[offset] ^= 1
      try Bytes.write(altered, to: mark.path)
      let sequence = try #require(try mark.read().value?.sequence)
      #expect(sequence == 6 || sequence == 5)
      try mark.raise(to: 7, nil)
      #expect(try mark.read().value?.sequence == 7)
      try Bytes.write(bytes, to: mark.path)
    }
  }

  @Test(arguments: ["removed", "overwritten", "empty"]) func damageToItLosesNothing(kind: String) throws {
    let folder = try Folder()
    let path = folder.file()
    try sample(path)
    let mark = HighWaterMark(of: path).path
    switch kind {
    case "removed": try Bytes.remove(mark)
    case "empty": try Bytes.write([], to: mark)
    default: try Bytes.write([UInt8](repeating: 0xa5, count: 9000), to: mark)
    }
    let found = try Journal.reader(path: path, logger: quiet).verify()
    #expect(found.isClean && found.isMarkDamaged == (kind == "overwritten"))
    let journal = Journal.at(path)
    #expect(try journal.record(weighing(1), at: moment(9)).sequence == 8)
    #expect(journal.removeLosses() == [])
    #expect(try HighWaterMark(of: path).read().value?.sequence == 8)
    #expect(try journal.verify().isClean)
  }

  /// The power fails between SQLite's commit and the mark.
  @Test func aJournalAheadOfItsMarkHasLostNothing() throws {
    let folder = try Folder()
    let path = folder.file()
    let journal = Journal.at(path)
    for number in 1...3 { _ = try journal.record(weighing(number), at: moment(Double(number))) }
    let mark = try Bytes.read(path + "-mark")
    _ = try journal.record(weighing(4), at: moment(4))
    journal.close()
    try Bytes.write(mark, to: path + "-mark")
    #expect(try Journal.reader(path: path, logger: quiet).verify().isClean)
    let next = Journal.at(path)
    #expect(try next.record(weighing(5), at: moment(5)).sequence == 5)
    #expect(next.removeLosses() == [])
  }
}
