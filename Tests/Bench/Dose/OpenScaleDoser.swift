/// openscale: a margin before the target that is learned from the last three doses.
///
/// Idea: decentespresso/openscale at b2be435, include/grinder_adaptive_safety.h, grinder_protocol.h, and
/// grinder_runtime_low_latency.h.
struct OpenScaleDoser: Doser {
  private var margin = 2.0
  private var margins: [Double] = []
  private var target = Double.infinity
  private var began = Double.infinity
  private var stopped: Double?
  /// The result and when it was known.
  private var result: (mass: Double, time: Double)?
  private var resting = (mass: 0.0, since: 0.0)
  /// How far a settled load may move: 0.15 g, or five standard deviations of the noise.
  private let tolerance: Double

  /// When a settled load counts: after the stop, and after it has settled, in seconds.
  private static let delays = (stop: 1.0, settled: 1.5)
  private static let history = 3
  /// A larger error of a dose is an outlier; a smaller one changes the margin by at most `step`, in grams.
  private static let outlier = 5.0
  private static let step = 2.0
  /// A faster mean flow is not learned, in grams per second.
  private static let fastest = 6.0
  /// The largest margin, and the least mass that remains before it.
  private static let limits = (margin: 10.0, cutoff: 5.0)

  init(noise: Double) { tolerance = max(0.15, 5 * noise) }

  var isDone: Bool { stopped != nil }

  mutating func aim(at target: Double, at time: Double) {
    self.target = target
    (began, stopped, result) = (.infinity, nil, nil)
  }

  mutating func begin(at time: Double) { began = time }

  mutating func process(_ sample: DoseSample) -> PlantCommand? {
    guard let stopped else {
      guard sample.time > began, sample.net >= target - margin else { return nil }
      self.stopped = sample.time
      resting = (sample.net, sample.time)
      return .stop
    }
    if result != nil { return nil }
    if (sample.net - resting.mass).magnitude > tolerance {
      resting = (sample.net, sample.time)
    } else if sample.time >= max(stopped + Self.delays.stop, resting.since + Self.delays.settled) {
      result = (sample.net, sample.time)
    }
    return nil
  }

  mutating func end(at time: Double) {
    defer { target = .infinity }
    guard let result, (result.mass - target).magnitude <= Self.outlier,
      result.mass / (result.time - began) <= Self.fastest
    else { return }
    let error = min(max(result.mass - target, -Self.step), Self.step)
    margins.append(min(max(margin + error, 0), min(Self.limits.margin, target - Self.limits.cutoff)))
    margins = margins.suffix(Self.history)
    margin = margins.reduce(0, +) / Double(margins.count)
  }
}
