/// Holds back the first frame in overload while a load rests: a single one is a spike.
///
/// ```
///   rest ── frame in overload ──► held ── second frame in overload, or 50 ms without a frame ──► overload
///    ▲                             │
///    └──── any other frame ────────┘
/// ```
///
/// evdev is silent when a value repeats, hence the time: a load that stays in overload may never send a second frame.
struct OverloadGuard: Sendable {
  /// The load of a frame that is held back.
  struct Held: Sendable {
    var raw: RawForce
    var isAtEnd: Bool
    var time: Instant
  }

  private var held: Held?

  /// How long a frame in overload stands alone before it counts. Source: the specification of the scale; six samples of a
  /// USB pad.
  private static let patience = Interval.milliseconds(50)

  /// When a frame that is held back counts if no other one comes before.
  var deadline: Instant? { held.map { $0.time + Self.patience } }

  /// Holds a frame back.
  mutating func hold(_ raw: RawForce, isAtEnd: Bool, at time: Instant) {
    held = Held(raw: raw, isAtEnd: isAtEnd, time: time)
  }

  /// Hands over the frame that is held back, if there is one, and forgets it.
  mutating func release() -> Held? {
    defer { held = nil }
    return held
  }

  /// Hands over the frame that is held back if it has stood alone for long enough, and forgets it.
  mutating func expire(at time: Instant) -> Held? {
    guard let deadline, deadline <= time else { return nil }
    return release()
  }
}

extension ScaleMachine {
  /// Whether to hold back a frame: the first one in overload while a load rests.
  ///
  /// Near the capacity noise alone takes single frames past it. Those are for the filter, which decides by their mean.
  mutating func holdsBack(_ raw: RawForce, isAtEnd: Bool, _ pad: Pad, followsGap: Bool) -> Bool {
    guard isAtEnd || isOverCapacity(raw, pad), !followsGap, !reading.isOverloaded else { return false }
    return stability.isStable(at: now, patience: 1)
  }

  private func isOverCapacity(_ raw: RawForce, _ pad: Pad) -> Bool {
    let division = settings.division
    let mass = pad.calibration.mass(at: raw) - plateLoad
    guard mass > settings.capacity - division.step,
      division.steps(nearest: mass) >= division.steps(atOrPast: settings.capacity)
    else { return false }
    let jump = mass - (gross ?? .zero)
    return jump.value > max(Self.spikeDeviations * noise.value, 2 * division.step.value)
  }

  /// A frame this many standard deviations of the noise above the load is no noise.
  private static let spikeDeviations = 5.0

  /// Whether the frame after one that was held back shows the same load: a pad at the end of its axis jitters by a count.
  func confirms(_ load: RawForce, _ held: OverloadGuard.Held, _ pad: Pad) -> Bool {
    let difference = pad.calibration.mass(at: held.raw) - pad.calibration.mass(at: load)
    return difference.magnitude.value <= max(Self.spikeDeviations * noise.value, settings.division.step.value)
  }

  /// Counts a frame that was held back as the load, from its own time on.
  mutating func apply(_ held: OverloadGuard.Held) {
    raw = held.raw
    axisAtEnd = held.isAtEnd
    filter.restart()
    stability.restart()
    if !held.isAtEnd { filter.add(Double(held.raw.counts), at: held.time) }
  }

  /// Counts a frame in overload that has stood alone for long enough.
  mutating func expireOverloadGuard(_ effects: inout [Effect]) {
    guard let held = overloadGuard.expire(at: now), let pad else { return }
    apply(held)
    if addingLimit != nil { observePresses(Frame(time: now), pad, &effects) }
  }
}
