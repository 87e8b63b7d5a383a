/// The sums of all samples since the load was put down, and the marks at which the window can be split.
///
/// There is a mark at every frame for the last eight, at every second frame for the eight before, and so on. The marks
/// are an eighth to a quarter of their age apart, and their number grows with the logarithm of the window. All sums are
/// differences of running totals, so that a split costs the same at any length.
struct ObservationHistory: Sendable {
  /// The running totals before a frame.
  struct Mark: Sendable {
    /// Samples so far.
    var count = 0
    /// The sum of their values, less the reference.
    var sum = 0.0
    /// The sum of sample number times value, less the reference.
    var moment = 0.0
    /// The time of the frame that follows.
    var time = Instant(nanoseconds: 0)
  }

  private(set) var total = Mark()
  private(set) var start = Mark()
  private var reference = 0.0
  private(set) var frames = 0
  private(set) var rungs: [Mark]
  /// The split that was nearest to its threshold in the last search.
  private(set) var suspicion = Suspicion()

  /// A change that is not certain yet.
  struct Suspicion: Sendable {
    /// The time of the change.
    var mark = Mark()
    /// The likelihood ratio as a fraction of the threshold, 0...1; smaller ones than `least` may be missing.
    var share = 0.0

    /// Below this fraction of the threshold a change does not count.
    static let least = 0.3

    /// The weight of the change: 0 up to `least`, 1 at the threshold.
    var weight: Double { max((share - Self.least) / (1 - Self.least), 0) }
  }

  static let levels = 16  // Marks reach 2^18 frames back.
  static let marksPerLevel = 8  // A power of two; `steadySlope` needs eight.

  init() { rungs = Array(repeating: Mark(count: -1), count: Self.levels * Self.marksPerLevel) }

  /// The number of samples in the window.
  var count: Int { total.count - start.count }

  /// Removes all samples.
  mutating func removeAll() {
    total = Mark()
    start = Mark()
    frames = 0
    suspicion.share = 0
    for index in rungs.indices { rungs[index].count = -1 }
  }

  /// Appends a value that was constant for `times` samples from `time` on.
  mutating func append(_ value: Double, times: Int, at time: Instant) {
    if total.count == 0 { reference = value }
    if total.count > Self.rebaseAfter { rebase() }
    total.time = time
    var level = 0
    while level < Self.levels, frames & ((1 << level) - 1) == 0 {
      let slot = (frames >> level) & (Self.marksPerLevel - 1)
      rungs[level * Self.marksPerLevel + slot] = total
      level += 1
    }
    frames += 1
    let x = value - reference
    let n = Double(times)
    total.sum += x * n
    total.moment += x * (n * Double(total.count) + n * (n - 1) / 2)
    total.count += times
  }

  /// The line through the window with `times` further samples of `value`.
  func line(adding value: Double, times: Int) -> FittedLine {
    guard times > 0 else { return line(from: start, to: total) }
    var end = total
    let x = value - reference
    let n = Double(times)
    end.sum += x * n
    end.moment += x * (n * Double(end.count) + n * (n - 1) / 2)
    end.count += times
    return line(from: start, to: end)
  }

  /// The slope of the window in counts per sample if it moves steadily; otherwise 0.
  func certainSlope(_ noise: SampleNoise) -> Double {
    let line = line(from: start, to: total)
    return line.isSteadyMovement(variance: noise.variance(inMeanOf: line.count)) ? line.slope : 0
  }

  /// The split of the window at which a change is likeliest, if it is likelier than no change and explains the window
  /// better than a steady movement.
  ///
  /// A mark is evaluated when it is new: those of single frames each time, those of every `2^k`th frame accordingly.
  mutating func likeliestChange(noise: SampleNoise) -> Mark? {
    suspicion.share = 0
    var best: Mark?
    var bestExcess = 0.0
    let whole = line(from: start, to: total)
    let steadiness = whole.evidence(variance: noise.variance(inMeanOf: whole.count))
    var level = 0
    let fewest = Self.marksPerLevel / 2
    while level < Self.levels, level == 0 || frames & ((1 << level) - 1) == 0, frames >> level >= fewest {
      for slot in 0..<Self.marksPerLevel {
        let mark = rungs[level * Self.marksPerLevel + slot]
        guard mark.count > start.count, mark.count < total.count, mayHaveChanged(at: mark, variance: noise.variance),
          let change = evidence(at: mark, noise: noise, steadiness: steadiness)
        else { continue }
        if change.ratio - change.threshold > bestExcess {
          bestExcess = change.ratio - change.threshold
          best = mark
        } else if change.ratio > suspicion.share * change.threshold {
          suspicion = Suspicion(mark: mark, share: min(change.ratio / change.threshold, 1))
        }
      }
      level += 1
    }
    return best
  }

