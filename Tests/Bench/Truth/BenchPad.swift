import Recordings
import Weighing

/// A simulated pad.
struct BenchPad: Hashable, Sendable {
  var bits: Int
  var rate: Int
  var isCurved: Bool
  /// Standard deviation of a sample in grams, at the mean slope of the curve.
  var noise: Double
  /// Whether it has the creep and hysteresis of a typical pad.
  var creeps: Bool

  static let bits = [8, 10]
  static let rates = [60, 125, 250, 1000]
  static let noises = [0.5, 1, 2]
  /// Maximum noise in grams to which the goals of settling apply.
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

  /// The physics: the curve of a voltage divider with a force-sensing resistor, and the contact threshold of the simulated
  /// pad, 1 g.
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

  /// The same pad without noise and almost without rounding: the force on its sensor.
  var idealPhysics: PadPhysics {
    var physics = physics
    physics.axisMaximum = 1 << 24
    physics.noiseCounts = 0
    return physics
  }

  /// The default settings with a calibration at nine exact points and without zones.
  func settings() throws -> ScaleSettings {
    var settings = ScaleSettings()
    let points = physics.calibrationPoints(9, upTo: Grams(400)).map { CalibrationPoint(raw: $0.raw, mass: $0.grams) }
    settings.curve = try CalibrationCurve(shape: .monotone, points: points)
    settings.zones = .none
    return settings
  }

  /// Returns the standard deviation of a sample at a load, in grams, including rounding.
  func sampleDeviation(at grams: Double) -> Double {
    let slope = physics.counts(at: Grams(grams + 0.5)) - physics.counts(at: Grams(grams - 0.5))
    return (physics.noiseCounts * physics.noiseCounts + 1.0 / 12).squareRoot() / slope
  }

  /// A unique number, for seeds.
  var number: UInt64 {
    UInt64(rate) << 16 | UInt64(bits) << 8 | UInt64(noise * 2) << 2 | (isCurved ? 2 : 0) | (creeps ? 1 : 0)
  }

  var name: String { "\(group), \(shape)" }

  /// The name of its group in the tables.
  var group: String { "\(rate) Hz, \(Table.plain(noise)) g" }

  var shape: String { "\(bits) bits\(isCurved ? ", curved" : "")\(creeps ? ", creeping" : "")" }
}
