extension StopPredictor {
  /// The load at a moment and what follows from it.
  struct Estimate: Sendable {
    /// The load in grams.
    var mass: Double
    /// Its slope and the flow of the stop in grams per second, which the flow of earlier doses supports.
    var slope: Double
    var flow: Double
    /// The mass that will arrive after a stop.
    var arriving: Double
  }

  /// A block of samples.
  struct Block: Sendable {
    var time: Instant
    var mass: Double
    var weight: Double
    /// The variance of one sample.
    var variance: Double
  }
}
