/// The load that counts as nothing: the plate that always touches the pad (`surface: platter`), or the load at the last
/// `zero` on a bare pad, until it is lifted.
struct Plate: Sendable {
  /// How the plate was found.
  private enum Origin: Sendable {
    /// It was the first load at rest.
    case learned
    /// A person said that the pad is empty.
    case zeroed
  }

  /// How far zero tracking may go.
  struct TrackingLimits: Sendable {
    /// The largest distance from zero that is tracked.
    var distance: Grams
    /// In grams a second.
    var rate: Double
    /// The sum of all movements since the plate was learned or zeroed.
    var sum: Grams
  }

  /// The axis value under the plate alone, so that it outlives another calibration; `nil` until it is learned.
  private(set) var counts: Double?
  private var origin = Origin.learned
  /// Whether no load has been seen on the pad yet since the plate was restored or the pad was found again.
  var isUnconfirmed = false
  /// How far zero tracking has moved zero since then.
  private var tracked = Grams.zero
  /// Up to when zero tracking has been done.
  private var trackedAt: Instant?

  /// A plate that is not learned yet.
  init() {}

  /// A plate found at a moment.
  init(counts: Double, isZeroed: Bool, at time: Instant) {
    self.counts = counts
    origin = isZeroed ? .zeroed : .learned
    trackedAt = time
  }

  /// The plate of an earlier run.
  init(restored counts: Double) {
    self.counts = counts
    origin = .zeroed
    isUnconfirmed = true
  }

  /// Whether the plate was taken to be the first load at rest, which may have been a plate with something on it.
  var isAssumed: Bool { counts != nil && origin == .learned }

  /// Moves zero towards a load that is `offset` from it, as far as the limits allow.
  mutating func track(_ offset: Grams, gramsPerCount: Double, at time: Instant, _ limits: TrackingLimits) {
    if let counts, let last = trackedAt, gramsPerCount > 0, offset.magnitude <= limits.distance {
      let limit = limits.rate * (time - last).seconds
      let sum = tracked.value + min(max(offset.value, -limit), limit)
      let bounded = min(max(sum, -limits.sum.value), limits.sum.value)
      self.counts = counts + (bounded - tracked.value) / gramsPerCount
      tracked = Grams(bounded)
    }
    trackedAt = time
  }

  /// Lets time pass without tracking.
  mutating func skipTracking(until time: Instant) { trackedAt = time }
}

extension ScaleMachine {
  /// Within this of the learned plate there is nothing on it: half a division, or what noise alone may say.
  private func zeroBand(_ load: Load) -> Grams {
    Grams(max(settings.division.step.value / 2, Self.bandDeviations * load.deviation))
  }

  private static let bandDeviations = 3.0

  /// A gross further under zero is an underload: something that counted as nothing was taken away.
  var underloadBand: Grams { max(settings.minimum, settings.division.step) }

  /// Zero tracking: 0.005 g/s at 385 g, scaled with the capacity (the warm-up of a real load cell reaches 0.0044 g/s), 4 %
  /// of the capacity in all (the limit of zero-tracking and zero-setting in OIML R 76-1:2006, 4.5.1), within half a division.
  private var trackingLimits: Plate.TrackingLimits {
    Plate.TrackingLimits(
      distance: Grams(settings.division.step.value / 2), rate: settings.capacity.value / 77_000,
      sum: Grams(settings.capacity.value * 0.04))
  }

  /// The plate's load; zero until it is learned.
  @inline(__always)
  var plateLoad: Grams {
    guard let pad, let counts = plate.counts else { return .zero }
    return pad.calibration.mass(atCounts: counts)
  }

  /// Whether there is nothing on the platter but its plate, or not even that before it is learned.
  @inline(__always)
  func isEmptyPlatter(_ load: Load, gross: Grams) -> Bool {
    guard settings.surface == .platter else { return false }
    return plate.counts == nil ? raw <= .zero : gross.magnitude <= zeroBand(load)
  }

  /// The first load that comes to rest on a platter is the plate, unless it is more than a fifth of the capacity: then
  /// something may lie on it, and `zero` has to say so. (Initial zero-setting, OIML R 76-1:2006, T.2.7.2.4 and 4.5.1.)
  ///
  /// Later the zero of an empty plate follows slow drift.
  mutating func learnPlate(_ load: Load, _ effects: inout [Effect]) {
    guard settings.surface == .platter else { return }
    guard plate.counts != nil else {
      if raw > .zero, load.mass.value <= settings.capacity.value / 5, stability.isStable(at: now, patience: 1) {
        setPlate(load, mass: load.mass, isZeroed: false, &effects)
      }
      return
    }
    let offset = load.mass - plateLoad
    if plate.isUnconfirmed, stability.isStable(at: now, patience: 1) {
      plate.isUnconfirmed = false
      // The zero of a load cell is half a gram off after power-up. Anything more is a load.
      if offset.magnitude.value <= 2 * settings.division.step.value {
        return setPlate(load, mass: offset, isZeroed: true, &effects)
      }
    }
    if offset.magnitude <= zeroBand(load), tare != .zero, settings.tareOnRelease == .clear, reading.state != .empty {
      dropTare(&effects)
    }
    let limits = trackingLimits
    if settings.tracksZero, stability.isStable(at: now, patience: 1), !load.movesSteadily(over: limits.rate) {
      plate.track(offset, gramsPerCount: load.gramsPerCount, at: now, limits)
    } else {
      plate.skipTracking(until: now)
    }
  }

  /// Counts a load as nothing from now on and says how much that took off the gross.
  mutating func setPlate(_ load: Load, mass: Grams, isZeroed: Bool, _ effects: inout [Effect]) {
    plate = Plate(counts: load.counts, isZeroed: isZeroed, at: now)
    advanceEpoch()
    let shown = DisplayedMass(steps: settings.division.steps(nearest: mass), division: settings.division)
    effects.append(.event(event(.zeroed(shown))))
  }
}
