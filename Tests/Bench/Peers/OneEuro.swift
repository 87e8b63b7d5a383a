import Weighing

/// A low-pass filter whose cutoff rises with the speed of the signal.
struct OneEuro: BenchFilter {
  let name: BenchFilterName
  private(set) var level = 0.0
  private var last: Instant?
  private var speed = 0.0
  /// The cutoff for a signal at rest, in hertz.
  let cutoff: Double
  /// The increase of the cutoff with the speed, in hertz per gram per second.
  let beta: Double

  /// Makes a filter with the parameters of its examples.
  init() { self.init(.oneEuro, cutoff: 1, beta: 0.1) }

  /// Makes a filter with a cutoff in hertz and its increase in hertz per gram per second.
  init(_ name: BenchFilterName, cutoff: Double, beta: Double) {
    (self.name, self.cutoff, self.beta) = (name, cutoff, beta)
  }

  mutating func restart() {
    last = nil
    speed = 0
  }

  mutating func process(_ sample: BenchSample) {
    defer { last = sample.time }
    guard let last else {
      level = sample.grams
      return
    }
    let step = (sample.time - last).seconds
    speed += Self.share(cutoff: 1, step) * ((sample.grams - level) / step - speed)
    level += Self.share(cutoff: cutoff + beta * speed.magnitude, step) * (sample.grams - level)
  }

  private static func share(cutoff: Double, _ step: Double) -> Double {
    let time = 1 / (2 * Double.pi * cutoff)
    return 1 / (1 + time / step)
  }
}
