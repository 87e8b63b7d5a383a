/// A press in progress.
struct Press: Sendable {
  /// How a press is made.
  enum Method: Sendable {
    /// A finger in a zone.
    case zone(ZonePress)
    /// Force added to a load at rest.
    case added(AddedForce)
    /// A key or button that is held since a moment, and when this was last evaluated.
    case held(button: Int, since: Instant, at: Instant)
  }

  /// How a press is made.
  var method: Method
  /// The name of the action that the press fires.
  var action: String
  /// The state of the press.
  var gesture = ForceConfirmation()
  /// The load at rest before the press; `nil` while no load has come to rest.
  var latch: Latch?

  /// The source of the request if the press fires.
  var source: ActionSource {
    switch method {
    case .zone, .added: .pad
    case .held: .button
    }
  }
}

/// A load at rest, kept during a press: the action applies to the load as it was before the press.
struct Latch: Sendable {
  /// The reading.
  var reading: Reading
  /// Its gross, unrounded.
  var gross: Grams

  /// One standard uncertainty of the gross without that of the calibration, which is the same for every load at this
  /// mass.
  var deviation: Grams

  /// How far the load may be from the latch when the action fires: the larger of two divisions and three standard
  /// uncertainties.
  var tolerance: Grams { Grams(max(2 * reading.gross.division.step.value, 3 * deviation.value)) }

  /// Whether a load is the one that was latched.
  func holds(for gross: Grams) -> Bool { (gross - self.gross).magnitude <= tolerance }
}
