/// A finger in a zone, from touch-down to lift.
///
/// Heights are fractions of the pad's height, 0 at the upper edge.
struct ZonePress: Sendable {
  /// The contact.
  let serial: UInt64
  /// When it came down.
  let since: Instant
  /// The height at which it came down; `nil` on a pad that does not report one.
  private let origin: Double?
  /// The last height.
  private var height: Double?
  /// Since when it has been in the confirm area; `nil` outside.
  private var insideSince: Instant?
  /// The height around which it has stayed, and since when.
  private var anchor: (height: Double, since: Instant)?
  /// The number of frames in which it has moved.
  private var moves = 0
  private var steadiness: SteadyForce

  /// Starts a press.
  init(serial: UInt64, height: Double?, steadiness: SteadyForce, at time: Instant) {
    self.serial = serial
    since = time
    origin = height
    self.steadiness = steadiness
  }

  /// How far up it has slid.
  private var slid: Double {
    guard let origin, let height else { return 0 }
    return origin - height
  }

  /// Takes the height of a frame and its force in counts, where that can be the force of a press; returns whether it is in
  /// the confirm area.
  mutating func move(to height: Double?, force: Double?, slide: Double, at time: Instant) -> Bool {
    steadiness.observe(force, at: time)
    if height != self.height { moves += 1 }
    self.height = height
    if let height, (height - (anchor?.height ?? .infinity)).magnitude > Self.slip { anchor = (height, time) }
    let isInside = slid >= slide - Self.rounding
    insideSince = isInside ? insideSince ?? time : nil
    return isInside
  }

  /// Whether a lift at a moment ends the press like a finger that lets go. What is dragged through the confirm area
  /// leaves too soon after entering it, while it still moves, or over the upper edge.
  func isLetGo(at time: Instant, slide: Double) -> Bool {
    guard let insideSince, time - insideSince >= Self.shortestConfirmed else { return false }
    if let anchor, time - anchor.since < Self.shortestRest { return false }
    let isOverEdge = (height ?? 1) < Self.edge && slid >= slide + Self.overshoot
    return !isOverEdge && !isPushedObject(at: time)
  }

  /// Whether what is lifted is an object that was pushed up: it has moved over several frames, and before, after or
  /// meanwhile its force was the same for longer than a finger holds it.
  private func isPushedObject(at time: Instant) -> Bool {
    moves >= Self.fewestMoves && steadiness.longest(at: time) >= Self.longestSteady
  }

  /// A finger that is lifted sooner after entering the confirm area only passes through it. From the requirements.
  private static let shortestConfirmed = Interval.milliseconds(100)
  /// Farther than this outside the zone, as a fraction of the pad's width, the finger has left it. From the requirements.
  static let maximumSidewaysShift = 0.1
  /// A finger stands still for this time before it lets go. Chosen: with `slip`, what still moves at half the pad's height
  /// per second is being pulled.
  private static let shortestRest = Interval.milliseconds(40)
  /// A finger that stands still rolls by no more than this, 2 mm on a pad of 100 mm. Chosen.
  private static let slip = 0.02
  /// A smaller share of the threshold is not the force with which something is confirmed. Chosen: far from it by noise.
  static let minimumIntention = 0.9
  /// A finger that jumps to the confirm area in fewer frames is too fast for an object. Chosen: 64 ms at 125 Hz.
  private static let fewestMoves = 8
  /// No finger holds its force within the noise of the pad for this time. Chosen: all of 10,000 simulated presses fire.
  private static let longestSteady = Interval.milliseconds(1500)
  /// What is last seen above this height has gone over the upper edge ...
  private static let edge = 0.03
  /// ... unless it had to go there to confirm: it has slid this much farther than necessary.
  private static let overshoot = 0.1
  /// Heights are fractions: 0.7 - 0.45 is a little under 0.25.
  static let rounding = 1e-9
}
