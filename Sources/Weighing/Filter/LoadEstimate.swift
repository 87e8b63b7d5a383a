extension LoadFilter {
  /// The estimate of the load at a moment.
  struct Estimate: Equatable, Sendable {
    /// The load in counts.
    var level: Double
    /// One standard uncertainty of the level, from noise alone, in counts.
    var deviation: Double
    /// The same with the noise that the pad had when it was quietest.
    var quietDeviation: Double
    /// The number of samples whose mean has this uncertainty.
    var samples: Double
    /// How far the level is that of the line's end and not the mean of the window, 0...1.
    var trustInSlope: Double
    /// The slope of the line through the window, in counts per second.
    var slope: Double
    /// One standard uncertainty of the slope, in counts per second.
    var slopeDeviation: Double
    /// When the window began.
    var since: Instant
    /// When the newest sample arrived.
    var newest: Instant
    /// The time between two samples.
    var period: Interval
    /// Whether each sample arrives, repeated values included; otherwise silence is a repeated value.
    var deliversEverySample: Bool
  }
}

extension StabilityDetector.Level {
  /// Makes a level in grams of an estimate in counts.
  @inline(__always)
  init(
    _ estimate: LoadFilter.Estimate, mass: Grams, gramsPerCount: Double, slopeAcrossWindows: Double?, step: Double
  ) {
    self.init(
      mass: mass.value, deviation: estimate.deviation * gramsPerCount,
      quietDeviation: estimate.quietDeviation * gramsPerCount, slope: estimate.slope * gramsPerCount,
      slopeDeviation: estimate.slopeDeviation * gramsPerCount,
      rateAcrossWindows: slopeAcrossWindows.map { $0 * gramsPerCount }, since: estimate.since, period: estimate.period,
      step: step)
  }
}
