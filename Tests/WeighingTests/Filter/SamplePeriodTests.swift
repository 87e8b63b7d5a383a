import Recordings
import Testing

@testable import Weighing

/// How often a pad takes a sample, from frames that come whole samples apart.
@Suite struct SamplePeriodTests {
  @Test(arguments: [60, 100, 125, 250, 1000])
  func itIsFoundAmongRepeatedValues(_ rate: Int) {
    var random = SplitMix64(seed: 1)
    var period = SamplePeriod()
    let one = Int64(1_000_000_000 / rate)
    for _ in 0..<40 {
      // Mostly the next sample, sometimes one later, a little late or early by the bus.
      let samples = Int64(1 + (random.next() % 3 == 0 ? random.next() % 4 : 0))
      period.observe(Interval(nanoseconds: samples * one + Int64(random.next() % 200_000) - 100_000))
    }
    let found = Double(period.length.nanoseconds)
    #expect((found / Double(one) - 1).magnitude < 0.11)
  }

  @Test func eightMillisecondsUntilItIsKnown() {
    #expect(SamplePeriod().length == .milliseconds(8))
  }

  /// Two frames that the bus delivered together.
  @Test func oneShortDistanceIsNotBelieved() {
    var period = SamplePeriod()
    for distance in [8, 8, 1, 15, 8, 8] { period.observe(.milliseconds(distance)) }
    #expect(period.length == .milliseconds(8))
  }

  @Test(arguments: [(0, 1), (3, 1), (11, 1), (13, 2), (80, 10), (-500, 1)])
  func aValueStandsForSamples(_ milliseconds: Int, _ samples: Int) {
    #expect(SamplePeriod().samples(in: .milliseconds(milliseconds)) == samples)
  }

  /// The frames of a slow converter come at equal distances; one that is missing, late or in a bunch does not matter.
  @Test(arguments: [
    ([100, 100, 100, 100, 100, 100], 100), ([100, 102, 98, 200, 100, 101, 99, 100, 100], 100),
    ([125, 125, 125, 125, 125, 125, 125], 125), ([100, 100, 100, 100, 100], 40),
    ([100, 1, 100, 99, 100, 100, 100, 100], 100), ([86, 86, 172, 86, 86, 172, 86, 86, 172, 172, 86, 86, 86, 86], 86),
    // What repeats its values comes at any distance, or was faster before; and loads come at long ones.
    ([100, 230, 60, 300, 110, 90, 180, 70], 40), ([8, 8, 8, 100, 100, 100, 100, 100, 100, 100, 100], 40),
    ([300, 300, 300, 300, 300, 300, 300, 300], 40),
  ])
  func aSlowConverterIsRegular(_ distances: [Int], _ milliseconds: Int) {
    var period = SamplePeriod()
    for distance in distances { period.observe(.milliseconds(distance)) }
    #expect(period.length == .milliseconds(milliseconds))
    #expect(period.isSlow == (milliseconds != 40))
  }

  /// After three equal distances of any length, the values decide.
  @Test(arguments: [
    ([100, 100], false), ([100, 100, 100], true), ([200, 170, 220, 190, 230, 200, 185, 210], true),
    ([1000, 1010, 990, 1000], true), ([2000, 2000, 2000, 2000], false), ([100, 230, 60, 300, 110, 90, 180, 70], false),
    ([8, 8, 8, 100, 100, 100, 100, 100, 100, 100, 100], false),
  ])
  func equalDistancesMayBeSamples(_ distances: [Int], _ mayBeSlow: Bool) {
    var period = SamplePeriod()
    for distance in distances { period.observe(.milliseconds(distance)) }
    #expect(period.mayBeSlow == mayBeSlow)
    if mayBeSlow {
      period.acceptIntervals()
      #expect((period.length.seconds / (Double(distances[0]) / 1000) - 1).magnitude < 0.05)
    }
  }

  /// Where each sample arrives, the period follows changes of rate; late, lost and bunched samples do not matter.
  @Test(arguments: [
    ([100], 100), ([100, 1, 199, 100], 100), ([12, 13, 12, 13, 12, 100, 100, 100, 100, 100], 100),
    ([100, 100, 100, 100, 5000, 100, 100, 9000], 100), ([100, 100, 100, 100, 12, 12, 12, 12, 12], 12),
  ])
  func aConverterIsFollowed(_ distances: [Int], _ milliseconds: Int) {
    var period = SamplePeriod()
    for distance in distances { period.observe(.milliseconds(distance), deliversEverySample: true) }
    #expect(period.length == .milliseconds(milliseconds))
  }

  /// No pad is faster than 2 kHz or slower than 25 Hz.
  @Test func absurdDistancesAreBounded() {
    var period = SamplePeriod()
    for _ in 0..<10 { period.observe(.seconds(3600)) }
    #expect(period.length == .milliseconds(40))
    for _ in 0..<10 { period.observe(Interval(nanoseconds: 300_000)) }
    #expect(period.length == Interval(nanoseconds: 500_000))
    for distance in [Int64.min, -1, 0, 1] { period.observe(Interval(nanoseconds: distance)) }
    #expect(period.length == Interval(nanoseconds: 500_000))
  }
}
