import Configuration
import Recordings
import Weighing

extension Configuration {
  /// What `demo` runs with: the defaults, the simulated pad, and a calibration of it with five points;
  /// a tare goes with its cup.
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
