/// What earlier doses have shown, for each label; the labels that were learned last come last.
struct LearnedStops: Sendable {
  private(set) var stops: [LearnedStop] = []

  /// The dead times that are learned, in seconds: noise can make a short one negative; after a longer one, the flow was not stopped by
  /// this stop. Chosen.
  private static let plausible = -0.1...3.0

  /// What was learned for a label; `nil` for nothing.
  func stop(of label: String) -> LearnedStop? { stops.first { $0.label == label } }

  /// Restores what earlier runs have learned; what this run has learned remains.
  mutating func restore(_ earlier: [LearnedStop]) {
    for stop in earlier.reversed() where self.stop(of: stop.label) == nil {
      let samples = stop.samples.filter(Self.isPlausible).suffix(LearnedStop.maximumSamples)
      if !samples.isEmpty, stops.count < LearnedStop.maximumLabels {
        stops.insert(LearnedStop(label: stop.label, samples: Array(samples)), at: 0)
      }
    }
  }

  /// Whether a dose is worth learning.
  static func isPlausible(_ sample: LearnedStop.Sample) -> Bool {
    sample.flow > 0 && sample.flow.isFinite && plausible.contains(sample.arrived.value / sample.flow)
  }

  /// Appends a dose; returns what is learned for its label now, and the labels that are dropped for it.
  mutating func append(_ sample: LearnedStop.Sample, to label: String) -> (LearnedStop, dropped: [String]) {
    var stop = remove(label) ?? LearnedStop(label: label, samples: [])
    stop.samples = (stop.samples + [sample]).suffix(LearnedStop.maximumSamples)
    stops.append(stop)
    let dropped = stops.dropLast(LearnedStop.maximumLabels).map(\.label)
    stops = stops.suffix(LearnedStop.maximumLabels)
    return (stop, dropped)
  }

  /// Forgets what was learned for a label; returns it, or `nil` for nothing.
  mutating func remove(_ label: String) -> LearnedStop? {
    stops.firstIndex { $0.label == label }.map { stops.remove(at: $0) }
  }
}

extension LearnedStop {
  /// The median of the flow at the stop in grams per second.
  public var flow: Double { samples.map(\.flow).median ?? 0 }

  /// The median of the mass that arrived after the stop.
  public var arrived: Grams { Grams(samples.map(\.arrived.value).median ?? 0) }

  /// The time from a stop to the last mass that arrives, in seconds: the median of the doses.
  package var deadTime: Double? { samples.map { $0.arrived.value / $0.flow }.median }

  /// The flow of the doses in grams per second, and its standard deviation; `nil` for too few doses.
  var usualFlow: (mean: Double, deviation: Double)? {
    guard samples.count >= 2, let median = samples.map(\.flow).median,
      let spread = samples.map({ ($0.flow - median).magnitude }).median
    else { return nil }
    // 1.48: the standard deviation in median distances. Two doses say little about their spread; chosen: a tenth at least.
    return (median, max(1.48 * spread, 0.1 * median))
  }
}

extension [Double] {
  /// The middle one in order, or the mean of the two in the middle; `nil` without elements.
  fileprivate var median: Double? {
    guard !isEmpty else { return nil }
    let sorted = sorted()
    return (sorted[count / 2] + sorted[(count - 1) / 2]) / 2
  }
}
