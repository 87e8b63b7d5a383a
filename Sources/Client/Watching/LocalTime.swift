import Foundation

/// The local time of day.
enum LocalTime {
  /// `14:05:09` for `2026-11-21T13:05:09.250Z` one hour east of Greenwich; eight dashes for an invalid time.
  static func text(_ time: String) -> String {
    guard let date = try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(time) else {
      return "--------"
    }
    return text(date)
  }

  /// The current time of day.
  static func now() -> String { text(Date()) }

  private static func text(_ date: Date) -> String {
    var seconds = time_t(date.timeIntervalSince1970)
    var parts = tm()
    localtime_r(&seconds, &parts)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return [parts.tm_hour, parts.tm_min, parts.tm_sec].map(two).joined(separator: ":")
  }
}
