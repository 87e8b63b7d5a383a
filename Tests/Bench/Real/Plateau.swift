/// A time at which the load of a recording rests, found in the recording alone.
///
/// The rule does not use Grampad, and it looks ahead, which no scale can:
///
/// 1. A line is fitted to every block of two seconds. The noise of the recording is the lower quartile of the standard
///    deviations from these lines.
/// 2. A block is quiet if the deviation is at most four times that noise and the slope at most 0.1 g/s. Overlapping
///    quiet blocks are one plateau. Two plateaus with no more than the tolerance between them, and no sample further
///    away, are one, too.
/// 3. The load rests from the sample from which on all samples up to the plateau's first block lie within the tolerance
///    of the mean of that block: 0.5 g, or five times the noise if that is more.
/// 4. The load at a moment of a plateau is the line through all of its samples within five seconds of that moment.
struct Plateau: Sendable {
  /// When the load came to rest, in seconds since the first sample.
  let rest: Double
  /// When the plateau ends.
  let end: Double
  /// The load on the plateau at each of its samples.
  private let loads: [Double]
  private let first: Int

  /// The duration of a block in seconds.
  static let block = 2.0
  /// The largest slope of a quiet block, in grams per second.
  private static let steepest = 0.1
  /// The tolerance in grams.
  private static let tolerance = 0.5
  /// The distance in seconds of the samples that determine the load at a moment.
  private static let reach = 5.0

  /// The samples of the plateau.
  var indices: Range<Int> { first..<first + loads.count }

  /// The load at a sample of the plateau.
  func load(at index: Int) -> Double { loads[index - first] }

  /// Finds all plateaus of a series.
  static func all(in series: LoadSeries) -> [Plateau] {
    let blocks = blocks(of: series)
    let noise = blocks.map(\.line.deviation).sorted().quantile(0.25)
    let tolerance = max(Self.tolerance, 5 * noise)
    var stretches: [Range<Int>] = []
    for block in blocks where block.line.deviation <= 4 * noise && block.line.slope.magnitude <= Self.steepest {
      if let last = stretches.last, block.samples.lowerBound <= last.upperBound {
        stretches[stretches.count - 1] = last.lowerBound..<block.samples.upperBound
      } else {
        stretches.append(block.samples)
      }
    }
    return joined(stretches, in: series, tolerance).map { Plateau($0, in: series, tolerance) }
  }

  private static func blocks(of series: LoadSeries) -> [(samples: Range<Int>, line: SampleLine)] {
    var blocks: [(samples: Range<Int>, line: SampleLine)] = []
    var end = 0
    for start in series.times.indices {
      while end < series.times.count, series.times[end] - series.times[start] < block { end += 1 }
      if end == series.times.count { break }
      blocks.append((start..<end, SampleLine(series, start..<end)))
    }
    return blocks
  }

  private static func joined(_ stretches: [Range<Int>], in series: LoadSeries, _ tolerance: Double) -> [Range<Int>] {
    var joined: [Range<Int>] = []
    for next in stretches {
      guard let last = joined.last else {
        joined.append(next)
        continue
      }
      let before = mean(series, last.suffix(10))
      let after = mean(series, next.prefix(10))
      let isQuiet = series.grams[last.upperBound..<next.lowerBound].allSatisfy {
        ($0 - (before + after) / 2).magnitude <= tolerance
      }
      if isQuiet, (after - before).magnitude <= tolerance {
        joined[joined.count - 1] = last.lowerBound..<next.upperBound
      } else {
        joined.append(next)
      }
    }
    return joined
  }

  private static func mean(_ series: LoadSeries, _ samples: Range<Int>) -> Double {
    samples.reduce(0) { $0 + series.grams[$1] } / Double(max(samples.count, 1))
  }

  private init(_ samples: Range<Int>, in series: LoadSeries, _ tolerance: Double) {
    let blockEnd = series.times.partitioningIndex { $0 >= series.times[samples.lowerBound] + Self.block }
    let level = SampleLine(series, samples.lowerBound..<min(blockEnd, samples.upperBound)).mean
    var first = samples.lowerBound
    while first > 0, (series.grams[first - 1] - level).magnitude <= tolerance { first -= 1 }
    self.first = first
    let (start, stop) = (series.times[first], series.times[samples.upperBound - 1])
    (rest, end) = (start, stop)
    loads = (first..<samples.upperBound).map { index in
      let time = series.times[index]
      let near = series.indices(from: max(time - Self.reach, start), to: min(time + Self.reach, stop))
      return SampleLine(series, near).value(at: time)
    }
  }
}
