/// A point in monotonic time, in nanoseconds since an arbitrary start.
///
/// On the appliance the start is that of CLOCK_MONOTONIC; in a recording it is given by the times of the events. The
/// core never reads a clock: an `Instant` is always passed in.
public struct Instant: Comparable, Hashable, Sendable {
  /// Nanoseconds since the start of the clock.
  public var nanoseconds: Int64

  /// Makes an instant from nanoseconds since the start of the clock.
  @inlinable
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Makes an instant from the two parts of an evdev time stamp; saturates on overflow.
  @inlinable
  public init(seconds: Int64, microseconds: Int64) {
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflow2) = whole.addingReportingOverflow(microseconds &* 1000)
    nanoseconds = overflow || overflow2 ? (seconds < 0 ? .min / 2 : .max / 2) : sum
  }

  /// The earlier instant first.
  @inlinable
  public static func < (a: Instant, b: Instant) -> Bool { a.nanoseconds < b.nanoseconds }

  /// The instant `interval` later.
  @inlinable
  public static func + (instant: Instant, interval: Interval) -> Instant {
    Instant(nanoseconds: instant.nanoseconds &+ interval.nanoseconds)
  }

  /// The time from `start` to `end`; negative if `end` is earlier.
  @inlinable
  public static func - (end: Instant, start: Instant) -> Interval {
    Interval(nanoseconds: end.nanoseconds &- start.nanoseconds)
  }
}

/// A duration in nanoseconds.
public struct Interval: Comparable, Hashable, Sendable {
  /// The duration in nanoseconds; may be negative.
  public var nanoseconds: Int64

  /// Makes an interval from nanoseconds.
  @inlinable
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// A duration of zero.
  public static let zero = Interval(nanoseconds: 0)

  /// An interval of whole milliseconds.
  @inlinable
  public static func milliseconds(_ count: Int) -> Interval { Interval(nanoseconds: Int64(count) * 1_000_000) }

  /// An interval of seconds, rounded to the nanosecond.
  @inlinable
  public static func seconds(_ count: Double) -> Interval { Interval(nanoseconds: Int64((count * 1e9).rounded())) }

  /// The duration in seconds.
  @inlinable
  public var seconds: Double { Double(nanoseconds) * 1e-9 }

  /// The shorter interval first.
  @inlinable
  public static func < (a: Interval, b: Interval) -> Bool { a.nanoseconds < b.nanoseconds }

  /// The sum of two durations.
  @inlinable
  public static func + (a: Interval, b: Interval) -> Interval { Interval(nanoseconds: a.nanoseconds &+ b.nanoseconds) }

  /// `interval` multiplied by `factor`.
  @inlinable
  public static func * (interval: Interval, factor: Int) -> Interval {
    Interval(nanoseconds: interval.nanoseconds * Int64(factor))
  }
}
