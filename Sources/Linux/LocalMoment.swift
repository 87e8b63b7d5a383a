import Glibc
import Weighing

/// A local time, `2026-11-21 06:30:00`, with the abbreviation of its time zone. `localtime_r(3)`
package struct LocalMoment {
  /// The date and the time.
  package let text: String
  /// The abbreviation of the time zone.
  package let zone: String

  /// Converts a time since 1970 in UTC.
  package init(_ time: Instant) {
    var seconds = time_t((Double(time.nanoseconds) / 1e9).rounded(.down))
    var parts = tm()
    localtime_r(&seconds, &parts)
    func digits(_ value: Int32, _ count: Int) -> String {
      let text = "\(value)"
      return String(repeating: "0", count: max(count - text.count, 0)) + text
    }
    text =
      digits(parts.tm_year + 1900, 4) + "-" + digits(parts.tm_mon + 1, 2) + "-" + digits(parts.tm_mday, 2) + " "
      + [parts.tm_hour, parts.tm_min, parts.tm_sec].map { digits($0, 2) }.joined(separator: ":")
    zone = parts.tm_zone.map { String(cString: $0) } ?? "local"
  }

  /// The day, `2026-11-21`.
  package var day: String { String(text.prefix(10)) }
}
