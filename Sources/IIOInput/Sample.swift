import Weighing

/// A count of a converter and when it was read.
struct Sample: Hashable, Sendable {
  var count: Int64
  var time: Instant
}

/// Recognises a conversion that was read twice, from a driver that returns the last one at once.
///
/// Two equal counts within one and a half periods are one conversion if the noise makes chance improbable. Which counts are wrong, the
/// filter of the scale decides.
struct RepeatFilter {
  /// The noise in counts above which two equal counts are improbable.
  private static let noisyCounts = 4.0
  /// The share of a new difference in the mean.
  private static let weight = 0.125
  /// A larger difference, as a fraction of the range, is a change of the load or a wrong count, and says nothing about the noise.
  private static let jumpFraction: Int64 = 512

  private let jump: Int64
  private let repeatTime: Interval
  private var last: Sample?
  /// The mean difference of two conversions in counts.
  private var meanDifference = 0.0

  /// Makes a filter.
  ///
  /// - Parameter period: The time between two conversions.
  init(_ range: CountRange, period: Interval) {
    jump = max((range.top - range.bottom) / Self.jumpFraction, 1)
    repeatTime = period + Interval(nanoseconds: period.nanoseconds / 2)
  }

  /// Whether a sample is the conversion before it once more.
  mutating func isRepeat(_ sample: Sample) -> Bool {
    guard let last else {
      last = sample
      return false
    }
    let difference = (sample.count - last.count).magnitude
    if difference == 0, meanDifference > Self.noisyCounts, sample.time - last.time < repeatTime { return true }
    if difference <= jump { meanDifference += Self.weight * (Double(difference) - meanDifference) }
    self.last = sample
    return false
  }
}

/// When to read the next conversion.
///
/// A driver that waits for the conversion is read again at once. One that returns the last conversion is read once a
/// period.
struct SamplePace {
  /// The period of a converter that does not state its rate.
  static let defaultPeriod = Interval.milliseconds(20)
  /// The driver of the HX711 looks for a conversion at most this often.
  private static let shortestWait = Interval.milliseconds(10)
  /// A driver that has taken a quarter of the period for this many reads in a row waits for the conversion itself. A busy
  /// machine delays fewer.
  private static let fewestSlowReads = 8

  private let waits: Bool
  private let period: Interval
  private var due: Instant
  private var slowReads = 0

  init(waits: Bool, period: Interval, at now: Instant) {
    (self.waits, self.period) = (waits, period)
    due = now
  }

  /// When to read again after a read from `start` to `end`.
  mutating func next(start: Instant, end: Instant) -> Instant {
    let half = Interval(nanoseconds: period.nanoseconds / 2)
    slowReads = (end - start).nanoseconds * 4 >= period.nanoseconds ? slowReads + 1 : 0
    if waits {
      // A conversion was ready: the next one is not due yet. Otherwise a driver that does not wait would be read
      // without a pause.
      due = max(start + min(half, Self.shortestWait), end)
    } else if slowReads >= Self.fewestSlowReads {
      due = end
    } else {
      // After a delay, the next conversion is not there yet.
      due = max(due + period, start + half, end)
    }
    return due
  }
}
