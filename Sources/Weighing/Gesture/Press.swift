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
