/// How long a force stays the same: the weight of an object does so within the noise of the pad, the force of a finger varies.
///
/// The fingers of the tests vary by 1.5 to 6 % (one standard deviation), 3 to 10 g at 173 g; a usual pad has 0.5 g of noise.
struct SteadyForce: Sendable {
  /// Since when the force has been the same.
  private(set) var since: Instant
  /// What differs by more from the mean is another force, in counts; `nil` on a pad that cannot tell a finger from an object.
  private let tolerance: Double?
  /// The mean of the samples since then, in counts, and their number.
  private var mean = 0.0
  private var samples = 0.0
  /// The longest time for which an earlier force was the same.
  private var longestBefore = Interval.zero

  /// Starts with a press.
  ///
  /// - Parameters:
  ///   - deviation: The noise of the pad, one standard deviation of a sample in counts.
  ///   - noise: The same in grams; nothing where no load has been weighed yet.
  ///   - full: The force of a press.
  init(deviation: Double, noise: Grams, full: Grams, at time: Instant) {
    since = time
    let isMeasurable = noise > .zero && Self.deviations * noise.value <= Self.minimumVariation * full.value
    tolerance = isMeasurable ? Self.deviations * deviation : nil
  }

  /// Takes the force of a frame in counts; `nil` where it says nothing.
  mutating func observe(_ counts: Double?, at time: Instant) {
    guard let tolerance else { return }
    // The first sample is as noisy as the one that is compared with it.
    guard let counts, (counts - mean).magnitude <= (samples < 2 ? 1.5 * tolerance : tolerance) else {
      longestBefore = longest(at: time)
      since = time
      (mean, samples) = counts.map { ($0, 1) } ?? (0, 0)
      return
    }
    samples += 1
    mean += (counts - mean) / samples
  }

  /// The longest time for which the force has been the same.
  func longest(at time: Instant) -> Interval { max(longestBefore, samples > 0 ? time - since : .zero) }

  /// When it will have been the same for a time, if it goes on; `nil` where that is not known.
  func deadline(after time: Interval) -> Instant? { samples > 0 ? since + time : nil }

  /// Deviations of a sample: one in 2,000 is farther from the mean.
  private static let deviations = 3.5
  /// The smallest variation of a finger, as a fraction of the full force. Chosen: near that of the steadiest fingers of the tests.
  private static let minimumVariation = 0.02
}
