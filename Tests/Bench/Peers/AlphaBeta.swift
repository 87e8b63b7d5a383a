import Weighing

/// An alpha-beta filter: a level and a rate, each corrected by a constant share of the prediction error.
struct AlphaBeta: BenchFilter {
  let name: BenchFilterName
  private(set) var level = 0.0
  private var rate = 0.0
  private var last: Instant?
  let alpha: Double
  private let beta: Double

  /// Makes a filter with an alpha of 0.3.
  init() { self.init(.alphaBeta, alpha: 0.3) }

  init(_ name: BenchFilterName, alpha: Double) {
    (self.name, self.alpha) = (name, alpha)
    beta = alpha * alpha / (2 - alpha)
  }

  mutating func restart() {
    last = nil
    rate = 0
  }

  mutating func process(_ sample: BenchSample) {
    defer { last = sample.time }
    guard let last else {
      level = sample.grams
      return
    }
    let step = (sample.time - last).seconds
    level += rate * step
    let error = sample.grams - level
    level += alpha * error
    rate += beta / step * error
  }
}
