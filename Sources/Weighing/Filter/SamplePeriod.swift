/// The sample period of the pad, learned from its frames.
///
/// Frames are whole samples apart, mostly one: the second shortest of the last eight intervals is the period. The
/// shortest alone may be that of two frames that the bus delivered together.
///
/// Intervals over 40 ms are mostly those of a repeated value. They are the period only on a pad that has never been
/// faster and whose frames are equally spaced, like those of a slow converter.
struct SamplePeriod: Sendable {
  /// The time between two samples.
  private(set) var length = Interval.milliseconds(8)

  private var recent: (Int64, Int64, Int64, Int64, Int64, Int64, Int64, Int64) = (0, 0, 0, 0, 0, 0, 0, 0)
  private var next = 0
  /// The number of intervals that were shorter than `longest`, up to `fewestFast`.
  private var fast = 0

  /// No pad is faster than 2 kHz, and no pad that repeats values is slower than 25 Hz.
  private static let shortest: Int64 = 500_000
  private static let longest: Int64 = 40_000_000
  /// No converter is slower than this: 8 samples per second, a fifth less than the slowest common ones (HX711, 10 per
  /// second).
  private static let longestRegular: Int64 = 125_000_000
  /// A pad with this many short intervals is not a slow converter. One or two may be frames delivered together.
  private static let fewestFast = 3
  /// How many of the last eight intervals have to be within a fifth of the period.
  private static let fewestEqual = 6

  /// Evaluates the time between two frames.
  mutating func observe(_ distance: Interval) {
    guard distance.nanoseconds >= Self.shortest / 2 else { return }
    if distance.nanoseconds < Self.longest { fast = min(fast + 1, Self.fewestFast) }
    let mayBeSlow = fast < Self.fewestFast
    withUnsafeMutableBytes(of: &recent) { bytes in
      let distances = bytes.assumingMemoryBound(to: Int64.self)
      distances[next] = min(max(distance.nanoseconds, Self.shortest), 2 * Self.longestRegular)
      var (first, second) = (Int64.max, Int64.max)
      for value in distances where value > 0 {
        if value < first {
          (first, second) = (value, first)
        } else if value < second {
          second = value
        }
      }
      if second == .max { second = first }
      if second > Self.longest, !mayBeSlow || !Self.isRegular(second, distances) { second = Self.longest }
      length.nanoseconds = second
    }
    next = (next + 1) & 7
  }

  private static func isRegular(_ period: Int64, _ distances: UnsafeMutableBufferPointer<Int64>) -> Bool {
    guard period <= longestRegular else { return false }
    return distances.count { ($0 - period).magnitude <= period.magnitude / 5 } >= fewestEqual
  }

  /// The number of samples that the pad took while a value was constant for an interval: at least one.
  func samples(in interval: Interval) -> Int {
    max(Int((interval.nanoseconds &+ length.nanoseconds / 2) / length.nanoseconds), 1)
  }
}
