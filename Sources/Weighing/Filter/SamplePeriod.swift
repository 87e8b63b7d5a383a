/// How often the pad takes a sample, learned from its frames.
///
/// Frames come whole samples apart, mostly one: the second shortest of the last eight distances is the period. The
/// shortest alone may be two frames that the bus delivered in a bunch.
struct SamplePeriod: Sendable {
  /// The time between two samples.
  private(set) var length = Interval.milliseconds(8)

  private var recent: (Int64, Int64, Int64, Int64, Int64, Int64, Int64, Int64) = (0, 0, 0, 0, 0, 0, 0, 0)
  private var next = 0

  /// No pad is faster than 2 kHz or slower than 25 Hz.
  private static let shortest: Int64 = 500_000
  private static let longest: Int64 = 40_000_000

  /// Takes the time between two frames.
  mutating func observe(_ distance: Interval) {
    guard distance.nanoseconds >= Self.shortest / 2 else { return }
    withUnsafeMutableBytes(of: &recent) { bytes in
      let distances = bytes.assumingMemoryBound(to: Int64.self)
      distances[next] = min(max(distance.nanoseconds, Self.shortest), Self.longest)
      var (first, second) = (Int64.max, Int64.max)
      for value in distances where value > 0 {
        if value < first {
          (first, second) = (value, first)
        } else if value < second {
          second = value
        }
      }
      length.nanoseconds = second == .max ? first : second
    }
    next = (next + 1) & 7
  }

  /// How many samples the pad took of a value that stood for an interval: at least one.
  func samples(in interval: Interval) -> Int {
    max(Int((interval.nanoseconds &+ length.nanoseconds / 2) / length.nanoseconds), 1)
  }
}
