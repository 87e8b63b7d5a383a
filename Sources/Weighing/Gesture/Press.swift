/// A press that is under way.
struct Press: Sendable {
  /// How it is made.
  enum Way: Sendable {
    /// A finger that came down in a zone at a height, a fraction of the pad's.
    case zone(serial: UInt64, from: Double?)
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

/// A load at rest, kept while somebody presses: what is committed is what lay there before.
struct Latch: Sendable {
  /// The reading.
  var reading: Reading
  /// Its gross, unrounded.
  var gross: Grams
}

/// Force added to a load: how much fills the ring, and since when it is there.
struct AddedForce: Sendable {
  /// The force that fills the ring.
  var full: Grams
  /// Within this of the load the press has come back.
  var slack: Grams
  /// Since when the intention is above the threshold.
  var aboveSince: Instant?
  /// Whether it was for the dwell time, which confirms for good.
  var hasDwelt = false
  /// Since when the force is back at the load.
  var backSince: Instant?

  /// A press that does not come back in this time after it is confirmed was a load: nobody rests a finger so long on a
  /// ring that is full, and a load that is put down should not wait longer for its weight. A decision, not a measurement.
  static let longestConfirmed = Interval.milliseconds(2000)
  /// The force has to be back for so long: a load that is lifted passes the level of a smaller one, but does not stay.
  static let back = Interval.milliseconds(50)

  /// Makes the measures of a press on a load; `nil` where too little room is left to press harder.
  ///
  /// Room is too little under an eighth of the full force, or where it drowns in the motion that a load at rest may have.
  init?(headroom: Grams, full configured: Grams, motion: Grams) {
    full = min(configured, headroom)
    guard full.value >= min(configured.value, max(configured.value / 8, 5 * motion.value)) else { return nil }
    slack = max(Grams(2 * motion.value), Grams(full.value / 20))
  }

  /// From this on it is a press.
  var least: Grams { min(slack + slack, full) }
}
