/// What earlier doses have shown, for each label; the labels that were learned last come last.
struct LearnedStops: Sendable {
  private(set) var stops: [LearnedStop] = []
  /// The last doses of each label, the newest last, also those that are not learned.
  private var recent: [String: [LearnedStop.Sample]] = [:]

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
    sample.flow > 0 && sample.flow.isFinite && plausible.contains(sample.deadTime)
  }

  /// Appends a dose; returns what is learned for its label now, after the labels that are dropped for it; `nil` for an outlier.
  ///
  /// When the last doses agree, although the newest one is far from those that are learned, the plant has changed: the last ones
  /// are learned instead.
  mutating func append(_ sample: LearnedStop.Sample, to label: String) -> [LearnedStop]? {
    var stop = self.stop(of: label) ?? LearnedStop(label: label, samples: [])
    let last = LearnedStop(
      label: label, samples: (recent[label] ?? []).suffix(LearnedStop.fewestSamples - 1) + [sample])
    recent[label] = last.samples
    if let limit = stop.largestDistance, stop.distance(to: sample) > limit {
      guard last.samples.count == LearnedStop.fewestSamples, last.samples.allSatisfy({ last.distance(to: $0) <= limit })
      else { return nil }
      stop.samples = last.samples.dropLast()
    }
    stop.samples = (stop.samples + [sample]).suffix(LearnedStop.maximumSamples)
    stops.removeAll { $0.label == label }
    stops.append(stop)
    let dropped = stops.dropLast(LearnedStop.maximumLabels).map(\.label)
    for label in dropped { _ = remove(label) }
    return dropped.map { LearnedStop(label: $0, samples: []) } + [stop]
  }

  /// Forgets what was learned for a label; returns it, or `nil` for nothing.
  mutating func remove(_ label: String) -> LearnedStop? {
    recent[label] = nil
    return stops.firstIndex { $0.label == label }.map { stops.remove(at: $0) }
  }
}

extension LearnedStop {
  /// The median of the flow at the stop in grams per second.
  public var flow: Double { median(of: samples.map(\.flow)) ?? 0 }

  /// The median of the mass that arrived after the stop.
  public var arrived: Grams { Grams(median(of: samples.map(\.arrived.value)) ?? 0) }

  /// The time from a stop to the last mass that arrives, in seconds: the median of the doses.
  package var deadTime: Double? { median(of: samples.map(\.deadTime)) }

  /// The flow of the doses in grams per second, and its standard deviation; `nil` for too few doses.
  var usualFlow: (mean: Double, deviation: Double)? {
    guard samples.count >= 2, let deviation = robustDeviation(of: samples.map { $0.flow - flow }) else { return nil }
    // Two doses say little about their spread; chosen: a tenth at least.
    return (flow, max(deviation, 0.1 * flow))
  }

  // MARK: Outliers

  /// The fewest doses of which one can be an outlier, and that show another plant if they agree. Chosen: either of two may be the
  /// odd one, and three are the majority of those that count.
  fileprivate static let fewestSamples = 3
  /// An outlier is further from the median than this many standard deviations of the doses, and than this time, in seconds. Chosen: a
  /// noise of 0.3 g leaves 0.05 s at 2 g/s and 20 samples/s, and a long dead time of 1.5 s scatters by 0.075 s.
  private static let outlier = 5.0
  private static let scatter = 0.3

  /// How far the dead time of another dose may be from the median, in seconds; `nil` for too few doses.
  fileprivate var largestDistance: Double? {
    guard samples.count >= Self.fewestSamples, let deviation = robustDeviation(of: samples.map(distance)) else {
      return nil
    }
    return max(Self.outlier * deviation, Self.scatter)
  }

  /// How far the dead time of a dose is from the median, in seconds.
  fileprivate func distance(to sample: Sample) -> Double { (sample.deadTime - (deadTime ?? 0)).magnitude }
}
