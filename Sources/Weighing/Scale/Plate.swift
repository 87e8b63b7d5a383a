/// The load that counts as zero: the plate that always touches the pad (`surface: platter`), or the load at the last
/// `zero` on a bare pad, until it is lifted.
struct Plate: Sendable {
  /// How the plate was found.
  private enum Origin: Sendable {
    /// It was the first load at rest.
    case learned
    /// The user has zeroed the scale.
    case zeroed
  }

  /// The limits of zero tracking.
  private struct TrackingLimits: Sendable {
    /// The largest distance from zero that is tracked.
    var distance: Grams
    /// In grams per second.
    var rate: Double
    /// The sum of all movements since the plate was learned or zeroed.
    var sum: Grams

    /// 0.005 g/s at 385 g, scaled with the capacity (the warm-up of a real load cell reaches 0.0044 g/s), 4 % of the
    /// capacity in all (the limit of zero-tracking and zero-setting in OIML R 76-1:2006, 4.5.1), within half a
    /// division.
    init(capacity: Grams, division: Division) {
      distance = Grams(division.step.value / 2)
      rate = capacity.value / 77_000
      sum = Grams(capacity.value * 0.04)
    }
  }

  /// What a load means for the plate.
  enum Finding {
    /// The plate is not known yet.
    case unlearned
    /// The load is the plate from now on.
    case learned
    /// The restored plate has drifted a little: the load is the plate from now on.
    case confirmed
    /// There is only the plate.
    case empty
    /// There is something on the plate.
    case loaded
  }

  /// The axis value under the plate alone; it remains valid after another calibration. `nil` until the plate is
  /// learned.
  private(set) var counts: Double?
  /// The number of samples whose mean the axis value is.
  private var samples = Self.manySamples
  /// When and where the plate was found; `nil` if that is not known.
  private var found: (counts: Double, time: Instant)?
  private var origin = Origin.learned
  /// Whether no load has been at rest yet since the plate was restored or the pad was connected again.
  private var isUnconfirmed = false
  /// How far zero tracking has moved zero.
  private var tracked = Grams.zero
  /// The time up to which zero tracking is done.
  private var trackedAt: Instant?

  /// The zero band covers this many standard deviations of the load. Chosen.
  static let bandDeviations = 3.0

  /// Makes a plate that is not learned yet.
  init() {}

  /// Makes the plate found at a moment.
  init(_ load: Load, isZeroed: Bool, at time: Instant) {
    counts = load.counts
    samples = min(load.samples, Self.firstSamples)
    found = (load.counts, time)
    origin = isZeroed ? .zeroed : .learned
    trackedAt = time
  }

  /// Makes the plate of an earlier run or of a calibration.
  init(restored counts: Double) {
    self.counts = counts
    origin = .zeroed
    isUnconfirmed = true
  }

  /// Counts the empty platter that a new calibration has measured as zero, whatever lies on it now. A calibration that is older
  /// than the former one, as when a change is undone, says nothing about the platter of today.
  ///
  /// - Parameters:
  ///   - pad: The pad with the new calibration.
  ///   - former: The pad with that before.
  /// - Returns: By how much this reduces the gross; `nil` if zero remains.
  mutating func replace(by pad: ConnectedPad, after former: ConnectedPad) -> Grams? {
    guard let zero = pad.calibratedZero, zero != former.calibratedZero, zero.counts != counts,
      counts == nil || zero.isNewer(than: former.calibratedZero)
    else { return nil }
    let mass = pad.calibration.mass(atCounts: zero.counts) - load(pad.calibration)
    self = Plate(restored: zero.counts)
    isUnconfirmed = false
    return mass
  }

  /// Whether the plate is the first load at rest, which may have been a plate with something on it.
  var isAssumed: Bool { counts != nil && origin == .learned }

  /// The pad was connected again: the next load at rest confirms the plate or lies on it.
  mutating func requireConfirmation() { isUnconfirmed = counts != nil }

  /// The load of the plate; zero until it is learned.
  @inline(__always) func load(_ calibration: Calibration) -> Grams {
    guard let counts else { return .zero }
    return calibration.mass(atCounts: counts)
  }

