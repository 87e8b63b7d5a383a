/// How a contender treats loads that hang and swing.
struct SwingScore {
  /// The number of times that the load was reported as stable.
  private(set) var onsets = 0
  /// The number of those during a swing of more than 6 g.
  private(set) var swingingOnsets = 0
  /// The largest swing at an onset, in grams.
  private(set) var worst = 0.0
  /// Hours of the recording.
  let hours: Double

  /// The swing at which no onset is allowed, in grams.
  static let limit = 6.0
  /// Hanging loads of FARE-KE swing with a period of 1.1 to 1.3 s: this time has a whole one.
  private static let window = 1.5

  init(_ trace: LevelTrace, _ series: LoadSeries) {
    hours = (series.times.last ?? 0) / 3600
    for time in trace.stableTimes?.map(\.lowerBound) ?? [] {
      onsets += 1
      let swing = Self.swing(of: series, at: time)
      worst = max(worst, swing)
      if swing > Self.limit { swingingOnsets += 1 }
    }
  }

  /// Returns the swing of a load at a moment, peak to peak: the smaller of that of the 1.5 s before and of the 1.5 s
  /// after. A load that has just come to rest, or that is about to be taken off, does not swing.
  static func swing(of series: LoadSeries, at time: Double) -> Double {
    func range(_ indices: Range<Int>) -> Double {
      let grams = series.grams[indices]
      return (grams.max() ?? 0) - (grams.min() ?? 0)
    }
    return min(
      range(series.indices(from: time - window, to: time)), range(series.indices(from: time, to: time + window)))
  }

  /// The times during which more than half of the largest load is on the scale, at least ten seconds each.
  static func loadings(of series: LoadSeries) -> [ClosedRange<Double>] {
    let half = (series.grams.sorted().quantile(0.98)) / 2
    var loadings: [ClosedRange<Double>] = []
    var since: Double?
    for (time, grams) in zip(series.times, series.grams) {
      if grams > half {
        if since == nil { since = time }
      } else if let began = since {
        if time - began >= 10 { loadings.append(began...time) }
        since = nil
      }
    }
    return loadings
  }
}

/// The flow of a pour.
struct PourFlow {
  /// The samples during which more than 0.5 g/s flows.
  let samples: [Int]

  private static let limit = 0.5
  /// The flow at a sample is the slope of the line through the samples of this many seconds before and after.
  private static let reach = 1.0

  init(_ series: LoadSeries) {
    samples = series.times.indices.filter { index in
      let near = series.indices(from: series.times[index] - Self.reach, to: series.times[index] + Self.reach)
      return SampleLine(series, near).slope > Self.limit
    }
  }

  /// The share of the flow during which a trace is stable.
  func stableShare(_ trace: LevelTrace, _ series: LoadSeries) -> Double {
    let times = trace.stableTimes ?? []
    let stable = samples.count { index in times.contains { $0.contains(series.times[index]) } }
    return Double(stable) / Double(samples.count)
  }
}
