import Configuration
import Recordings
import Weighing

extension Configuration {
  /// The configuration of `demo`: the defaults with the simulated pad and its calibration of five points; removing the
  /// cup clears the tare.
  package static var demonstration: Configuration {
    var configuration = Configuration()
    configuration.device.name = "Grampad demo"
    configuration.pad.device = .simulated
    configuration.scale.tareOnRelease = .clear
    configuration.calibration.points = SimulatedPad.Setup.demonstration.physics
      .calibrationPoints(5, upTo: configuration.scale.capacity)
      .map { CalibrationPoint(raw: $0.raw, mass: $0.grams) }
    return configuration
  }
}
