/// How one contender follows the loads of a series that come to rest.
struct PlacementScore {
  /// Seconds from rest until the reading stays within the tolerance, sorted.
  let settling: [Double]
  /// Seconds from rest until the load is reported as stable, sorted; `nil` for a contender that never does so. A
  /// plateau without a stable reading counts with its whole duration.
  let lateness: [Double]?
  /// Root mean square of reading minus load, from 2 s after rest.
  let noise: Double
  /// The largest difference on a plateau of more than a minute, from 2 s after rest; `nil` without such a plateau.
  let drift: Double?
  /// Root mean square of reading minus load when Grampad first reports each load as stable.
  let errorAtOnset: Double

  /// How long after rest the reading has to remain within the tolerance, in seconds.
  private static let watched = 8.0
  /// When noise and drift are scored, in seconds after rest.
  private static let steadyAfter = 2.0
  private static let longPlateau = 60.0

  /// Scores a trace.
  ///
  /// - Parameters:
  ///   - tolerance: In grams.
  ///   - onsets: When Grampad first reports the load of each plateau as stable; empty if that is not scored.
  init(_ trace: LevelTrace, _ truth: PlacementTruth, tolerance: Double, onsets: [Double?]) {
    let times = truth.series.times
    var (settling, squares, onsetSquares): ([Double], [Double], [Double]) = ([], [], [])
    var drift: Double?
    for (number, plateau) in truth.plateaus.enumerated() {
      let errors = plateau.indices.map { (times[$0], trace.levels[$0] - truth.load(at: $0, on: plateau)) }
      let watched = errors.filter { $0.0 <= plateau.rest + Self.watched }
      // Written so that a reading that is not a number is outside the tolerance.
      let last = watched.lastIndex { !($0.1.magnitude <= tolerance) }
      let settled = last.map { watched[min($0 + 1, watched.count - 1)].0 } ?? plateau.rest
      settling.append(settled - plateau.rest)
      let steady = errors.filter { $0.0 >= plateau.rest + Self.steadyAfter }.map(\.1)
      squares += steady.map { $0 * $0 }
      if plateau.end - plateau.rest > Self.longPlateau {
        drift = max(drift ?? 0, steady.map(\.magnitude).max() ?? .infinity)
      }
      let onset = onsets.indices.contains(number) ? onsets[number] : nil
      if let onset, let error = errors.first(where: { $0.0 >= onset })?.1 { onsetSquares.append(error * error) }
    }
    self.settling = settling.sorted()
    self.drift = drift
    noise = Self.root(squares)
    errorAtOnset = Self.root(onsetSquares)
    lateness = trace.stableTimes.map { _ in
      truth.plateaus.map { plateau in
        (trace.stable(from: plateau.rest, before: plateau.end) ?? plateau.end) - plateau.rest
      }.sorted()
    }
  }

  private static func root(_ squares: [Double]) -> Double {
    squares.isEmpty ? .nan : (squares.reduce(0, +) / Double(squares.count)).squareRoot()
  }
}

/// The loads of a series that come to rest, above its empty plate.
struct PlacementTruth {
  let series: LoadSeries
  /// The plateaus with a load.
  let plateaus: [Plateau]
  /// The load of the empty plate in the series: the mean of the plateau with which it begins.
  let zero: Double

  init(_ series: LoadSeries) {
    self.series = series
    let plateaus = Plateau.all(in: series)
    let empty = plateaus.first.flatMap { $0.rest == series.times[0] ? $0 : nil }
    zero = empty.map { SampleLine(series, $0.indices).mean } ?? 0
    self.plateaus = empty == nil ? plateaus : Array(plateaus.dropFirst())
  }

  /// Seconds from each rest until the samples themselves have kept the limit of motion for the time in force, sorted:
  /// `motion` grams from peak to peak during `time`, at least six sample periods. A plateau on which they never do so
  /// counts with its whole duration.
  func limitKept(motion: Double, for time: Double) -> [Double] {
    let span = max(time, 6 * series.period)
    // Half a period more, as the samples are not exactly one period apart.
    let reach = span - series.period / 2
    return plateaus.map { plateau in
      let kept = plateau.indices.first { index in
        let first = series.times.partitioningIndex { $0 > series.times[index] - reach } - 1
        guard first >= 0 else { return false }
        let samples = series.grams[first...index]
        return samples.max()! - samples.min()! <= motion
      }
      return (kept.map { series.times[$0] } ?? plateau.end) - plateau.rest
    }.sorted()
  }

  /// The load at a sample of a plateau.
  func load(at index: Int, on plateau: Plateau) -> Double { plateau.load(at: index) - zero }
}
