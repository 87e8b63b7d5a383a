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
    text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { buffer in
      let count = strftime(buffer.baseAddress, buffer.count, "%Y-%m-%d %H:%M:%S", &parts)
      return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    zone = parts.tm_zone.map { String(cString: $0) } ?? "local"
  }

  /// The day, `2026-11-21`.
  package var day: String { String(text.prefix(10)) }
}
