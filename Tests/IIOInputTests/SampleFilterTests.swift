import Recordings
import Testing
import Weighing

@testable import IIOInput

/// Which counts are new conversions, and when the next one is read.
@Suite struct SampleFilterTests {
  /// The counts that pass, from one count every 100 ms.
  private func passed(_ counts: [Int64], period: Interval? = nil) throws -> [Int64] {
    var filter = SampleFilter(try #require(CountRange(bits: 24, isSigned: true)), period: period)
    var passed: [Int64] = []
    for (index, count) in counts.enumerated() {
      filter.add(Sample(count: count, time: Instant(nanoseconds: Int64(index) * 100_000_000))) {
        passed.append($0.count)
      }
    }
    return passed
  }

  @Test(
    arguments: [
      // 0x01FFFF became 0x020000 between the bytes.
      ([0x1ffff, 0x2ffff, 0x20000], [0x1ffff, 0x20000]),
      ([0x1ffff, 0x10000, 0x20000], [0x1ffff, 0x20000]),
      // The end of the range, and a wrong sign.
      ([100, 8_388_607, 101, 102], [100, 101, 102]), ([100, -8_388_608, 101], [100, 101]),
      // A load that stays, and one that was wrong on the way.
      ([100, 900_000, 900_010, 900_020], [100, 900_000, 900_010, 900_020]),
      ([100, 8_388_607, 900_000, 900_001], [100, 900_000, 900_001]),
      // Overload.
      ([100, 8_388_607, 8_388_607, 8_388_607], [100, 8_388_607, 8_388_607, 8_388_607]),
      // Among noise.
      ([100, 200, 150, 66_000, 120], [100, 200, 150, 120]),
      // Small steps are left to the scale.
      ([0, 30_000, 0], [0, 30_000, 0]),
    ] as [([Int64], [Int64])]) func dropsOneWrongCount(counts: [Int64], expected: [Int64]) throws
  {
    #expect(try passed(counts) == expected)
  }

  @Test func keepsTheTimeOfEachSample() throws {
    var filter = SampleFilter(try #require(CountRange(bits: 24, isSigned: true)), period: nil)
    var times: [Int64] = []
    for (index, count) in [0, 900_000, 900_001].enumerated() {
      filter.add(Sample(count: Int64(count), time: Instant(nanoseconds: Int64(index)))) {
        times.append($0.time.nanoseconds)
      }
    }
    #expect(times == [0, 1, 2])
    #expect(filter.spikes == 0)
  }

  /// A converter with noise is polled a little faster than it converts: equal counts are one conversion.
  @Test func dropsAConversionReadTwice() throws {
    let noisy: [Int64] = [100, 140, 90, 130, 80, 120, 75, 125, 60, 110, 110, 70, 70, 130]
    #expect(try passed(noisy, period: .milliseconds(100)) == [100, 140, 90, 130, 80, 120, 75, 125, 60, 110, 70, 130])
    // Each read waits for a new conversion: both are new.
    #expect(try passed(noisy) == noisy)
    // A converter that has stopped: not every read counts, but it does not look silent.
    #expect(try passed(noisy + [130, 130, 130, 130], period: .milliseconds(100)).suffix(4) == [70, 130, 130, 130])
  }

  @Test func keepsEqualCountsWithoutNoise() throws {
    let quiet: [Int64] = [100, 101, 101, 100, 100, 100, 101]
    #expect(try passed(quiet, period: .milliseconds(100)) == quiet)
  }

  private func at(_ milliseconds: Int) -> Instant { Instant(nanoseconds: Int64(milliseconds) * 1_000_000) }

  @Test func readsOnceAPeriod() {
    var pace = SamplePace(waits: false, period: .milliseconds(100), at: at(0))
    #expect(pace.next(start: at(0), end: at(1)) == at(100))
    #expect(pace.next(start: at(105), end: at(106)) == at(200))
    // The thread was late: it does not read in a burst.
    #expect(pace.next(start: at(450), end: at(451)) == at(500))
    #expect(pace.next(start: at(500), end: at(501)) == at(600))
  }

  /// Reads are late and slow at random, as on a busy machine.
  @Test(arguments: 0..<100) func readsAtMostOnceAPeriodOnABusyMachine(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var pace = SamplePace(waits: false, period: .milliseconds(8), at: at(0))
    var (due, last) = (at(0), at(-8))
    for read in 0..<1000 {
      let isLate = Int.random(in: 0..<10, using: &random) == 0
      let start = due + .milliseconds(isLate ? .random(in: 0..<100, using: &random) : 0)
      #expect(start >= at(8 * read) && start - last >= .milliseconds(4))
      last = start
      due = pace.next(start: start, end: start + .milliseconds(read % 8 == 7 ? 0 : .random(in: 0..<10, using: &random)))
    }
  }

  @Test func readsAgainAtOnceIfTheDriverWaits() {
    var slow = SamplePace(waits: false, period: .milliseconds(20), at: at(0))
    for read in 0..<7 { _ = slow.next(start: at(100 * read), end: at(100 * read + 90)) }
    #expect(slow.next(start: at(700), end: at(790)) == at(790))
    #expect(slow.next(start: at(790), end: at(880)) == at(880))
    // A conversion was ready.
    #expect(slow.next(start: at(880), end: at(880)) == at(900))
    var known = SamplePace(waits: true, period: .milliseconds(100), at: at(0))
    #expect(known.next(start: at(0), end: at(90)) == at(90))
    // A conversion was ready: not read again without a pause.
    #expect(known.next(start: at(90), end: at(91)) == at(100))
    var fast = SamplePace(waits: true, period: .milliseconds(4), at: at(0))
    #expect(fast.next(start: at(0), end: at(0)) == at(2))
  }
}
