/// A press that is under way.
struct Press: Sendable {
  /// How it is made.
  enum Way: Sendable {
    /// A finger in a zone.
    case zone(ZonePress)
    /// Force added to a load at rest.
    case added(AddedForce)
    /// A key or button that is down since a moment, and when that was looked at.
    case held(button: Int, since: Instant, at: Instant)
  }

  /// How it is made.
  var way: Way
  /// The name of the action that it stands for.
  var action: String
  /// Where it stands.
  var gesture = Gesture()
  /// The load as it lay there at rest before the press; `nil` while none has come to rest.
  var latch: Latch?

  /// Who asks, where it fires.
  var source: ActionSource {
    switch way {
    case .zone, .added: .pad
    case .held: .button
    }
  }
}

/// A load at rest, kept during a press: the action is done on the load as it lay there before the press.
struct Latch: Sendable {
  /// The reading.
  var reading: Reading
  /// Its gross, unrounded.
  var gross: Grams

  /// One standard uncertainty of the gross without that of the calibration, which is the same for every load in its place.
  var deviation: Grams

  /// How far the load may be from the latch when the action fires: the larger of two divisions and three standard
  /// uncertainties.
  var tolerance: Grams { Grams(max(2 * reading.gross.division.step.value, 3 * deviation.value)) }

  /// Whether a load is the one that was latched.
  func holds(for gross: Grams) -> Bool { (gross - self.gross).magnitude <= tolerance }
}
