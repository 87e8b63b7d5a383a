/// Holds the first frame in overload while a load is at rest: a single one is a spike.
///
/// ```
///   rest ── frame in overload ──► held ── second frame in overload, or no frame for a time ──► overload
///    ▲                             │
///    └──── any other frame ────────┘
/// ```
///
/// evdev reports nothing while a value repeats, hence the time limit: a load that stays in overload may never send a
/// second frame within 50 ms. A slow converter sends one, but later: there the limit is two and a half sample periods. A
/// pad that cannot repeat a value always sends one, however late: there is no limit.
struct OverloadGuard: Sendable {
  /// The load of a held frame.
  struct HeldFrame: Sendable {
    var raw: RawForce
    var isAtEnd: Bool
    var time: Instant
  }

  /// The scale with which a frame is compared.
  struct Reference {
    var pad: ConnectedPad
    var capacity: Grams
    var division: Division
    var plateLoad: Grams
    /// The gross of the last reading.
    var gross: Grams?
    /// The noise of a single frame, one standard deviation.
    var noise: Grams
  }

  private(set) var held: HeldFrame?
  /// When the held frame counts as the load unless another one arrives; `nil` if only another one decides.
  private(set) var deadline: Instant?

  /// How long a single frame in overload is held. Source: the specification of the scale; six samples of a USB pad.
  private static let holdTime = Interval.milliseconds(50)
  /// The number of standard deviations by which a frame must exceed the load; less is noise.
  private static let spikeDeviations = 5.0

  /// Holds a frame.
  ///
  /// - Parameter patience: How long to wait for the next frame, if that is more than the hold time; `nil` if silence says nothing.
  mutating func hold(_ frame: FrameLoad, at time: Instant, patience: Interval?) {
    held = HeldFrame(raw: frame.raw, isAtEnd: frame.isAtEnd, time: time)
    deadline = patience.map { time + max(Self.holdTime, $0) }
  }

  /// Returns the held frame, if any, and forgets it.
  mutating func release() -> HeldFrame? {
    guard held != nil else { return nil }
    defer {
      held = nil
      deadline = nil
    }
    return held
  }

  /// Returns the held frame, if its time is over, and forgets it.
  mutating func expire(at time: Instant) -> HeldFrame? {
    guard let deadline, deadline <= time else { return nil }
    return release()
  }

  /// Whether a frame is in overload by more than noise.
  ///
  /// Near the capacity noise alone takes single frames past it. Those go to the filter, which averages them.
  static func exceedsCapacity(_ raw: RawForce, _ reference: Reference) -> Bool {
    let division = reference.division
    let mass = reference.pad.calibration.mass(at: raw) - reference.plateLoad
    guard mass > reference.capacity - division.step,
      division.steps(nearest: mass) >= division.steps(atOrPast: reference.capacity)
    else { return false }
    let jump = mass - (reference.gross ?? .zero)
    return jump.value > max(spikeDeviations * reference.noise.value, 2 * division.step.value)
  }

  /// Whether the frame after a held one shows the same load: a pad at the end of its axis jitters by a count.
  static func confirms(_ load: RawForce, _ held: HeldFrame, _ reference: Reference) -> Bool {
    let difference = reference.pad.calibration.mass(at: held.raw) - reference.pad.calibration.mass(at: load)
    return difference.magnitude.value <= max(spikeDeviations * reference.noise.value, reference.division.step.value)
  }
}
