import Weighing

/// Converts instants of the monotonic clock to times of day.
public struct WallClock: Hashable, Sendable {
  /// The difference between the time since 1970 in UTC and an instant.
  public var offset: Interval

  /// Makes a clock that is ahead of the instants by an offset.
  public init(offset: Interval) { self.offset = offset }

  /// The clock of a recording whose instants are times of day.
  public static let recorded = WallClock(offset: .zero)

  /// The time of RFC 3339 in UTC with milliseconds, `2026-11-21T06:30:00.123Z`. Years after 9999 appear as 9999.
  public func text(_ instant: Instant) -> String {
    var bytes: [UInt8] = []
    bytes.append(upTo: 24) { put(instant, into: &$0) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Writes the time: 24 bytes.
  func put(_ instant: Instant, into text: inout ASCIIWriter) {
    let milliseconds = Self.floorDivide(instant.nanoseconds &+ offset.nanoseconds, 1_000_000)
    let days = Self.floorDivide(milliseconds, 86_400_000)
    let inDay = Int(milliseconds - days * 86_400_000)
    let date = Self.civil(days: days)
    func put(_ value: Int, _ width: Int, _ after: StaticString) {
      text.put(digits: UInt64(value), atLeast: width)
      text.put(after)
    }
    put(min(max(date.year, 0), 9999), 4, "-")
    put(date.month, 2, "-")
    put(date.day, 2, "T")
    put(inDay / 3_600_000, 2, ":")
    put(inDay / 60_000 % 60, 2, ":")
    put(inDay / 1000 % 60, 2, ".")
    put(inDay % 1000, 3, "Z")
  }

  private static func floorDivide(_ a: Int64, _ b: Int64) -> Int64 {
    let (quotient, remainder) = a.quotientAndRemainder(dividingBy: b)
    return remainder < 0 ? quotient - 1 : quotient
  }

  /// Year, month and day of a number of days since 1970-01-01 in the proleptic Gregorian calendar, counting years from
  /// March so that the leap day comes last (H. Hinnant, chrono-Compatible Low-Level Date Algorithms, civil_from_days).
  private static func civil(days: Int64) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = floorDivide(shifted, 146_097)
    let dayOfEra = Int(shifted - era * 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + Int(era) * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }
}
