/// Measures how long a force is constant: the weight of an object is, within the noise of the pad; the force of a
/// finger varies.
///
/// The fingers of the tests vary by 1.5 to 6 % (one standard deviation), 3 to 10 g at 173 g; a usual pad has 0.5 g of
/// noise.
struct SteadyForce: Sendable {
  /// Since when the force has been constant.
  private(set) var since: Instant
  /// The largest distance from the mean in counts; `nil` on a pad whose noise hides the difference between finger and
  /// object.
  private let tolerance: Double?
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
    let isMeasurable = noise > .zero && Self.deviations * noise.value <= Self.minimumVariation * full.value
    tolerance = isMeasurable ? Self.deviations * deviation : nil
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

  /// The longest time for which the force has been constant.
  func longest(at time: Instant) -> Interval { max(longestBefore, samples > 0 ? time - since : .zero) }

  /// When the force will have been constant for a time if it remains so; `nil` if this is unknown.
  func deadline(after time: Interval) -> Instant? { samples > 0 ? since + time : nil }

  /// The tolerance in standard deviations: one sample in 2,000 is farther from the mean.
  private static let deviations = 3.5
  /// The least variation of a finger, as a fraction of the full force. Chosen: near that of the steadiest fingers of
  /// the tests.
  private static let minimumVariation = 0.02
}
