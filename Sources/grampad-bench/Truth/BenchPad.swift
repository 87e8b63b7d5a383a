import Recordings
import Weighing

/// A kind of pad to weigh on.
struct BenchPad: Hashable, Sendable {
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
  /// The noise up to which the goals of settling hold.
  static let medianNoise = 1.0

  static let all: [BenchPad] = rates.flatMap { rate in
    noises.flatMap { noise in
      bits.flatMap { bits in
        [false, true].flatMap { curved in
          [false, true].map { BenchPad(bits: bits, rate: rate, isCurved: curved, noise: noise, creeps: $0) }
        }
      }
    }
  }

  /// The curve is that of a divider of a force-sensing resistor; the touch of 1 g is that of the simulated pad.
  var physics: PadPhysics {
    var physics = PadPhysics.ideal
    physics.axisMaximum = Int32(1 << bits - 1)
    physics.rate = rate
    physics.curve = isCurved ? PadPhysics.typical.curve : .linear
    physics.noiseCounts = noise * Double(physics.axisMaximum) / physics.fullScale.value
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

  /// A calibration at nine true points; else the defaults, with the whole pad to weigh on.
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

  /// What tells it from every other pad, for seeds.
  var number: UInt64 {
    UInt64(rate) << 16 | UInt64(bits) << 8 | UInt64(noise * 2) << 2 | (isCurved ? 2 : 0) | (creeps ? 1 : 0)
  }

  var name: String { "\(group), \(shape)" }

  /// What it shares with the pads it stands together with in the tables.
  var group: String { "\(rate) Hz, \(Table.plain(noise)) g" }

  var shape: String { "\(bits) bits\(isCurved ? ", curved" : "")\(creeps ? ", creeping" : "")" }
}
