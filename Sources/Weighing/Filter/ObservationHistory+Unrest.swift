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

  /// The slope in counts per sample of a movement that goes on through the last samples, whatever windows they belong
  /// to; `nil` without one.
  ///
  /// Compares the means of four blocks of the same length. A flow makes all three differences; a load that is put down
  /// makes two of them at most.
  ///
  /// - Parameter longest: The most samples in all four blocks.
  func steadySlope(within longest: Int, noise: SampleNoise) -> Double? {
    for level in 0..<Self.levels {
      let newest = (frames - 1) >> level
      guard newest >= Self.marksPerLevel - 1 else { return nil }
      func mark(_ back: Int) -> Mark { rungs[level * Self.marksPerLevel + (newest - back) & (Self.marksPerLevel - 1)] }
      let (first, second, third, fourth) = (mark(7), mark(5), mark(3), mark(1))
      guard first.count >= 0, total.count - first.count <= longest else { return nil }
      let blocks = (
        line(from: first, to: second), line(from: second, to: third), line(from: third, to: fourth),
        line(from: fourth, to: total)
      )
      let rise = blocks.3.mean - blocks.0.mean
      let direction = rise < 0 ? -1.0 : 1
      let count = min(blocks.0.count, blocks.3.count)
      let deviation = (2 * noise.variance(inMeanOf: count) / count).squareRoot()
      let least = max(rise.magnitude * Self.leastShare, deviation * Self.likely)
      guard (blocks.1.mean - blocks.0.mean) * direction >= least,
        (blocks.2.mean - blocks.1.mean) * direction >= least,
        (blocks.3.mean - blocks.2.mean) * direction >= least
      else { continue }
      return rise * 2 / Double(total.count + fourth.count - second.count - first.count)
    }
    return nil
  }

  /// The least of each of the three differences, in standard deviations and as a share of the whole rise.
  private static let likely = 2.0
  private static let leastShare = 0.125

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

  /// The threshold of the chi-squared statistic in standard deviations over its mean: exceeded by one in 20 to 23
  /// at rest, before the limit is allowed for.
  private static let doubt = 2.0
  /// The squares of 2.9 and 2 standard deviations; the lower one for this many newest samples, which may be the
  /// beginning of a movement by a hand.
  private static let odds = 8.5
  private static let oddsOfNewest = 4.0
  private static let newest = 4.0
}
