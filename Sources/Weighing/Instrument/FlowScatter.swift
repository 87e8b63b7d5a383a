/// How far the blocks scatter around a steady movement: a stream that splashes, and a scale that reports tenths of a
/// gram, scatter more than the noise of the pad.
///
/// The middle one of three successive blocks is compared with the line between the others, which a steady movement does
/// not change, and a bend changes once.
struct FlowScatter: Sendable {
  private struct Block: Sendable {
    var weight: Double
    var time: Instant
    var mass: Double
  }

  private var earlier: Block?
  private var last: Block?
  /// The mean of the squared distances, as the variance of one sample.
  private var scatter = 0.0

  /// The memory in blocks: the weight of a new block is one over this number.
  private static let memory = 16.0
  /// The largest squared distance that counts, in variances: that of five standard deviations.
  private static let limit = 25.0
  /// The scatter counts from this multiple of the variance of the noise on: below it, chance explains it.
  private static let excess = 2.0

  /// Another load: what came before says nothing about it.
  mutating func restart() {
    earlier = nil
    last = nil
    scatter = 0
  }

  /// Appends a block; returns the variance of one sample, at least that of the noise.
  ///
  /// - Parameters:
  ///   - mass: The mean of the block in grams.
  ///   - noise: The variance of the noise of one sample.
  mutating func append(_ block: FlowBlock, mass: Double, noise: Double) -> Double {
    let time = block.centre
    defer {
      earlier = last
      last = Block(weight: block.weight, time: time, mass: mass)
    }
    if let earlier, let last, time > earlier.time {
      let share = (last.time - earlier.time).seconds / (time - earlier.time).seconds
      let distance = last.mass - earlier.mass - share * (mass - earlier.mass)
      let square =
        distance * distance
        / (1 / last.weight + (1 - share) * (1 - share) / earlier.weight + share * share / block.weight)
      scatter += (min(square, Self.limit * max(scatter, noise)) - scatter) / Self.memory
    }
    return scatter > Self.excess * noise ? scatter : noise
  }
}
