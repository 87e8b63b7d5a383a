/// A load at rest, to which force can be added.
struct RestingLoad: Sendable {
  /// What is committed.
  var latch: Latch
  /// The room above it; `nil` where that is too little to press harder.
  private(set) var room: PressRoom?
  /// The gross for which the room was measured.
  private var measured: Grams

  /// Measures the room above a load that has come to rest.
  init(_ latch: Latch, limit: Grams, _ scene: Presses.Scene) {
    self.latch = latch
    measured = latch.gross
    room = PressRoom(
      headroom: limit - latch.gross, full: scene.confirm.full, motion: scene.motion, noise: scene.noise)
  }

  /// The same load as it is seen now: its room is measured again only when it has moved, so that noise decides nothing.
  func following(_ latch: Latch, limit: Grams, _ scene: Presses.Scene) -> RestingLoad {
    guard (latch.gross - measured).magnitude <= scene.motion else { return RestingLoad(latch, limit: limit, scene) }
    var same = self
    same.latch = latch
    return same
  }
}

/// How much force a press on a load takes.
struct PressRoom: Hashable, Sendable {
  /// The force that fills the ring.
  let full: Grams
  /// Within this of the load the press has come back.
  let slack: Grams

  /// Measures the room for presses on a load; `nil` where too little is left to press harder.
  ///
  /// A press has come back within a twentieth of its full force, or within what a load at rest may move (`motion`, both
  /// ways) or seem to (five standard deviations of a frame). Room is too little under an eighth of the configured force,
  /// and where it drowns in that: under two and a half times of it. Decisions, held by the tests for noisy pads.
  init?(headroom: Grams, full configured: Grams, motion: Grams, noise: Grams) {
    let still = max(2 * motion.value, 5 * noise.value)
    full = min(configured, headroom)
    guard full.value >= max(configured.value / 8, 2.5 * still) else { return nil }
    slack = Grams(max(still, full.value / 20))
  }

  /// From this on it is a press.
  var minimum: Grams { slack + slack }
}

/// Force that is added to a load: how much, and since when.
struct AddedForce: Sendable {
  /// The load, as its gross.
  let base: Grams
  /// How much force it takes.
  let room: PressRoom
  /// Since when the intention is above the threshold.
  var aboveSince: Instant?
  /// Whether it was for the dwell time, which confirms for good.
  var hasDwelt = false
  /// Since when the force is back at the load.
  var backSince: Instant?
  /// When it began to rise.
  private let since: Instant
  private var steadiness: SteadyForce

  /// Makes a press that begins.
  init(base: Grams, room: PressRoom, steadiness: SteadyForce, since: Instant) {
    self.base = base
    self.room = room
    self.since = since
    self.steadiness = steadiness
  }

  /// Takes the force of a frame in counts; `nil` at the end of the axis.
  mutating func observe(_ counts: Double?, at time: Instant) { steadiness.observe(counts, at: time) }

  /// When something comes of it if the force stays as it is.
  func nextDeadline(_ confirm: ConfirmSettings) -> Instant? {
    if let backSince { return backSince + Self.back }
    guard let aboveSince else { return since + Self.longestRise }
    let confirmed = aboveSince + confirm.dwell
    guard hasDwelt else { return confirmed }
    let end = confirmed + Self.longestConfirmed
    return min(max(steadiness.deadline(after: Self.longestSteady) ?? end, confirmed), end)
  }

  /// The load may have been disturbed for this time before the force counts as a press: a fingertip that is laid down
  /// moves it a little. Chosen: four samples of a converter of 9 a second.
  static let longestOnset = Interval.milliseconds(500)
  /// A press takes no longer than this to rise past the threshold; what does is a pour or a load. Chosen: five times the
  /// slowest press of the tests.
  private static let longestRise = Interval.milliseconds(2000)

  /// A confirmed press that is not released within this time was a load: a finger does not stay this long on a full ring,
  /// and a load that is put down should not wait longer for its weight. A decision, not a measurement.
  static let longestConfirmed = Interval.milliseconds(2000)
  /// A force that stays the same for this time is a load. Chosen: a tenth more than the longest press of the tests, which
  /// holds its force exactly; a finger does not for a second.
  private static let longestSteady = Interval.milliseconds(2000)
  /// The force has to be back for so long: a load that is lifted passes the level of a smaller one, but does not stay.
  static let back = Interval.milliseconds(50)
}

/// A press of added force, or two of them, confirmed and let go.
///
/// One waits for a second press, two for the load to come to rest; both fire as soon as the load is lifted.
struct ReleasedPress: Sendable {
  /// What it fires: `commit` after one press, `tare` after two.
  var action: Action
  /// The load before it.
  var latch: Latch?
  /// When it fires at the latest.
  var until: Instant
  /// Whether the latched load lies on the pad, as of the last reading before it was lifted.
  var isInPlace = false
  /// Since when the load is being lifted.
  var leavingSince: Instant?

  /// Whether the latched load lay on the pad until it was lifted, and the lift is still under way. A load that has been
  /// lower for longer than a lift takes is a different load.
  func isLeaving(at time: Instant) -> Bool {
    guard isInPlace, let leavingSince else { return false }
    return time <= leavingSince + Self.longestLift
  }

  /// A lift takes no longer than this from the first lower frame. Chosen: a hand takes 100 ms, and a converter of 9 samples
  /// a second needs 111 ms for the second frame.
  static let longestLift = Interval.milliseconds(200)
}
