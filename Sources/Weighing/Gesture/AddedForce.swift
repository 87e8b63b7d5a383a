/// A load at rest, to which force can be added.
struct RestingLoad: Sendable {
  /// The load to commit.
  var latch: Latch
  /// The room above the load; `nil` if it is too small for a press.
  private(set) var room: PressRoom?
  /// The gross for which the room was measured.
  private var measured: Grams

  /// Makes a load that has come to rest and measures the room above it.
  init(_ latch: Latch, limit: Grams, _ context: PressRecognizer.Context) {
    self.latch = latch
    measured = latch.gross
    room = PressRoom(
      headroom: limit - latch.gross, full: context.confirm.full, motion: context.motion, noise: context.noise)
  }

  /// The same load as measured now. The room is measured again only when the load has moved, so that noise has no
  /// effect.
  func following(_ latch: Latch, limit: Grams, _ context: PressRecognizer.Context) -> RestingLoad {
    guard (latch.gross - measured).magnitude <= context.motion else { return RestingLoad(latch, limit: limit, context) }
    var same = self
    same.latch = latch
    return same
  }
}

/// The force of a press that is added to a load.
struct PressRoom: Hashable, Sendable {
  /// The force that fills the ring.
  let full: Grams
  /// The press has ended when the force is within this distance of the load.
  let slack: Grams

  /// Measures the room for presses on a load; `nil` if it is too small.
  ///
  /// A press has ended within a twentieth of its full force, or within what a load at rest may move (`motion`, in both
  /// directions) or appear to move (five standard deviations of a frame). The room is too small under an eighth of the
  /// configured force, and under two and a half times that movement. Chosen; the tests for noisy pads verify it.
  init?(headroom: Grams, full configured: Grams, motion: Grams, noise: Grams) {
    let still = max(2 * motion.value, 5 * noise.value)
    full = min(configured, headroom)
    guard full.value >= max(configured.value / 8, 2.5 * still) else { return nil }
    slack = Grams(max(still, full.value / 20))
  }

  /// The least added force that is a press.
  var minimum: Grams { slack + slack }
}

/// A press of added force: its amount and its times.
struct AddedForce: Sendable {
  /// The gross of the load without the press.
  let base: Grams
  /// The force that the press needs.
  let room: PressRoom
  /// When the intention rose above the threshold.
  var aboveSince: Instant?
  /// Whether it has been above the threshold for the dwell time; the press then remains confirmed.
  var hasDwelt = false
  /// When the force returned to that of the load.
  var backSince: Instant?
  /// When the force began to rise.
  private let since: Instant
  private var steadiness: SteadyForce

  /// Makes a press that has just begun.
  init(base: Grams, room: PressRoom, steadiness: SteadyForce, since: Instant) {
    self.base = base
    self.room = room
    self.since = since
    self.steadiness = steadiness
  }

  /// Evaluates the force of a frame in counts; `nil` at the end of the axis.
  mutating func observe(_ counts: Double?, at time: Instant) { steadiness.observe(counts, at: time) }

  /// When the press changes its state if the force remains the same.
  func nextDeadline(_ confirm: ConfirmSettings) -> Instant? {
    if let backSince { return backSince + Self.back }
    guard let aboveSince else { return since + Self.longestRise }
    let confirmed = aboveSince + confirm.dwell
    guard hasDwelt else { return confirmed }
    let end = confirmed + Self.longestConfirmed
    return min(max(steadiness.deadline(after: Self.longestSteady) ?? end, confirmed), end)
  }

  /// The load may move for this time before the force counts as a press: a fingertip that is put down moves it a
  /// little. Chosen: four samples of a converter with 9 samples per second.
  static let longestOnset = Interval.milliseconds(500)
  /// The longest time in which a press rises past the threshold; a slower rise is a pour or a load. Chosen: five times
  /// the slowest press of the tests.
  private static let longestRise = Interval.milliseconds(2000)

  /// A press that is not released within this time of its confirmation is a load: users do not hold a full ring for
  /// that long, and the weight of a load should not be delayed further. Chosen, not measured.
  static let longestConfirmed = Interval.milliseconds(2000)
  /// A force that remains the same for this time is a load. Chosen: a tenth more than the longest press of the tests,
  /// which holds its force exactly; a finger cannot do so for a second.
  private static let longestSteady = Interval.milliseconds(2000)
  /// How long the force has to be back at the load: a load that is lifted only passes through the level of a smaller
  /// one.
  static let back = Interval.milliseconds(50)
}

/// One or two presses of added force, confirmed and released.
///
/// One press waits for a second one, two wait for the load to come to rest; both fire as soon as the load is lifted.
struct ReleasedPress: Sendable {
  /// The action: `commit` after one press, `tare` after two.
  var action: Action
  /// The load before the press.
  var latch: Latch?
  /// The latest time at which it fires.
  var until: Instant
  /// Whether the latched load is on the pad, according to the last reading before it was lifted.
  var isInPlace = false
  /// When the load began to be lifted.
  var leavingSince: Instant?

  /// Whether the latched load was on the pad until it was lifted, and the lift is still in progress. A load that has
  /// been lower for longer than a lift takes is a different load.
  func isLeaving(at time: Instant) -> Bool {
    guard isInPlace, let leavingSince else { return false }
    return time <= leavingSince + Self.longestLift
  }

  /// The longest time of a lift from the first lower frame. Chosen: a hand needs 100 ms, and a converter with 9 samples
  /// per second needs 111 ms for the second frame.
  static let longestLift = Interval.milliseconds(200)
}
