import Weighing

/// A level and a rate, each corrected by a constant share of what was not foretold.
struct AlphaBeta: Contender {
  let name: ContenderName
  private(set) var level = 0.0
  private var rate = 0.0
  private var last: Instant?
  private let alpha: Double
  private let beta: Double

  /// With an alpha of 0.3.
  init() { self.init(.alphaBeta, alpha: 0.3) }

  /// With the alpha that settles soonest on these loads, 95 % of the time.
  init(tunedTo pad: PadKnowledge) {
    let share = pad.varianceShare(leaving: Self.deviation)
    var (low, high) = (0.0, 1.0)
    for _ in 0..<40 {
      let middle = (low + high) / 2
      if Self.varianceShare(alpha: middle) < share { low = middle } else { high = middle }
    }
    self.init(.tunedAlphaBeta, alpha: low)
  }

  /// The standard deviation of its level at rest, in grams.
  static let deviation = 0.25

  private init(_ name: ContenderName, alpha: Double) {
    self.name = name
    self.alpha = alpha
    beta = Self.beta(alpha)
  }

  private static func beta(_ alpha: Double) -> Double { alpha * alpha / (2 - alpha) }

  /// What it leaves of the variance of a sample (Benedict and Bordner, as above).
  private static func varianceShare(alpha: Double) -> Double {
    let beta = beta(alpha)
    return (2 * alpha * alpha + beta * (2 - 3 * alpha)) / (alpha * (4 - beta - 2 * alpha))
  }

  mutating func restart() {
    last = nil
    rate = 0
  }

  mutating func take(_ sample: PadSample) {
    defer { last = sample.time }
    guard let last else {
      level = sample.grams
      return
    }
    let step = (sample.time - last).seconds
    level += rate * step
    let miss = sample.grams - level
    level += alpha * miss
    rate += beta / step * miss
  }
}
