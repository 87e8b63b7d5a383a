import Recordings
import Weighing

/// What a contender may be told of the pad before the trial.
struct PadKnowledge {
  /// One standard deviation of a sample at the load that is to come, in grams.
  var deviation: Double
  /// Samples a second.
  var rate: Int
  /// When the load will have come to rest: for the bound alone.
  var rest: Instant
}

extension PadKnowledge {
  /// All contenders, anew, in the order of `ContenderName`.
  func contenders(pad: PadDescription, settings: ScaleSettings, start: Instant) throws -> [any Contender] {
    try ContenderName.allCases.map { name in
      switch name {
      case .grampad: try GrampadScale(pad: pad, settings: settings, start: start)
      case .trackWeight: TrackWeightMean()
      case .hx711: HX711Average()
      case .espHome: ESPHomeFilters()
      case .kalman: SimpleKalman()
      case .tunedKalman: TunedKalman(self)
      case .oneEuro: OneEuro()
      case .tunedOneEuro: OneEuro(tunedTo: self)
      case .alphaBeta: AlphaBeta()
      case .tunedAlphaBeta: AlphaBeta(tunedTo: self)
      case .bound: RestMean(rest: rest)
      }
    }
  }

  /// The share of a sample's variance that a filter may leave so that its level has a standard deviation of `grams`.
  func varianceShare(leaving grams: Double) -> Double { min(grams * grams / (deviation * deviation), 0.98) }
}
