/// GaggiMate: a line through the last four seconds, extrapolated by a delay that each dose corrects.
///
/// Idea: jniebuhr/gaggimate at 775e78f, src/display/core/predictive.h, process/GrindProcess.h, process/Process.h, and
/// Settings.h.
struct GaggiMateDoser: Doser {
  private var delay = 1.0
  private var target = Double.infinity
  private var began = Double.infinity
  private var stopped: Double?
  /// The values of the running dose.
  private var values: [(time: Double, mass: Double)] = []
  private var mass = 0.0
  /// The samples of the next value.
  private var sum = (mass: 0.0, count: 0.0)
  private var due = 0.0

  /// The window of the line, and how long after a stop its result is read; in seconds.
  private static let window = 4.0
  /// The time between two values and two decisions in seconds.
  private static let interval = 0.1

  var isDone: Bool { stopped != nil }

  mutating func aim(at target: Double, at time: Double) {
    self.target = target
    (began, stopped, values) = (.infinity, nil, [])
  }

  mutating func begin(at time: Double) { began = time }

  mutating func process(_ sample: DoseSample) -> PlantCommand? {
    sum = (sum.mass + sample.net, sum.count + 1)
    // A thousandth: a sample that is due at the very end of the interval.
    guard sample.time >= due - Self.interval / 1000 else { return nil }
    due = max(due + Self.interval, sample.time)
    let value = sum.mass / sum.count
    sum = (0, 0)
    if let stopped {
      if sample.time <= stopped + Self.window { mass = value }
      return nil
    }
    mass = value
    values.append((sample.time, mass))
    values.removeAll { sample.time - $0.time >= Self.window }
    guard sample.time > began, mass + rate * delay > target else { return nil }
    stopped = sample.time
    return .stop
  }

  private var rate: Double { max(slope(values[...]), 0) }

  mutating func end(at time: Double) {
    defer { target = .infinity }
    guard stopped != nil, rate > 0 else { return }
    let corrected = delay + (mass - target) / rate
    if corrected > 0, corrected < Self.window { delay = corrected }
  }
}
