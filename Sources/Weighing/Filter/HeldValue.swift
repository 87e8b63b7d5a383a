/// The current value of the pad, and how many samples of it are in the history already.
struct HeldValue: Equatable, Sendable {
  /// The value in counts.
  let value: Double
  /// Since when the pad has it.
  let since: Instant
  /// The number of samples in the history.
  var counted = 1
  /// The sample count at which the silence is evaluated next: after two samples without a frame, then after each
  /// doubling up to `lastCheck`.
  var nextCheck = 2
  /// Whether it is the end of the range of an axis that does not deliver repeated values.
  let isClipped: Bool

  /// The last sample count at which the silence is evaluated, a power of two.
  static let lastCheck = 1024

  /// Makes a value that has just arrived.
  init(_ value: Double, at time: Instant, isClipped: Bool) {
    self.value = value
    since = time
    self.isClipped = isClipped
  }
}

/// A single value far from the window, set aside until the next one shows whether it is a spike or a change.
struct SuspectValue: Equatable, Sendable {
  /// The value in counts.
  let value: Double
  /// When it arrived.
  let since: Instant

  /// Whether the next value is part of the same change, away from the level of the window.
  func isFollowed(by next: Double, from level: Double) -> Bool {
    let (first, second) = (value - level, next - level)
    return first * second > 0 && second.magnitude * Self.mostOvershoot > first.magnitude
  }

  /// A spike is further off than the value after it, by more than a load that is put down overshoots; otherwise both are
  /// the change.
  private static let mostOvershoot = 16.0
}