  /// One standard uncertainty of the load of the plate in grams, from the noise that the samples are now known to have.
  func deviation(near load: Load) -> Double { counts == nil ? 0 : load.deviation(ofMeanOf: samples) }

  /// Whether there is nothing on a platter but its plate, or not even that before it is learned.
  @inline(__always) func isEmpty(_ load: Load, gross: Grams, raw: RawForce, division: Division) -> Bool {
    counts == nil ? raw <= .zero : gross.magnitude <= Self.zeroBand(load, division)
  }

  /// Within this distance of the plate there is nothing on it: half a division, or what noise alone can show.
  private static func zeroBand(_ load: Load, _ division: Division) -> Grams {
    Grams(max(division.step.value / 2, bandDeviations * load.deviation))
  }

  /// Whether a load can be the plate: the first load at rest, unless it is more than a fifth of the capacity. Then
  /// something may lie on the plate, and the user has to zero the scale. (Initial zero-setting, OIML R 76-1:2006,
  /// T.2.7.2.4 and 4.5.1.)
  ///
  /// - Parameter offset: The distance of the load from the plate.
  mutating func evaluate(
    _ load: Load, offset: Grams, raw: RawForce, isStable: Bool, _ settings: ScaleSettings
  ) -> Finding {
    guard counts != nil else {
      return raw > .zero && load.mass.value <= settings.scale.capacity.value / 5 && isStable ? .learned : .unlearned
    }
    if isUnconfirmed, isStable {
      isUnconfirmed = false
      // The zero of a load cell is half a gram off after power-up. Anything more is a load.
      if offset.magnitude.value <= 2 * settings.scale.division.step.value { return .confirmed }
    }
    return offset.magnitude <= Self.zeroBand(load, settings.scale.division) ? .empty : .loaded
  }

  /// Improves the zero in the first 10 s of the plate's rest: it was found within a second, and the average of more
  /// samples is nearer to it. What differs by more than the noise of a few samples is not the plate alone.
  mutating func refine(_ load: Load, offset: Grams, at time: Instant) {
    guard let found, load.samples > samples else { return }
    guard time <= found.time + Self.refiningTime else {
      self.found = nil
      return
    }
    let fromFound = (load.counts - found.counts) * load.gramsPerCount
    let limit = Self.refiningDeviations
    let present = deviation(near: load)
    let noise = (load.deviation * load.deviation + present * present).squareRoot()
    guard !load.movesSteadily(over: 0), offset.magnitude.value <= limit * noise,
      fromFound.magnitude <= limit * load.deviation(ofMeanOf: Self.firstSamples)
    else { return }
    counts = load.counts
    samples = load.samples
  }

  private static let refiningTime = Interval.seconds(10)
  private static let refiningDeviations = 4.0
  /// The number of samples by which the plate is known at first. There may be more, but a pad that turns out to be slow
  /// has had fewer than the filter assumed.
  private static let firstSamples = 4.0
  /// The number of samples of a plate whose noise is not known any more.
  private static let manySamples = 1e9

  /// Lets the zero of an empty plate follow slow drift: moves it towards a load that is `offset` from it, within the
  /// limits.
  mutating func track(
    _ load: Load, offset: Grams, isStable: Bool, at time: Instant, _ settings: ScaleSettings
  ) {
    let limits = TrackingLimits(capacity: settings.scale.capacity, division: settings.scale.division)
    if isStable, !load.movesSteadily(over: limits.rate), let counts, let last = trackedAt, load.gramsPerCount > 0,
      offset.magnitude <= limits.distance
    {
      let limit = limits.rate * (time - last).seconds
      let sum = tracked.value + min(max(offset.value, -limit), limit)
      let bounded = min(max(sum, -limits.sum.value), limits.sum.value)
      self.counts = counts + (bounded - tracked.value) / load.gramsPerCount
      tracked = Grams(bounded)
    }
    trackedAt = time
  }
}

extension Plate: Invariants {
  var invariants: KeyValuePairs<String, Bool> {
    [
      "a plate that was found has counts": found == nil || counts != nil,
      "only a known plate waits to be confirmed": !isUnconfirmed || counts != nil,
      "the mean of a plate has samples": samples > 0,
    ]
  }
}
