/// One measurement of the axis under a known mass; the same mass may be measured again.
public struct CalibrationObservation: Hashable, Sendable {
  /// The mass on the pad; zero for the empty pad.
  public var mass: Grams
  /// The value of the axis and its stability.
  public var rest: LoadRest

  /// Makes an observation.
  public init(mass: Grams, rest: LoadRest) {
    (self.mass, self.rest) = (mass, rest)
  }

  /// Makes an observation with only a value, as from a file of points.
  public init(mass: Grams, counts: Double) { self.init(mass: mass, rest: LoadRest(counts: counts)) }
}

/// The measurement of a load at rest, in counts.
public struct LoadRest: Hashable, Sendable {
  /// The average.
  public var counts: Double
  /// One standard deviation of a single sample.
  public var spread = 0.0
  /// One standard uncertainty of the average, from the spread alone.
  public var deviation = 0.0
  /// The drift during the measurement, in counts per second.
  public var drift = 0.0
  /// The duration of the measurement.
  public var duration = Interval.zero
  /// The end of the measurement.
  public var end = Instant(nanoseconds: 0)
  /// Whether the axis was at its maximum, so that the load is unknown.
  public var isAtMaximum = false
}
