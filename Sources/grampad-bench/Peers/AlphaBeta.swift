import Weighing

/// A level and a rate, each corrected by a constant share of what was not foretold.
struct AlphaBeta: Contender {
  let name: ContenderName
  private(set) var level = 0.0
  private var rate = 0.0
  private var last: Instant?
  let alpha: Double
  private let beta: Double

  /// With an alpha of 0.3.
  init() { self.init(.alphaBeta, alpha: 0.3) }

  init(_ name: ContenderName, alpha: Double) {
    self.name = name
    self.alpha = alpha
    beta = alpha * alpha / (2 - alpha)
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
