/// Tests for movements in a window that are not certain enough to split it.
///
/// Both tests rather report a movement too many: the next frame tests again.
extension ObservationHistory {
  /// Whether the last `samples` wander more than noise does and more than a movement of `limit` counts, peak to peak.
  ///
  /// Compares the means of four to eight blocks with their common mean: a chi-squared test with one degree of freedom
  /// less than there are blocks, which finds a swing of any phase. The contribution of a swing of the limit is allowed
  /// for.
  func wanders(over samples: Int, limit: Double, noise: SampleNoise) -> Bool {
    var level = 0
    while level < Self.levels - 1, Self.marksPerLevel << level < samples { level += 1 }
    let earliest = max(total.count - samples, start.count)
    let newest = (frames - 1) >> level
    var (squares, sum, count, blocks) = (0.0, 0.0, 0.0, 0.0)
    var newer = total
    for back in 0..<min(Self.marksPerLevel, newest + 1) {
      let mark = rungs[level * Self.marksPerLevel + (newest - back) & (Self.marksPerLevel - 1)]
      guard mark.count >= earliest else { break }
      let samples = Double(newer.count - mark.count)
      guard samples > 0 else { continue }
      let block = newer.sum - mark.sum
      squares += block * block / samples
      sum += block
      count += samples
      blocks += 1
      newer = mark
    }
    guard blocks > 1 else { return false }
    let freedom = blocks - 1
    let variance = noise.variance(inMeanOf: count / blocks)
    // The variance of a sine with this peak-to-peak amplitude is an eighth of its square.
    let allowed = variance * (freedom + Self.doubt * (2 * freedom).squareRoot()) + count * limit * limit / 8
    return squares - sum * sum / count > allowed
  }

  /// Whether the window may hide a step of more than `limit` counts: likely, though not certain.
  func hidesStep(over limit: Double, noise: SampleNoise) -> Bool {
    for mark in rungs where mark.count > start.count && mark.count < total.count {
      let old = line(from: start, to: mark)
      let recent = line(from: mark, to: total)
      let miss = recent.mean - old.mean
      let odds = recent.count <= Self.newest ? Self.oddsOfNewest : Self.odds
      guard miss.magnitude > limit else { continue }
      let variance =
        noise.variance(inMeanOf: recent.count) / recent.count + noise.variance(inMeanOf: old.count) / old.count
      if miss * miss > odds * variance { return true }
    }
    return false
  }

  /// The threshold of the chi-squared statistic in standard deviations over its mean: exceeded by about one in thirty
  /// at rest.
  private static let doubt = 2.0
  /// The squares of 2.9 and 2 standard deviations; the lower one for the newest samples, which may be the beginning of
  /// a movement by a hand.
  private static let odds = 8.5
  private static let oddsOfNewest = 4.0
  private static let newest = 4.0
}
