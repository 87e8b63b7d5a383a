/// What the axis said under one known mass, once; the same mass may be observed again.
public struct CalibrationObservation: Hashable, Sendable {
  /// The mass that lay on the pad; zero for nothing.
  public var mass: Grams
  /// What the axis said, and how steadily.
  public var rest: LoadRest

  /// Makes an observation.
  public init(mass: Grams, rest: LoadRest) {
    self.mass = mass
    self.rest = rest
  }

  /// Makes an observation of which only the value is known, as from a file of points.
  public init(mass: Grams, counts: Double) {
    self.init(mass: mass, rest: LoadRest(counts: counts))
  }
}

/// What the axis says of a load at rest, in counts.
public struct LoadRest: Hashable, Sendable {
  /// The average.
  public var counts: Double
  /// One standard deviation of a single sample.
  public var spread: Double
  /// One standard uncertainty of the average, from the spread alone.
  public var deviation: Double
  /// How fast it moved meanwhile, in counts a second.
  public var drift: Double
  /// How long it was looked at.
  public var duration: Interval
  /// When it had been looked at for so long.
  public var end: Instant
  /// Whether the axis was at its maximum, which says nothing of the load but that it is there.
  public var isAtMaximum: Bool

  /// Makes a rest.
  public init(
    counts: Double, spread: Double = 0, deviation: Double = 0, drift: Double = 0, duration: Interval = .zero,
    end: Instant = Instant(nanoseconds: 0), isAtMaximum: Bool = false
  ) {
    self.counts = counts
    self.spread = spread
    self.deviation = deviation
    self.drift = drift
    self.duration = duration
    self.end = end
    self.isAtMaximum = isAtMaximum
  }
}
