import Weighing

/// A low-pass filter whose cutoff rises with the speed of the signal.
struct OneEuro: Contender {
  let name: ContenderName
  private(set) var level = 0.0
  private var last: Instant?
  private var speed = 0.0
  private let cutoff: Double
  private let beta: Double

  /// With the parameters of its examples.
  init() {
    name = .oneEuro
    cutoff = 1
    beta = 0.1
  }

  /// With those that settle soonest on these loads, 95 % of the time.
  init(tunedTo pad: PadKnowledge) {
    name = .tunedOneEuro
    // A constant share a of each sample leaves a / (2 - a) of the variance.
    let variance = pad.varianceShare(leaving: Self.deviation)
    let share = 2 * variance / (1 + variance)
    cutoff = share / (1 - share) * Double(pad.rate) / (2 * .pi)
    beta = Self.relativeBeta * cutoff / pad.deviation
  }

  /// The standard deviation of its level at rest without `beta`, in grams.
  static let deviation = 0.25
  /// How fast the load moves, in standard deviations of a sample a second, when the cutoff is doubled; its inverse.
  static let relativeBeta = 0.0

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
