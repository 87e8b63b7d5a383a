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
struct TunedKalman: Contender {
  let name = ContenderName.tunedKalman
  private var estimate: Double?
  private var variance = 0.0
  private let noise: Double
  private let walk: Double

  /// The standard deviation of its level at rest, in grams: the one with the least 95 % of settling on these loads.
  static let deviation = 0.25

  init(_ pad: PadKnowledge) {
    noise = pad.deviation * pad.deviation
    // A constant gain K leaves K / (2 - K) of the variance, and is that of a walk with K^2 / (1 - K) of it a sample.
    let share = pad.varianceShare(leaving: Self.deviation)
    let gain = 2 * share / (1 + share)
    walk = noise * gain * gain / (1 - gain)
  }

  var level: Double { estimate ?? 0 }

  mutating func restart() { estimate = nil }

  mutating func take(_ sample: PadSample) {
    guard let last = estimate else {
      estimate = sample.grams
      variance = noise
      return
    }
    variance += walk
    let gain = variance / (variance + noise)
    estimate = last + gain * (sample.grams - last)
    variance *= 1 - gain
  }
}
