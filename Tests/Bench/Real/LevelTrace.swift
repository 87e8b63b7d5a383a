import Weighing

/// What one contender shows for each sample of a series.
struct LevelTrace: Sendable {
  let name: String
  /// The reading after each sample, in grams.
  let levels: [Double]
  /// The times during which it reports the load as stable, in seconds; `nil` if it never does so.
  let stableTimes: [ClosedRange<Double>]?

  /// The trace of Grampad. A reading in overload is not a number.
  init(_ run: CellRun) {
    name = BenchFilterName.grampad.rawValue
    levels = run.readings.map { $0.level ?? .nan }
    stableTimes = run.stableTimes
  }

  /// The trace of a peer.
  init(_ peer: some BenchFilter, _ series: LoadSeries) {
    var peer = peer
    var levels: [Double] = []
    var stable: [Bool] = []
    levels.reserveCapacity(series.times.count)
    for (time, grams) in zip(series.times, series.grams) {
      peer.process(BenchSample(time: Instant(nanoseconds: 0) + .seconds(time), grams: grams, events: []))
      levels.append(peer.level)
      stable.append(peer.stableSince != nil)
    }
    name = peer.name.rawValue
    self.levels = levels
    stableTimes = peer.criterion == nil ? nil : Self.times(stable, series)
  }

  /// The trace of a filter stage of the recorded scale.
  init(_ own: LoadSeries.OwnFilter, _ series: LoadSeries) {
    name = own.name
    levels = own.levels
    stableTimes = own.isSteady.map { Self.times($0, series) }
  }

  private static func times(_ stable: [Bool], _ series: LoadSeries) -> [ClosedRange<Double>] {
    var times: [ClosedRange<Double>] = []
    var since: Double?
    for (time, isStable) in zip(series.times, stable) {
      if isStable {
        if since == nil { since = time }
      } else if let began = since {
        times.append(began...time)
        since = nil
      }
    }
    if let since, let end = series.times.last { times.append(since...end) }
    return times
  }

  /// Returns when the load is first reported as stable at or after a moment and before another; `nil` if it is not.
  func stable(from start: Double, before end: Double) -> Double? {
    guard let stableTimes else { return nil }
    return stableTimes.first { $0.upperBound > start && $0.lowerBound < end }.map { max($0.lowerBound, start) }
  }
}
