import Weighing

/// The recent force on the sensor.
struct LoadHistory {
  private var times: [Instant]
  private var loads: [Double]
  private var count = 0

  /// Keeps the samples of a pad for `time`.
  init(_ time: Interval, rate: Int) {
    let samples = Int(time.seconds * Double(rate)) + 4
    times = Array(repeating: Instant(nanoseconds: 0), count: samples)
    loads = Array(repeating: 0, count: samples)
  }

  mutating func append(_ load: Double, at time: Instant) {
    times[count % times.count] = time
    loads[count % times.count] = load
    count += 1
  }

  /// Returns the motion of the load, peak to peak, within a time before a moment.
  func motion(within time: Interval, before moment: Instant) -> Double {
    var (low, high) = (Double.infinity, -Double.infinity)
    var index = count - 1
    while index >= 0, count - index <= times.count, moment - times[index % times.count] <= time {
      if times[index % times.count] <= moment {
        low = min(low, loads[index % times.count])
        high = max(high, loads[index % times.count])
      }
      index -= 1
    }
    return max(high - low, 0)
  }
}
