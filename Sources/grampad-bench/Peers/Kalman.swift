import Weighing

/// A Kalman filter of one state whose uncertainty grows with how far its estimate moves.
struct SimpleKalman: Contender {
  let name = ContenderName.kalman
  private var estimate: Double?
  private let measurementError = 2.0
  private var estimateError = 2.0
  private let q = 0.01

  var level: Double { estimate ?? 0 }

  mutating func restart() { self = Self() }

  mutating func take(_ sample: PadSample) {
    // The library begins at 0; here at the first sample, which is quicker.
    let last = estimate ?? sample.grams
    let gain = estimateError / (estimateError + measurementError)
    let next = last + gain * (sample.grams - last)
    estimateError = (1 - gain) * estimateError + (last - next).magnitude * q
    estimate = next
  }
}

/// A Kalman filter of one state with constant noise: a load that walks at random.
///
/// Only the ratio of the two variances matters; the gain that it leads to in the end says the same.
struct ConstantKalman: Contender {
  let name = ContenderName.tunedKalman
  private var estimate: Double?
  /// In units of the variance of a sample.
  private var variance = 1.0
  private let walk: Double
  /// The share of each sample that the estimate takes in the end.
  let gain: Double

  init(gain: Double) {
    self.gain = gain
    walk = gain * gain / (1 - gain)
  }

  var level: Double { estimate ?? 0 }

  mutating func restart() { estimate = nil }

  mutating func take(_ sample: PadSample) {
    guard let last = estimate else {
      estimate = sample.grams
      variance = 1
      return
    }
    variance += walk
    let gain = variance / (variance + 1)
    estimate = last + gain * (sample.grams - last)
    variance *= 1 - gain
  }
}
