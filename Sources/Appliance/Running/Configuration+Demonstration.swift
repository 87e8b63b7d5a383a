import Configuration
import Recordings
import Weighing

extension Configuration {
  /// The configuration of `demo`: the defaults with the simulated pad and its calibration of five points, and two quick
  /// actions that label a weighing; removing the cup clears the tare.
  package static var demonstration: Configuration {
    var configuration = Configuration()
    configuration.device.name = "Grampad demo"
    configuration.pad.device = .simulated
    configuration.scale.tareOnRelease = .clear
    configuration.actions = [
      QuickAction(
        type: "beans", title: "Beans", subtitle: "commit as beans",
        userInfo: [.init(name: "label", value: .text("beans"))]),
      QuickAction(
        type: "water", title: "Water", subtitle: "commit as water",
        userInfo: [.init(name: "label", value: .text("water"))]),
    ]
    configuration.calibration.points = SimulatedPad.Setup.demonstration.physics
      .calibrationPoints(5, upTo: configuration.scale.capacity)
      .map { CalibrationPoint(raw: $0.raw, mass: $0.grams) }
    return configuration
  }
}
