import Weighing

/// A low-pass filter whose cutoff rises with the speed of the signal.
struct OneEuro: Contender {
  let name: ContenderName
  private(set) var level = 0.0
  private var last: Instant?
  private var speed = 0.0
  /// In hertz, of a signal at rest.
  let cutoff: Double
  /// In hertz for each gram a second.
  let beta: Double

  /// With the parameters of its examples.
  init() { self.init(.oneEuro, cutoff: 1, beta: 0.1) }

  /// With a least cutoff in hertz, and how many hertz more it has for each gram a second.
  init(_ name: ContenderName, cutoff: Double, beta: Double) {
    self.name = name
    self.cutoff = cutoff
    self.beta = beta
  }

  mutating func restart() {
    last = nil
    speed = 0
  }

  mutating func take(_ sample: PadSample) {
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
