/// Decides when a load is reported: as settled once, again only after a release or for a different load, and as an
/// overload when it begins.
struct LoadReports: Sendable {
  /// What to report about a reading.
  struct Due {
    var isOverload = false
    var isSettled = false
  }

  /// The gross that was last reported as settled, while the load is on the pad.
  private var settledGross: Grams?
  private var wasOverloaded = false

  /// Forgets the load that was reported as settled.
  mutating func forgetSettled() { settledGross = nil }

  /// Forgets all reports: the pad is gone or another one is connected.
  mutating func reset() {
    settledGross = nil
    wasOverloaded = false
  }

  /// Evaluates a reading.
  ///
  /// - Parameters:
  ///   - gross: Its gross, unrounded.
  ///   - isForceAdded: Whether a press of added force is past the threshold, so that an overload may be that of the
  ///     press.
  ///   - difference: A load that differs by more is a different one.
  mutating func evaluate(_ reading: Reading, gross: Grams?, isForceAdded: Bool, difference: Grams) -> Due {
    var due = Due()
    due.isOverload = reading.isOverloaded && !wasOverloaded
    wasOverloaded = reading.isOverloaded
    if (wasOverloaded && !isForceAdded) || reading.state == .empty { settledGross = nil }
    guard reading.state == .stable, !reading.isUnderloaded, let gross else { return due }
    if let settledGross, (gross - settledGross).magnitude <= difference { return due }
    settledGross = gross
    due.isSettled = true
    return due
  }
}
