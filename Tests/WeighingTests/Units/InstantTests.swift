import Testing
import Weighing

/// Time as values.
@Suite struct InstantTests {
  @Test func anEventsTimeHasTwoParts() {
    #expect(Instant(seconds: 3, microseconds: 250_001).nanoseconds == 3_250_001_000)
    #expect(Instant(seconds: -1, microseconds: 0).nanoseconds == -1_000_000_000)
  }

  @Test(arguments: [Int64.max, .max / 2, .min, .min / 2])
  func absurdTimesAreBounded(_ seconds: Int64) {
    let instant = Instant(seconds: seconds, microseconds: .max)
    #expect(instant.nanoseconds.magnitude <= UInt64(Int64.max) / 2 + 1)
    #expect((instant.nanoseconds < 0) == (seconds < 0))
  }

  @Test func differencesAreIntervals() {
    let start = Instant(nanoseconds: 5)
    #expect(start + .milliseconds(2) - start == .milliseconds(2))
    #expect(Interval.seconds(0.0015) == .milliseconds(1) + Interval(nanoseconds: 500_000))
    #expect(Interval.milliseconds(300) * 3 == .seconds(0.9))
    #expect(Interval.seconds(-0.25).seconds == -0.25)
  }
}
