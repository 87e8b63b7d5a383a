/// Decides when a load is reported: each time it comes to rest at a displayed net other than the one reported last, and
/// as an overload when it begins.
///
/// A load that drifts while it rests is not reported again. After a release every load is a new one.
struct LoadReports: Sendable {
  /// What to report about a reading.
  struct Due {
    var isOverload = false
    var isSettled = false
  }

  /// The net that was last reported as settled, while the load is on the pad.
  private var reported: DisplayedMass?
  /// Whether the load has moved since it was last at rest.
  private var hasMoved = true
  private var wasOverloaded = false

  /// Forgets the load that was reported as settled.
  mutating func forgetSettled() {
    reported = nil
    hasMoved = true
  }

  /// Forgets all reports: the pad is gone or another one is connected.
  mutating func reset() {
    forgetSettled()
    wasOverloaded = false
  }

  /// Evaluates a reading.
  ///
  /// - Parameter isForceAdded: Whether a press of added force is past the threshold, so that an overload may be that of
  ///   the press.
  mutating func evaluate(_ reading: Reading, isForceAdded: Bool) -> Due {
    var due = Due()
    due.isOverload = reading.isOverloaded && !wasOverloaded
    wasOverloaded = reading.isOverloaded
    if (wasOverloaded && !isForceAdded) || reading.state == .empty { forgetSettled() }
    guard reading.isStable else {
      hasMoved = true
      return due
    }
    // A press in a zone does not move the load, but its reading is not reported.
    guard hasMoved, reading.state == .stable, !reading.isUnderloaded else { return due }
    hasMoved = false
    due.isSettled = reading.net != reported
    reported = reading.net
    return due
  }
}
