import Messages
import Recordings
import Testing
import Weighing

@testable import Fleet

/// What a collector knows of the records of a device, against the device itself.
struct RecordGapsTests {
  private func set(_ numbers: some Sequence<Int>) -> RangeSet<Int> {
    var set = RangeSet<Int>()
    for number in numbers { set.insert(contentsOf: number..<number + 1) }
    return set
  }

  @Test(arguments: [
    (10, [1...9]), (25_000, [1...10_000]), (20_001, [1...10_000]),
  ])
  func aGapIsAskedForInPartsOfTheLargestRequest(_ sequence: Int, _ requests: [ClosedRange<Int>]) {
    var gaps = RecordGaps()
    gaps.add(set([sequence]))
    #expect(gaps.wait == .seconds(1) && gaps.takeRequests() == requests)
  }

  /// Holes that are never filled do not hold up others: each has its turn.
  @Test func eachHoleHasItsTurn() {
    var gaps = RecordGaps()
    gaps.add(set(stride(from: 2, through: 40, by: 2)))
    let turns = (1...3).map { _ in gaps.takeRequests().map(\.lowerBound) }
    #expect(turns == [[1, 3, 5, 7, 9, 11, 13, 15], [17, 19, 21, 23, 25, 27, 29, 31], [33, 35, 37, 39, 1, 3, 5, 7]])
  }

  /// Random messages of a device that loses some, forgets some, and starts again with a shorter journal.
  @Test(arguments: 0..<200)
  func whatIsKnownIsTrueAndEveryGapEndsClosedOrNamed(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var gaps = RecordGaps()
    var (last, had, stored, waiting) = (0, Set<Int>(), Set<Int>(), [Set<Int>]())
    func check() {
      let known = set(stored).union(gaps.missing).union(gaps.lost)
      #expect(gaps.missing.isDisjoint(set(stored)) && gaps.lost.isDisjoint(set(stored)), "seed \(seed)")
      #expect(gaps.missing.isDisjoint(gaps.lost) && gaps.missing.isSubset(of: set(1..<gaps.known + 1)), "seed \(seed)")
      #expect(set(1..<gaps.known + 1).isSubset(of: known) && gaps.highest == stored.max() ?? 0, "seed \(seed)")
    }
    /// The device answers requests as an appliance does: it sends what it has, and names the rest.
    func answer(_ requests: [ClosedRange<Int>]) {
      for range in requests {
        waiting.append(had.intersection(range))
        let absent = range.filter { !had.contains($0) }
        gaps.learn(from: ResendReport(missing: absent.map { $0...$0 }, last: last))
        check()
      }
    }
    for _ in 0..<60 {
      switch UInt8.random(in: 0..<8, using: &random) {
      case 0...2:
        let count = Int.random(in: 1...5, using: &random)
        had.formUnion(last + 1...last + count)
        waiting.append(Set(last + 1...last + count))
        last += count
      case 3: gaps.learn(of: last)
      case 4: if !waiting.isEmpty { waiting.remove(at: Int.random(in: waiting.indices, using: &random)) }
      case 5: answer(gaps.takeRequests())
      case 6: had.subtract([Int.random(in: 1...max(last, 1), using: &random)])
      default:
        if !waiting.isEmpty {
          let batch = waiting.remove(at: Int.random(in: waiting.indices, using: &random))
          stored.formUnion(batch)
          gaps.add(set(batch))
        }
      }
      check()
    }
    // Now nothing is lost any more: every gap is closed, or named as lost.
    gaps.learn(of: last)
    for _ in 0..<200 where !gaps.missing.isEmpty {
      answer(gaps.takeRequests())
      for batch in waiting where !batch.isEmpty {
        stored.formUnion(batch)
        gaps.add(set(batch))
      }
      waiting = []
      check()
    }
    #expect(gaps.missing.isEmpty && set(had).subtracting(set(stored)).isEmpty, "seed \(seed)")
  }
}
