/// How the topic `stable` follows the stable readings of a run.
struct TopicScore {
  /// The longest time in seconds from a stable reading with another value than the one announced last until it is
  /// announced. A value that is never announced counts with the time for which it was stable.
  private(set) var lag = 0.0
  /// When that was.
  private(set) var at = 0.0

  /// A stable reading that ends sooner need not be announced, in seconds.
  private static let brief = 0.2

  init(_ run: CellRun, _ series: LoadSeries) {
    for times in run.stableTimes where times.upperBound - times.lowerBound > Self.brief {
      let messages = run.settled.filter { times.contains($0.time) }
      let before = run.settled.last { $0.time < times.lowerBound }?.net
      let began = series.times.partitioningIndex { $0 > times.lowerBound } - 1
      let shown = run.readings.indices.contains(began) ? run.readings[began].displayed : nil
      // The empty scale is not announced.
      guard let shown, shown != 0, shown != before else { continue }
      let late = (messages.first?.time ?? times.upperBound) - times.lowerBound
      if late > lag { (lag, at) = (late, times.lowerBound) }
    }
  }
}
