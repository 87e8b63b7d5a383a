import Recordings
import Testing
import Weighing

@testable import IIOInput

/// Which counts are new conversions, and when the next one is read.
@Suite struct SamplePaceTests {
  /// The counts of new conversions, from one count every 100 ms.
  private func conversions(_ counts: [Int64]) throws -> [Int64] {
    var filter = RepeatFilter(try #require(CountRange(bits: 24, isSigned: true)), period: .milliseconds(100))
    return counts.enumerated().filter { index, count in
      !filter.isRepeat(Sample(count: count, time: Instant(nanoseconds: Int64(index) * 100_000_000)))
    }.map(\.element)
  }

  /// A converter with noise is polled a little faster than it converts: equal counts are one conversion.
  @Test func dropsAConversionReadTwice() throws {
    let noisy: [Int64] = [100, 140, 90, 130, 80, 120, 75, 125, 60, 110, 110, 70, 70, 130]
    #expect(try conversions(noisy) == [100, 140, 90, 130, 80, 120, 75, 125, 60, 110, 70, 130])
    // A converter that has stopped: not every read counts, but it does not look silent.
    #expect(try conversions(noisy + [130, 130, 130, 130]).suffix(4) == [70, 130, 130, 130])
  }

  @Test func keepsEqualCountsWithoutNoise() throws {
    let quiet: [Int64] = [100, 101, 101, 100, 100, 100, 101]
    #expect(try conversions(quiet) == quiet)
    // A load that is put on is no noise.
    #expect(try conversions([100, 101, 900_000, 900_000, 900_000]) == [100, 101, 900_000, 900_000, 900_000])
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
