/// Waits for a load at rest that differs from earlier loads, at most until a deadline.
package struct LoadMeasurement: Hashable, Sendable {
  /// The result of a measurement.
  package enum Result: Hashable, Sendable {
    /// The load is stable.
    case stable(LoadRest)
    /// The load did not become stable in time; with the last state.
    case unstable(LoadRest)
    /// The load is stable but is the same as before.
    case unchanged(LoadRest)
  }

  private let before: [LoadRest]
  private let deadline: Instant
  /// Whether the load rests, and is still one of those before.
  package private(set) var isUnchanged = false

  /// Makes a measurement that waits.
  ///
  /// - Parameter before: The earlier loads. A load differs from them by more than `stability.motion_g` and the noise.
  package init(unlike before: [LoadRest], until deadline: Instant) { (self.before, self.deadline) = (before, deadline) }

  /// Observes the state of the pad; returns the result, or `nil` while it waits.
  package mutating func observe(_ state: LoadGauge.State, on gauge: LoadGauge, at now: Instant) -> Result? {
    switch state {
    case .noPad: return nil
    case .resting(let rest):
      isUnchanged = before.contains { gauge.isAlike($0, rest) }
      if !isUnchanged { return .stable(rest) }
      return now >= deadline ? .unchanged(rest) : nil
    case .settling(let rest):
      isUnchanged = isUnchanged && before.contains { gauge.isAlike($0, rest) }
      guard now >= deadline else { return nil }
      return isUnchanged ? .unchanged(rest) : .unstable(rest)
    }
  }
}
