import Foundation
import Messages
import Testing
import Weighing

/// Times of day from moments of a clock.
@Suite struct WallClockTests {
  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z"), (1_000_000_000_000_000_000, "2001-09-09T01:46:40.000Z"),
    (951_782_400_000_000_000, "2000-02-29T00:00:00.000Z"), (951_868_799_999_999_999, "2000-02-29T23:59:59.999Z"),
    (951_868_800_000_000_000, "2000-03-01T00:00:00.000Z"), (1_709_164_800_000_000_000, "2024-02-29T00:00:00.000Z"),
    (4_107_542_400_000_000_000, "2100-03-01T00:00:00.000Z"), (4_107_542_399_999_000_000, "2100-02-28T23:59:59.999Z"),
    (-1, "1969-12-31T23:59:59.999Z"), (-1_000_000, "1969-12-31T23:59:59.999Z"),
    (-1_000_001, "1969-12-31T23:59:59.998Z"), (-86_400_000_000_000, "1969-12-31T00:00:00.000Z"),
    (.max, "2262-04-11T23:47:16.854Z"), (.min, "1677-09-21T00:12:43.145Z"),
  ])
  func knownTimes(_ nanoseconds: Int64, _ expected: String) {
    #expect(WallClock.recorded.text(Instant(nanoseconds: nanoseconds)) == expected)
  }

  /// Every day of the years that a clock can say, against the calendar of Foundation.
  @Test func manyDaysAgreeWithFoundation() {
    let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    for day in stride(from: -100_000, through: 100_000, by: 97) {
      let seconds = day * 86_400 + (day.magnitude % 86_399 == 0 ? 0 : Int(day.magnitude % 86_399))
      let ours = WallClock.recorded.text(Instant(nanoseconds: Int64(seconds) * 1_000_000_000))
      #expect(ours == Date(timeIntervalSince1970: Double(seconds)).formatted(format))
    }
  }

  @Test func theOffsetIsAdded() {
    let clock = WallClock(offset: .seconds(1_700_000_000))
    #expect(clock.text(Instant(nanoseconds: 250_000_000)) == "2023-11-14T22:13:20.250Z")
  }

  /// Sums past the end of the clock wrap around; they do not end the program.
  @Test(arguments: [Int64.max, .min, .max / 2])
  func absurdTimesAreStillTimes(_ nanoseconds: Int64) {
    for offset in [Int64.max, .min, 0, 1] {
      let text = WallClock(offset: Interval(nanoseconds: offset)).text(Instant(nanoseconds: nanoseconds))
      #expect(text.utf8.count == 24 && text.hasSuffix("Z"))
    }
  }
}
