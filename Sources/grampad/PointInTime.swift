import Foundation
import Weighing

/// A time as people write it: a day, a moment, or an age.
struct PointInTime {
  /// The time since 1970 in UTC.
  var instant: Instant

  /// Reads `2026-11-01` (its beginning in UTC), `2026-11-01T08:30:00Z` with any offset, or an age: `45m`, `24h`, `7d`.
  init?(_ text: String, now: Instant) {
    if let unit = text.last.flatMap({ Self.units[$0] }), let count = Int(text.dropLast()), (0...100_000).contains(count)
    {
      instant = now + .seconds(Double(-count * unit))
      return
    }
    let moment = Date.ISO8601FormatStyle()
    let styles = [moment, moment.time(includingFractionalSeconds: true), moment.year().month().day()]
    guard let date = styles.lazy.compactMap({ try? Date(text, strategy: $0) }).first else { return nil }
    // An instant reaches from 1677 to 2262.
    guard let milliseconds = Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded()) else { return nil }
    let (nanoseconds, isBeyond) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
    guard !isBeyond else { return nil }
    instant = Instant(nanoseconds: nanoseconds)
  }

  private static let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
}
