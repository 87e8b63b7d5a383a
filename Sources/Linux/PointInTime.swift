import Glibc
import Weighing

/// A time given by a user: a day, a point in time, or an age. Without an offset it is local time.
package struct PointInTime {
  /// The time since 1970 in UTC; for a day, its beginning.
  package let instant: Instant
  /// The end of the interval, exclusive: for a day, the beginning of the next day.
  package let end: Instant

  /// Parses `2026-11-01`, `2026-11-01T08:30`, `2026-11-01T08:30:00Z` (seconds and offset are optional) or an age: `45m`,
  /// `24h`, `7d`. Rejects days that are not in the calendar.
  package init?(_ text: String, now: Instant) {
    if let unit = text.last.flatMap({ Self.units[$0] }), let count = Int(text.dropLast()), (0...100_000).contains(count)
    {
      instant = now + .seconds(Double(-count * unit))
      end = instant
      return
    }
    var scanner = Scanner(Array(text.utf8))
    guard let year = scanner.number(4), scanner.skip("-"), let month = scanner.number(2), scanner.skip("-"),
      let day = scanner.number(2), (1...12).contains(month), (1...Self.days(of: month, year)).contains(day)
    else { return nil }
    if scanner.isAtEnd {
      guard let first = Self.local(year, month, day), let next = Self.local(year, month, day + 1) else { return nil }
      (instant, end) = (first, next)
      return
    }
    guard scanner.skip("T") || scanner.skip("t") || scanner.skip(" "), let hour = scanner.number(2), hour < 24,
      scanner.skip(":"), let minute = scanner.number(2), minute < 60
    else { return nil }
    var second = 0
    var fraction = Interval.zero
    if scanner.skip(":") {
      guard let number = scanner.number(2), number < 60 else { return nil }
      second = number
      if scanner.skip(".") {
        guard let digits = scanner.fraction() else { return nil }
        fraction = digits
      }
    }
    let base: Instant?
    if scanner.isAtEnd {
      base = Self.local(year, month, day, hour, minute, second)
    } else if let offset = scanner.offset(), scanner.isAtEnd {
      base = Self.utc(year, month, day, hour, minute, second).map { $0 + .seconds(Double(-offset)) }
    } else {
      base = nil
    }
    guard let base else { return nil }
    instant = base + fraction
    end = instant
  }

  private static let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]

  /// The number of days in a month.
  private static func days(of month: Int, _ year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }

  /// Local time; `nil` past 2262, where an instant ends. `mktime(3)`
  private static func local(
    _ year: Int, _ month: Int, _ day: Int, _ hour: Int = 0, _ minute: Int = 0, _ second: Int = 0
  ) -> Instant? {
    var parts = parts(year, month, day, hour, minute, second)
    return instant(mktime(&parts))
  }

  /// UTC; `nil` past 2262. `timegm(3)`
  private static func utc(
    _ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int, _ second: Int
  ) -> Instant? {
    var parts = parts(year, month, day, hour, minute, second)
    return instant(timegm(&parts))
  }

  private static func parts(
    _ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int, _ second: Int
  ) -> tm {
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (Int32(year - 1900), Int32(month - 1), Int32(day))
    (parts.tm_hour, parts.tm_min, parts.tm_sec, parts.tm_isdst) = (Int32(hour), Int32(minute), Int32(second), -1)
    return parts
  }

  private static func instant(_ seconds: time_t) -> Instant? {
    let (nanoseconds, isBeyond) = Int64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    return isBeyond ? nil : Instant(nanoseconds: nanoseconds)
  }
}

/// Parses the parts of a time.
private struct Scanner {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { position == bytes.count }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func digit() -> Int? {
    guard position < bytes.count, case let byte = bytes[position], (0x30...0x39).contains(byte) else { return nil }
    position += 1
    return Int(byte - 0x30)
  }

  /// A number with exactly this many digits.
  mutating func number(_ digits: Int) -> Int? {
    var value = 0
    for _ in 0..<digits {
      guard let digit = digit() else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  /// One to nine digits after the decimal point of the seconds.
  mutating func fraction() -> Interval? {
    var nanoseconds: Int64 = 0
    var scale: Int64 = 100_000_000
    var count = 0
    while count < 9, let digit = digit() {
      nanoseconds += Int64(digit) * scale
      scale /= 10
      count += 1
    }
    return count > 0 ? Interval(nanoseconds: nanoseconds) : nil
  }

  /// `Z`, `+01:00` or `+0100`, in seconds.
  mutating func offset() -> Int? {
    if skip("Z") || skip("z") { return 0 }
    let sign = skip("+") ? 1 : skip("-") ? -1 : 0
    guard sign != 0, let hours = number(2), hours < 24 else { return nil }
    _ = skip(":")
    guard let minutes = number(2), minutes < 60 else { return nil }
    return sign * (hours * 3600 + minutes * 60)
  }
}
