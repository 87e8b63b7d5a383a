import Foundation
import GRDB
import TestExtent
import Testing
import Weighing

@testable import Journal

/// Journals that are damaged in every kind of page, in the header and in the mark: recording goes on with a number that was
/// never used, or says why not, and goes on when the cause is gone.
@Suite struct DamageTests {
  private enum Place: CaseIterable { case header, definitions, root, page, end, mark, implausibleMark }

  private static let count = Extent.isFull ? 250 : 63

  @Test(arguments: 1...4) func recordingGoesOn(seed: UInt64) throws {
    var random = Linear(seed)
    let source = try Folder()
    try sample(source.file(), count: 90)
    let last = 91
    let (file, mark) = (try Bytes.read(source.file()), try Bytes.read(source.file() + "-mark"))
    let roots = try DatabaseQueue(path: source.file()).read {
      try Int.fetchAll($0, sql: "SELECT rootpage FROM sqlite_master WHERE rootpage > 0")
    }
    var (waited, fresh) = (0, 0)
    for number in 0..<Self.count {
      let folder = try Folder()
      let path = folder.file()
      let place = Place.allCases[number % Place.allCases.count]
      let damaged = Self.damage(place, file, mark, roots, &random)
      try Bytes.write(damaged.file, to: path)
      try Bytes.write(damaged.mark, to: path + "-mark")
      let journal = Journal.at(path)
      journal.recordExclusively()
      var errors: [JournalError] = []
      var record: RecordedWeighing?
      for attempt in 1...3 where record == nil {
        do throws(JournalError) {
          record = try journal.record(weighing(attempt), at: moment(200))
        } catch {
          errors.append(error)
        }
      }
      if record == nil {
        // The user reads the reason and restores the files.
        waited += 1
        try Bytes.write(file, to: path)
        try Bytes.write(mark, to: path + "-mark")
        record = try journal.record(weighing(4), at: moment(201))
      }
      if !errors.isEmpty { fresh += 1 }
      let sequence = try #require(record?.sequence)
      #expect(sequence > last, "seed \(seed), \(number) \(place): \(errors)")
      if place == .implausibleMark { #expect(sequence == last + 1 && errors.isEmpty) }
      // Nothing that was readable is gone: it is in this file or in the one that is kept.
      #expect(errors.isEmpty || waited > 0 || folder.names.contains { $0.contains("corrupt") }, "\(place): \(errors)")
    }
    print("seed \(seed): \(Self.count) damaged journals, \(fresh) went on in a new file, \(waited) after repair")
    #expect(fresh > Self.count / 12 && waited < 5)
  }

  /// SQLite takes a sound file for damaged when a read of it fails, however often that happens.
  @Test func aReadThatFailsIsNoDamage() throws {
    let folder = try Folder()
    try sample(folder.file())
    var file = JournalFile(.file(folder.file()), identifiers: .random, clock: Instant.wallClock, logger: quiet)
    for _ in 1...4 {
      _ = try file.usableConnection()
      guard case .other = file.reset(after: DatabaseError(resultCode: .SQLITE_CORRUPT)) else {
        Issue.record("taken for damaged")
        continue
      }
    }
    #expect(!folder.names.contains { $0.contains("corrupt") })
    #expect(DamagedFile(folder.file()).isReadable)
    #expect(!DamagedFile(folder.path).isReadable, "a folder")
  }

  @Test func anImplausibleMarkIsDamaged() throws {
    let folder = try Folder()
    let path = folder.file()
    try sample(path)
    for (offset, value) in [
      (16, UInt64.max), (16, UInt64(Int.max)), (16, 1 << 60), (8, UInt64.max), (24, UInt64(Int.max)),
    ] {
      try Bytes.write(Self.mark(offset, value), to: path + "-mark")
      #expect(try HighWaterMark(of: path).read() == .damaged)
      #expect(try Journal.reader(path: path, logger: quiet).verify().isMarkDamaged)
    }
    let journal = Journal.at(path)
    #expect(try journal.record(weighing(1), at: moment(9)).sequence == 8)
    #expect(try journal.verify() == Verification(weighings: 8, audits: 7, faults: []))
  }

  private static func damage(
    _ place: Place, _ file: [UInt8], _ mark: [UInt8], _ roots: [Int], _ random: inout Linear
  ) -> (file: [UInt8], mark: [UInt8]) {
    var (file, mark) = (file, mark)
    switch place {
    case .header: overwrite(&file, 0..<100, &random)
    case .definitions: overwrite(&file, 100..<4096, &random)
    case .root: overwrite(&file, page(roots[random.below(roots.count)]), &random)
    case .page: overwrite(&file, page(1 + random.below(file.count / 4096)), &random)
    case .end: file.removeLast(1 + random.below(file.count))
    case .mark: overwrite(&mark, 0..<mark.count, &random)
    case .implausibleMark: mark = Self.mark(16, UInt64(Int.max) - UInt64(random.below(3)))
    }
    return (file, mark)
  }

  private static func page(_ number: Int) -> Range<Int> { (number - 1) * 4096..<number * 4096 }

  /// Overwrites a range or some bytes in it, which a database page has in use at its beginning or its end.
  private static func overwrite(_ bytes: inout [UInt8], _ range: Range<Int>, _ random: inout Linear) {
    switch random.below(5) {
    case 0: for index in range { bytes[index] = 0 }
    case 1: for index in range { bytes[index] = UInt8(random.below(256)) }
    case 2: bytes[range.lowerBound + random.below(range.count)] ^= UInt8(1 << random.below(8))
    default:
      let length = min(1 + random.below(40), range.count)
      let room = range.count - length
      let offset = random.below(2) == 0 ? room - min(room, random.below(800)) : min(room, random.below(200))
      for index in 0..<length { bytes[range.lowerBound + offset + index] = UInt8(random.below(256)) }
    }
  }

  /// A mark whose digest is right, with one of its numbers replaced.
  private static func mark(_ offset: Int, _ value: UInt64) -> [UInt8] {
    func bytes(_ number: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) } }
    var content = Array("GrmpMark".utf8) + bytes(1) + bytes(3) + bytes(0) + [UInt8](repeating: 0, count: 32)
    content.replaceSubrange(offset..<offset + 8, with: bytes(value))
    return content + Digest(of: content).bytes
  }
}

/// Numbers that are the same each time for a seed.
private struct Linear {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 }

  mutating func below(_ limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(limit))
  }
}
