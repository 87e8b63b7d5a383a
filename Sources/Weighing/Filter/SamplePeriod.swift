/// The sample period of the pad, learned from its frames.
///
/// On a pad that delivers each sample, the period is the median of the last eight intervals: samples that are late, lost
/// or delivered together do not change it.
///
/// evdev drops repeated values, so that the frames of other pads are one or more samples apart. The second shortest of
/// the last eight intervals is the period: the shortest may be that of two frames that the bus delivered together.
/// Intervals over 40 ms are mostly those of a repeated value, or of loads that are put down one after the other. They are
/// the period only on a pad that has never been faster and whose frames come at equal distances, of 125 ms at most. If
/// the distances are longer, the noise of the values has to show that they are samples (`SampleModel`).
struct SamplePeriod: Sendable {
  /// The time between two samples.
  private(set) var length = assumed
  /// The period before the first frames: 125 Hz, common for touchpads.
  static let assumed = Interval.milliseconds(8)
  /// Whether the period is that of frames at equal distances of more than 40 ms.
  private(set) var isSlow = false
  /// Whether the frames come at equal distances of more than 40 ms and may be the samples of a converter.
  private(set) var mayBeSlow = false

  private var recent: InlineArray<8, Int64> = .init(repeating: 0)
  private var next = 0
  /// Whether the pad has had `fewestFast` of eight frames at distances of less than `longest`.
  private(set) var wasFast = false

  /// In nanoseconds: no pad is faster than 2 kHz, and no pad that repeats values is slower than 25 Hz.
  private static let shortest: Int64 = 500_000
  private static let longest: Int64 = 40_000_000
  /// No converter is slower than this, in nanoseconds; the slowest ones of the trade take a sample a second.
  private static let longestRegular: Int64 = 1_500_000_000
  /// The longest period in ns that equal distances alone show: 8 samples/s, a fifth less than the slowest common
  /// converters (HX711, 10 per second).
  private static let longestQuiet: Int64 = 125_000_000
  /// A pad with this many short intervals among eight is not a slow converter. One or two may be frames delivered
  /// together.
  private static let fewestFast = 3
  /// The least number of equal intervals of a slow converter, and of one whose values do not show that it is one.
  private static let fewestEqual = 3
  private static let fewestEqualOfQuiet = 6

  /// Evaluates the time between two frames.
  mutating func observe(_ distance: Interval, deliversEverySample: Bool = false) {
    guard distance.nanoseconds >= Self.shortest / 2 else { return }
    recent[next] = min(max(distance.nanoseconds, Self.shortest), 2 * Self.longestRegular)
    next = (next + 1) & 7
    if deliversEverySample {
      length.nanoseconds = min(median, Self.longestRegular)
    } else {
      evaluateDistinctValues()
    }
  }

  private mutating func evaluateDistinctValues() {
    var (first, second) = (Int64.max, Int64.max)
    for index in recent.indices {
      let value = recent[index]
      guard value > 0 else { continue }
      if value < first {
        (first, second) = (value, first)
      } else if value < second {
        second = value
      }
    }
    if second == .max { second = first }
    mayBeSlow = false
    isSlow = false
    length.nanoseconds = min(second, Self.longest)
    guard !wasFast else { return }
    wasFast = recent.indices.count { recent[$0] > 0 && recent[$0] < Self.longest } >= Self.fewestFast
    guard second > Self.longest, !wasFast else { return }
    let period = median
    let (equal, known) = equalIntervals(period)
    mayBeSlow = period <= Self.longestRegular && equal >= Self.fewestEqual && 4 * equal >= 3 * known
    isSlow = mayBeSlow && period <= Self.longestQuiet && equal >= Self.fewestEqualOfQuiet
    if isSlow { length.nanoseconds = period }
  }

  /// Treats the intervals as those of single samples.
  mutating func acceptIntervals() { length.nanoseconds = min(median, Self.longestRegular) }

  /// How many intervals are within a quarter of a period or of two, when one value was repeated; and how many are known.
  private func equalIntervals(_ period: Int64) -> (equal: Int, known: Int) {
    var (equal, known) = (0, 0)
    for index in recent.indices where recent[index] > 0 {
      known += 1
      let away = min((recent[index] - period).magnitude, (recent[index] - 2 * period).magnitude / 2)
      if away <= period.magnitude / 4 { equal += 1 }
    }
    return (equal, known)
  }

  /// The median of the known intervals, the upper one of two.
  private var median: Int64 {
    var sorted = recent
    var count = 0
    for index in recent.indices where recent[index] > 0 {
      let value = recent[index]
      var place = count
      while place > 0, sorted[place - 1] > value {
        sorted[place] = sorted[place - 1]
        place -= 1
      }
      sorted[place] = value
      count += 1
    }
    return sorted[count / 2]
  }

  /// The number of samples that the pad took while a value was constant for an interval: at least one.
  func samples(in interval: Interval) -> Int {
    max(Int((interval.nanoseconds &+ length.nanoseconds / 2) / length.nanoseconds), 1)
  }
}
