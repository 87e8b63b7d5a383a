import Weighing

/// A Kalman filter of one state whose uncertainty grows with how far its estimate moves.
struct SimpleKalman: Contender {
  let name = "Kalman"
  let source = "denyssene/SimpleKalmanFilter 0.1, src/SimpleKalmanFilter.cpp, with its example's (2, 2, 0.01)"
  private(set) var level = 0.0
  private let measurementError = 2.0
  private var estimateError = 2.0
  private let q = 0.01

  mutating func take(_ sample: PadSample) {
    let gain = estimateError / (estimateError + measurementError)
    let estimate = level + gain * (sample.grams - level)
    estimateError = (1 - gain) * estimateError + (level - estimate).magnitude * q
    level = estimate
  }
}

/// A Kalman filter of one state with constant noise, told the noise of the pad: a load that walks by `walk` g in a second.
struct TunedKalman: Contender {
  let name = "Kalman, tuned"
  let source = "R. E. Kalman, J. Basic Eng. 82, 1960: random walk; told the pad's noise, a walk of 30 g/sqrt(s)"
  private(set) var level = 0.0
  private var variance = 1e4
  private let noise: Double
  private let walkPerSample: Double

  init(noise: Double, rate: Int) {
    self.noise = noise * noise
    walkPerSample = 30 * 30 / Double(rate)
  }

  mutating func take(_ sample: PadSample) {
    variance += walkPerSample
    let gain = variance / (variance + noise)
    level += gain * (sample.grams - level)
    variance *= 1 - gain
  }
}

/// A low-pass filter whose cutoff rises with the speed of the signal.
struct OneEuro: Contender {
  let name = "1-Euro"
  let source = "Casiez, Roussel and Vogel, CHI 2012: mincutoff 1 Hz, beta 0.007, dcutoff 1 Hz"
  private(set) var level = 0.0
  private var last: PadSample?
  private var rate = 0.0

  mutating func take(_ sample: PadSample) {
    defer { last = sample }
    guard let last else {
      level = sample.grams
      return
    }
    let step = (sample.time - last.time).seconds
    let change = (sample.grams - last.grams) / step
    rate += Self.share(cutoff: 1, step) * (change - rate)
    level += Self.share(cutoff: 1 + 0.007 * rate.magnitude, step) * (sample.grams - level)
  }

  private static func share(cutoff: Double, _ step: Double) -> Double {
    let time = 1 / (2 * Double.pi * cutoff)
    return 1 / (1 + time / step)
  }
}

/// A level and a rate, each corrected by a constant share of what was not foretold.
struct AlphaBeta: Contender {
  let name = "alpha-beta"
  let source = "Benedict and Bordner, IRE Trans. Automatic Control 7, 1962: beta = alpha^2 / (2 - alpha), alpha = 0.3"
  private(set) var level = 0.0
  private var rate = 0.0
  private var last: Instant?
  private static let alpha = 0.3
  private static let beta = alpha * alpha / (2 - alpha)

  mutating func take(_ sample: PadSample) {
    defer { last = sample.time }
    guard let last else {
      level = sample.grams
      return
    }
    let step = (sample.time - last).seconds
    level += rate * step
    let miss = sample.grams - level
    level += Self.alpha * miss
    rate += Self.beta / step * miss
  }
}