  /// The mean since the suspected change.
  var suspectedLevel: Double { line(from: suspicion.mark, to: total).mean }

  /// Removes all samples before a mark; returns the time of the first remaining frame.
  mutating func beginWindow(at mark: Mark) -> Instant {
    start = mark
    suspicion.share = 0
    return mark.time
  }

  /// Whether a change at a mark may count, or the part before it moves steadily: mostly neither, and this test needs no
  /// division.
  ///
  /// - Parameter variance: The variance of one sample; that of a mean of correlated ones is larger.
  @inline(__always)
  private func mayHaveChanged(at mark: Mark, variance: Double) -> Bool {
    let old = Double(mark.count - start.count)
    let recent = Double(total.count - mark.count)
    let sum = mark.sum - start.sum
    let miss = (total.sum - mark.sum) * old - sum * recent
    if miss * miss > Suspicion.least * Self.cheapest * variance * old * recent * (old + recent) { return true }
    guard old >= FittedLine.fewest else { return false }
    let moment = mark.moment - start.moment - Double(start.count + mark.count - 1) / 2 * sum
    return moment * moment > FittedLine.doubt / 12 * variance * old * (old * old - 1)
  }

  /// The likelihood ratio of a change at a mark and its threshold; `nil` if that of a steady movement, `steadiness`, is
  /// larger. A steady movement before the mark is compared by its own line.
  private func evidence(
    at mark: Mark, noise: SampleNoise, steadiness: Double
  ) -> (ratio: Double, threshold: Double)? {
    let old = line(from: start, to: mark)
    let recent = line(from: mark, to: total)
    let variance = noise.variance(inMeanOf: old.count)
    var expected = old.mean
    var spread = 1 / old.count
    var rival = steadiness
    if old.isSteadyMovement(variance: variance) {
      rival = 0
      let distance = (old.count + recent.count) / 2
      expected += old.slope * distance
      spread += distance * distance / old.spread
    }
    let miss = recent.mean - expected
    let ratio = miss * miss / (noise.variance(inMeanOf: recent.count) / recent.count + variance * spread)
    guard ratio >= rival else { return nil }
    return (ratio, Self.cheapest + Self.perLoss * Self.logarithm(1 + old.count / recent.count))
  }

  /// The threshold for a split that discards almost nothing, as a squared number of standard deviations.
  private static let cheapest = 8.0
  /// The increase of the threshold, in the same unit, for each factor e by which the window shrinks.
  private static let perLoss = 7.0

  /// The natural logarithm to 1 %: accurate enough for a threshold, without a mathematics library in the core.
  private static func logarithm(_ x: Double) -> Double {
    let f = x.significand - 1
    // log2(1 + f) by a quadratic that is exact at both ends.
    return 0.693147 * (Double(x.exponent) + f * (1.3465 - 0.3465 * f))
  }

  /// The line from one mark to another.
  func line(from a: Mark, to b: Mark) -> FittedLine {
    let n = Double(b.count - a.count)
    let sum = b.sum - a.sum
    let middle = Double(a.count + b.count - 1) / 2
    let slope = n < 3 ? 0 : (b.moment - a.moment - middle * sum) / (n * (n * n - 1) / 12)
    return FittedLine(count: max(n, 1), mean: sum / max(n, 1) + reference, slope: slope)
  }

  /// The number of samples after which the totals restart at the window's start, to preserve their precision.
  private static let rebaseAfter = 1 << 22

  private mutating func rebase() {
    // A window this long removes its older half first.
    if count > Self.rebaseAfter / 2,
      let half = rungs.filter({ $0.count > start.count }).min(by: { $0.count < $1.count })
    {
      start = half
    }
    let origin = start
    func moved(_ mark: Mark) -> Mark {
      guard mark.count >= origin.count else { return Mark(count: -1) }
      var mark = mark
      mark.count -= origin.count
      mark.sum -= origin.sum
      mark.moment -= origin.moment + Double(origin.count) * mark.sum
      return mark
    }
    suspicion.share = 0
    rungs = rungs.map(moved)
    total = moved(total)
    start = Mark(time: origin.time)
  }
}
