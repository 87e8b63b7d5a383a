/// The flow of a recording, found by looking ahead, which no scale can: the slope of a line through the samples of a
/// second before and after.
struct ReferenceFlow: Sendable {
  let series: LoadSeries
  /// The flow at each sample; `nil` where a line does not explain the samples, as where the cup is touched.
  let flows: [Double?]

  static let reach = 1.0
  /// The least number of samples of a line, and by how much they may differ from it: Bluetooth scales report tenths.
  static let fewest = 5
  static let scatter = 0.5

  init(_ series: LoadSeries) {
    self.series = series
    flows = series.times.map { time in
      let samples = series.indices(from: time - Self.reach, to: time + Self.reach)
      guard samples.count >= Self.fewest else { return nil }
      let line = SampleLine(series, samples)
      return line.deviation <= Self.scatter ? line.slope : nil
    }
  }

  /// The flow at any moment: that of the next sample.
  func flow(at time: Double) -> Double? {
    let index = series.times.partitioningIndex { $0 >= time }
    return index < flows.count && series.times[index] - time < Self.reach ? flows[index] : nil
  }

  /// The samples at which nothing has flowed for four seconds, and nothing will for one.
  var resting: [Int] {
    series.times.indices.filter { index in
      let time = series.times[index]
      guard time >= 5 else { return false }
      let grams = series.grams[series.indices(from: time - 4, to: time + 1)]
      return (grams.max() ?? 0) - (grams.min() ?? 0) <= Self.flicker
    }
  }

  /// The last digit of a Bluetooth scale at rest.
  static let flicker = 0.11

  /// By how much values are behind the reference, and how far they are from it then.
  func lag(of values: [(time: Double, flow: Double)]) -> (lag: Double, rms: Double)? {
    var best: (lag: Double, rms: Double)?
    for step in 0...40 {
      let lag = Double(step) * 0.05
      let squares = values.compactMap { value in
        flow(at: value.time - lag).map { (value.flow - $0) * (value.flow - $0) }
      }
      guard squares.count > 20 else { continue }
      let rms = (squares.reduce(0, +) / Double(squares.count)).squareRoot()
      if rms < best?.rms ?? .infinity { best = (lag, rms) }
    }
    return best
  }

  /// When the load began to grow for good, from a moment on: the last sample before it was `rise` above the one there.
  func onset(from time: Double, rise: Double = 0.25) -> Double? {
    let first = series.times.partitioningIndex { $0 >= time }
    guard first < series.times.count else { return nil }
    let base = series.grams[first]
    return series.times.indices.dropFirst(first).first { series.grams[$0] > base + rise }
      .map { series.times[max($0 - 1, 0)] }
  }

  /// When the load stopped to grow: the first moment of three seconds in which it grows by less than a drip.
  func end(from time: Double) -> Double? {
    let strongest = zip(series.times, flows).filter { $0.0 >= time }.compactMap(\.1).filter { $0 < 12 }.max() ?? 0
    let drip = max(0.1, strongest / 10) * 3
    let first = series.times.indices.first { index in
      let begin = series.times[index]
      guard begin >= time, let last = series.times.last, last >= begin + 3 else { return false }
      let end = series.indices(from: begin, to: begin + 3).upperBound - 1
      return (series.grams[end] - series.grams[index]).magnitude <= drip
    }
    return first.map { series.times[$0] }
  }
}
