/// The sample period of a series, and what is missing in it.
struct SampleTiming: Sendable {
  /// The time between two samples in seconds; `nil` for fewer than `fewest` intervals.
  let period: Double?
  /// The longest time without a sample in seconds, including the time before the first and after the last one.
  let longestSilence: Double
  /// The times without a sample that are longer than `gap` periods; empty if silence may be a repeated value.
  let gaps: [Double]

  /// The least number of intervals from which a period is determined.
  private static let fewest = 3
  /// A gap is longer than this many periods: jitter makes single intervals up to twice as long.
  private static let gap = 2.5

  /// Evaluates a series.
  ///
  /// - Parameter deliversEverySample: Whether each sample arrives, repeated values included.
  init(_ series: SampledSeries, end: Instant, deliversEverySample: Bool) {
    let intervals = series.intervals(skipsGaps: !deliversEverySample).sorted()
    period = Self.period(intervals, deliversEverySample: deliversEverySample)
    let first = series.samples.first?.time ?? end
    let last = series.samples.last?.time ?? series.start
    let silences = intervals + [(first - series.start).seconds, (end - last).seconds]
    longestSilence = max(silences.max() ?? 0, 0)
    if deliversEverySample, let period {
      gaps = silences.filter { $0 > Self.gap * period }
    } else {
      gaps = []
    }
  }

  /// The typical interval: the mean of those close to the median, or to a low quantile if values may be left out.
  ///
  /// A pad that leaves out repeated values has intervals of one, two, three ... periods. As long as a fifth of its
  /// samples differ from the previous one, the shortest fifth of the intervals are one period long.
  private static func period(_ sorted: [Double], deliversEverySample: Bool) -> Double? {
    guard sorted.count >= fewest else { return nil }
    let typical = sorted[deliversEverySample ? sorted.count / 2 : sorted.count / 5]
    let close = sorted.filter { $0 > 0.6 * typical && $0 < 1.45 * typical }
    return close.isEmpty ? typical : close.reduce(0, +) / Double(close.count)
  }
}
