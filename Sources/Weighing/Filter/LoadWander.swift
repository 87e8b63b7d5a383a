/// How far a load at rest wanders over seconds: by warmth, creep, evaporation, and the slow noise of a converter.
///
/// The noise from sample to sample says nothing about it. Half the mean square of the difference between the means of
/// neighbouring blocks does (the Allan variance, IEEE Std 952-1997, annex C): for noise it is the variance of the mean
/// of one block, and while the load wanders, about the variance of that mean as an estimate of the load at the end of the
/// block. Blocks of 16, 32, 64 ... samples show where a longer mean stops being a better one.
struct LoadWander: Sendable {
  private struct Level: Sendable {
    /// The mean of the first half of the block that is under way, and those of the last two blocks.
    var half: Double?
    var last: Double?
    var beforeLast: Double?
    var step = MeanSquare()
    var bend = MeanSquare()

    /// Adds half a block; returns the mean of a whole one.
    mutating func append(_ mean: Double) -> Double? {
      guard let half else {
        half = mean
        return nil
      }
      self.half = nil
      let block = (half + mean) / 2
      if let last {
        step.append((block - last) * (block - last) / 2)
        if let beforeLast {
          let bend = block - 2 * last + beforeLast
          self.bend.append(bend * bend / 6)
        }
      }
      (beforeLast, last) = (last, block)
      return block
    }
  }

  /// The mean of the last squares.
  private struct MeanSquare: Sendable {
    var mean = 0.0
    var count = 0.0

    mutating func append(_ square: Double) {
      count = min(count + 1, LoadWander.memory)
      mean += (square - mean) / count
    }

    /// By how much it exceeds what is expected of noise; 0 until that is certain.
    func excess(over expected: Double) -> Double {
      let deviation = expected * (2 / max(count, 1)).squareRoot()
      return count >= 2 && mean - expected > LoadWander.certain * deviation ? mean - expected : 0
    }
  }

  private var levels = [Level](repeating: Level(), count: 7)
  private var sum = 0.0
  private var count = 0

  /// The number of samples in half a block of the first level.
  private static let shortestHalf = 8
  /// The memory in squared differences between blocks, on each level.
  private static let memory = 16.0
  /// By how many of its standard deviations a variance has to exceed that of noise.
  private static let certain = 2.0

  /// The load has moved: the next sample has nothing to do with the last one.
  mutating func interrupt() {
    (sum, count) = (0, 0)
    for index in levels.indices { (levels[index].half, levels[index].last, levels[index].beforeLast) = (nil, nil, nil) }
  }

  /// Appends a sample of a load at rest.
  mutating func append(_ value: Double) {
    sum += value
    count += 1
    guard count == Self.shortestHalf else { return }
    var mean = sum / Double(count)
    (sum, count) = (0, 0)
    for index in levels.indices {
      guard let block = levels[index].append(mean) else { return }
      mean = block
    }
  }

  /// The variance that an estimate from many samples has beyond that of noise; 0 until it is certain.
  ///
  /// - Parameter trust: How far the estimate is the end of a line and not the mean.
  func variance(in samples: Double, trust: Double, noise: SampleNoise) -> Double {
    var (step, bend) = (0.0, 0.0)
    var length = Double(2 * Self.shortestHalf)
    for level in levels where length <= samples {
      let expected = noise.variance(inMeanOf: length) / length
      step = max(step, level.step.excess(over: expected))
      bend = max(bend, level.bend.excess(over: expected))
      length *= 2
    }
    return (1 - trust) * step + trust * 4 * bend
  }
}
