/// One measurement of the axis under a known mass; the same mass may be measured again.
public struct CalibrationObservation: Hashable, Sendable {
  /// The mass on the pad; zero for the empty pad.
  public var mass: Grams
  /// The value of the axis and its stability.
  public var rest: LoadRest

  /// Makes an observation.
  public init(mass: Grams, rest: LoadRest) {
    self.mass = mass
    self.rest = rest
  }

  /// Makes an observation with only a value, as from a file of points.
  public init(mass: Grams, counts: Double) { self.init(mass: mass, rest: LoadRest(counts: counts)) }
}

/// The measurement of a load at rest, in counts.
public struct LoadRest: Hashable, Sendable {
  /// The average.
  public var counts: Double
  /// One standard deviation of a single sample.
  public var spread: Double
  /// One standard uncertainty of the average, from the spread alone.
  public var deviation: Double
  /// The drift during the measurement, in counts per second.
  public var drift: Double
  /// The duration of the measurement.
  public var duration: Interval
  /// The end of the measurement.
  public var end: Instant
  /// Whether the axis was at its maximum, so that the load is unknown.
  public var isAtMaximum: Bool

  /// Makes a measurement.
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
