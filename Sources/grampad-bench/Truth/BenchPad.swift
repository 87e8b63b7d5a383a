import Recordings
import Weighing

/// A kind of pad to weigh on.
struct BenchPad: Hashable {
  var bits: Int
  var rate: Int
  var isCurved: Bool
  /// One standard deviation of a sample, in grams at the mean slope of the curve.
  var noise: Double
  /// With the creep and hysteresis of a usual pad.
  var creeps: Bool

  static let bits = [8, 10]
  static let rates = [60, 125, 250, 1000]
  static let noises = [0.5, 1, 2]

  static let all: [BenchPad] = bits.flatMap { bits in
    rates.flatMap { rate in
      noises.flatMap { noise in
        [false, true].flatMap { curved in
          [false, true].map { BenchPad(bits: bits, rate: rate, isCurved: curved, noise: noise, creeps: $0) }
        }
      }
    }
  }

  var physics: PadPhysics {
    var physics = PadPhysics.ideal
    physics.axisMaximum = Int32(1 << bits - 1)
    physics.rate = rate
    physics.curve = isCurved ? .divider(0.6) : .linear
    physics.noiseCounts = noise * Double(physics.axisMaximum) / physics.fullScale.value
    physics.touch = Grams(1)
    if creeps {
      physics.creepPerDecade = PadPhysics.typical.creepPerDecade
      physics.hysteresis = PadPhysics.typical.hysteresis
    }
    return physics
  }

  /// The same pad as its sensor feels the load: no noise, next to no rounding.
  var idealPhysics: PadPhysics {
    var physics = physics
    physics.axisMaximum = 1 << 24
    physics.noiseCounts = 0
    return physics
  }

  /// A calibration at nine true points.
  func settings() throws -> ScaleSettings {
    var settings = ScaleSettings()
    let points = physics.calibrationPoints(9, upTo: Grams(400)).map { CalibrationPoint(raw: $0.raw, mass: $0.grams) }
    settings.curve = try CalibrationCurve(shape: .monotone, points: points)
    settings.zones = .none
    return settings
  }

  /// One standard deviation of a sample at a load, in grams, the rounding of the converter with it.
  func sampleDeviation(at grams: Double) -> Double {
    let slope = physics.counts(at: Grams(grams + 0.5)) - physics.counts(at: Grams(grams - 0.5))
    return (physics.noiseCounts * physics.noiseCounts + 1.0 / 12).squareRoot() / slope
  }

  var name: String {
    "\(bits) bits, \(rate) Hz, \(noise) g\(isCurved ? ", curved" : "")\(creeps ? ", creeping" : "")"
  }
}
