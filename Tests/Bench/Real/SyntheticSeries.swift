import Recordings

/// A series for what no recording shows: any rate, noise with a known correlation, and a known load.
struct SyntheticSeries {
  /// Samples per second.
  var rate: Double
  /// The correlation of the noise of successive samples.
  var correlation = 0.0
  /// The standard deviation of a sample in grams.
  var noise = SyntheticSeries.noise
  /// The deviation of each interval from the sample period, at most, as a share of it.
  var jitter = 0.0
  /// How often each sample is delivered.
  var repeats = 1
  var seed: UInt64

  /// The noise of the recorded load cells lies between 0.03 and 0.1 g.
  static let noise = 0.05
  /// When the load of `step` is put on the empty plate, in seconds.
  static let placed = 4.0
  /// When it rests.
  static let rests = 4.15
  /// Its mass in grams.
  static let mass = 100.0

  /// Makes the series.
  ///
  /// - Parameters:
  ///   - duration: In seconds.
  ///   - load: The load in grams at a moment in seconds.
  ///   - rateAt: The rate at a moment, if it changes.
  func series(
    _ name: String, duration: Double, rateAt: ((Double) -> Double)? = nil, load: (Double) -> Double
  ) -> LoadSeries {
    var random = SplitMix64(seed: seed)
    var series = LoadSeries(
      name: name, kind: .placements, times: [], grams: [], truth: [], countsPerGram: 1540, bits: 23, capacity: 1000)
    var time = 0.0
    var error = random.gaussian()
    while time < duration {
      let period = 1 / (rateAt?(time) ?? rate)
      for number in 0..<repeats {
        series.times.append(time + Double(number) * period / Double(repeats))
        series.grams.append(load(time) + noise * error)
        series.truth?.append(load(time))
      }
      error = correlation * error + (1 - correlation * correlation).squareRoot() * random.gaussian()
      time += period * (1 + jitter * (2 * random.unit() - 1))
    }
    return series
  }

  /// A load that is put on the empty plate and rests.
  static func step(at time: Double) -> Double { mass * min(max((time - placed) / (rests - placed), 0), 1) }
}

extension LoadSeries {
  /// Returns the series without the samples of a time.
  func removing(from start: Double, to end: Double) -> LoadSeries {
    let gap = indices(from: start, to: end)
    var series = self
    series.times.removeSubrange(gap)
    series.grams.removeSubrange(gap)
    series.truth?.removeSubrange(gap)
    return series
  }
}
