/// Measures how long a force is constant: the weight of an object is, within what the pad can tell; the force of a
/// finger varies.
///
/// The fingers of the tests vary by 1.5 to 6 % (one standard deviation), 3 to 10 g at 173 g; a usual pad has 0.5 g of
/// noise. On a noisy pad, or one with coarse steps, a constant value says less, and has to last longer.
struct SteadyForce: Sendable {
  /// Since when the force has been constant.
  private(set) var since: Instant
  /// The largest distance from the mean in counts; `nil` on a pad whose noise or steps hide the difference between
  /// finger and object.
  private let tolerance: Double?
  /// How many times as long the force has to be constant as on a pad that shows each variation of a finger.
  private let patience: Double
  /// The mean of the samples since then, in counts, and their number.
  private var mean = 0.0
  private var samples = 0.0
  /// The longest time for which an earlier force was constant.
  private var longestBefore = Interval.zero

  /// Starts with a press.
  ///
  /// - Parameters:
  ///   - deviation: The noise of the pad, one standard deviation of a sample in counts.
  ///   - noise: The same in grams; zero before the first load is weighed.
  ///   - full: The force of a press.
  init(deviation: Double, noise: Grams, full: Grams, at time: Instant) {
    since = time
    // Without noise that moves it from one count to the next, a value hides half a step on each side.
    let tolerance = Self.deviations * deviation + (deviation < 0.5 ? 0.5 : 0)
    let ratio = tolerance / deviation * noise.value / (Self.minimumVariation * full.value)
    patience = max(ratio * ratio * ratio, 1)
    self.tolerance = noise > .zero && ratio <= Self.maximumRatio ? tolerance : nil
  }

  /// Evaluates the force of a frame in counts; `nil` if the force is unknown.
  mutating func observe(_ counts: Double?, at time: Instant) {
    guard let tolerance else { return }
    // The first sample is as noisy as the second one, which is compared with it.
    guard let counts, (counts - mean).magnitude <= (samples < 2 ? 1.5 * tolerance : tolerance) else {
      longestBefore = longest(at: time)
      since = time
      (mean, samples) = counts.map { ($0, 1) } ?? (0, 0)
      return
    }
    samples += 1
    mean += (counts - mean) / samples
  }

  /// For how long the force has to be constant to be that of an object, if this is `time` on a pad that shows each
  /// variation of a finger.
  func required(_ time: Interval) -> Interval { .seconds(time.seconds * patience) }

  /// Whether the force has been constant long enough to be that of an object.
  func isObject(after time: Interval, at now: Instant) -> Bool { longest(at: now) >= required(time) }

  /// When the force will have been constant long enough to be that of an object; `nil` if this is unknown.
  func deadline(after time: Interval) -> Instant? { samples > 0 ? since + required(time) : nil }

  /// The longest time for which the force has been constant.
  private func longest(at time: Instant) -> Interval { max(longestBefore, samples > 0 ? time - since : .zero) }

  /// The tolerance in standard deviations: one sample in 2,000 is farther from the mean.
  private static let deviations = 3.5
  /// The least variation of a finger, one standard deviation as a fraction of the full force. Chosen: that of the
  /// steadiest fingers of the tests.
  private static let minimumVariation = 0.015
  /// The largest tolerance in variations of the steadiest finger. A force that varies at random with a time constant of
  /// 0.25 s stays within one standard deviation for 1.5 s once in 160,000; within r > 1, a time that grows with the cube
  /// of r is as rare. Beyond this ratio it is longer than a press may last.
  private static let maximumRatio = 1.9
}
