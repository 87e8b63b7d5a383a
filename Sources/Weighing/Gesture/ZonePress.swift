/// A finger in the zone of an action, from touch-down to lift.
///
/// Heights are fractions of the pad's height, 0 at the upper edge.
struct ZonePress: Sendable {
  /// The contact.
  let serial: UInt64
  /// The time of touch-down.
  let since: Instant
  private var slide: UpwardSlide
  /// When it entered the confirm area; `nil` outside.
  private var insideSince: Instant?
  /// The height around which it rests, and since when.
  private var anchor: (height: Double, since: Instant)?
  /// The number of frames in which it has moved.
  private var moves = 0
  private var steadiness: SteadyForce

  /// Starts a press.
  init(serial: UInt64, height: Double?, steadiness: SteadyForce, at time: Instant) {
    self.serial = serial
    since = time
    slide = UpwardSlide(from: height)
    self.steadiness = steadiness
  }

  /// Evaluates the height in a frame and the force in counts, if that can be the force of a press; returns whether the
  /// finger is in the confirm area.
  mutating func move(to height: Double?, force: Double?, slide distance: Double, at time: Instant) -> Bool {
    steadiness.observe(force, at: time)
    if height != slide.height { moves += 1 }
    slide.move(to: height)
    if let height, (height - (anchor?.height ?? .infinity)).magnitude > Self.slip { anchor = (height, time) }
    let isInside = slide.hasReached(distance)
    insideSince = isInside ? insideSince ?? time : nil
    return isInside
  }

  /// Why a lift at a moment is not that of a finger; `nil` if it is. A finger or an object that is dragged through the
  /// confirm area leaves too soon after entering it, while it still moves, or over the upper edge.
  func failure(at time: Instant, slide distance: Double) -> PressFailure? {
    guard let insideSince, time - insideSince >= Self.shortestConfirmed else { return .notHeldStill }
    if let anchor, time - anchor.since < Self.shortestRest { return .notHeldStill }
    if (slide.height ?? 1) < Self.edge, slide.distance >= distance + Self.overshoot { return .notHeldStill }
    return isPushedObject(at: time) ? .tooSteady(for: steadiness.required(Self.longestSteady)) : nil
  }

  /// Whether the contact is an object that was pushed upwards: it has moved in several frames, and its force was
  /// constant for longer than a finger can hold it.
  private func isPushedObject(at time: Instant) -> Bool {
    moves >= Self.fewestMoves && steadiness.isObject(after: Self.longestSteady, at: time)
  }

  /// A finger that is lifted sooner after entering the confirm area only passes through. Source: the requirements.
  private static let shortestConfirmed = Interval.milliseconds(100)
  /// The distance from the zone, as a fraction of the pad's width, at which a finger has left it. Source: the
  /// requirements.
  static let maximumSidewaysShift = 0.1
  /// How long a finger rests before it is lifted. Chosen: with `slip`, a contact that still moves at half the pad's
  /// height per second is being dragged.
  private static let shortestRest = Interval.milliseconds(40)
  /// How far a resting finger rolls at most, as a fraction of the height: 2 mm on a pad of 100 mm. Chosen.
  private static let slip = 0.02
  /// The least force of a confirmation, as a fraction of the threshold; lighter touches do not measure steadiness.
  /// Chosen: noise alone does not bridge the gap.
  static let minimumIntention = 0.9
  /// A contact that reaches the confirm area in fewer frames is too fast for an object. Chosen: 64 ms at 125 Hz.
  private static let fewestMoves = 8
  /// No finger holds its force within the noise of a good pad for this long; `SteadyForce` extends it on others. Chosen:
  /// all of 10,000 simulated presses fire.
  private static let longestSteady = Interval.milliseconds(1500)
  /// A contact last reported above this height, as a fraction of the pad's, has left over the upper edge ... Chosen.
  private static let edge = 0.03
  /// ... unless it had to go there to confirm: it has slid this fraction farther than necessary. Chosen.
  private static let overshoot = 0.1
}
