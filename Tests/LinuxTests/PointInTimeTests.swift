import Testing
import Weighing

@testable import Linux

/// Times on the command line, with offsets, so that the result does not depend on the time zone of the machine.
@Suite struct PointInTimeTests {
  private static let now = Instant(nanoseconds: 1_800_000_000_000_000_000)

  @Test(arguments: [
    ("2026-11-21T06:30:00Z", 1_795_242_600.0), ("2026-11-21T06:30Z", 1_795_242_600),
    ("2026-11-21 07:30:00.5+01:00", 1_795_242_600.5), ("2026-11-21t01:30-0500", 1_795_242_600),
    ("45m", 1_799_997_300), ("24h", 1_799_913_600), ("7d", 1_799_395_200), ("0s", 1_800_000_000),
  ])
  func parses(_ text: String, _ seconds: Double) throws {
    let time = try #require(PointInTime(text, now: Self.now))
    #expect(Double(time.instant.nanoseconds) / 1e9 == seconds)
    #expect(time.end == time.instant)
  }

  @Test(arguments: [
    "", "x", "2026", "2026-13-01", "2026-02-29", "2026-11-21T24:00", "2026-11-21T06", "-1d",
    "2026-11-21T06:30:00+25:00",
    "2026-11-21T06:30:00Zx", "5 h",
  ])
  func rejects(_ text: String) { #expect(PointInTime(text, now: Self.now) == nil) }

  @Test func aDayIncludesItsEnd() throws {
    let day = try #require(PointInTime("2028-02-29", now: Self.now))
    #expect(day.instant < day.end)
  }
}
