import Configuration
import EvdevInput
import Recordings
import Weighing

extension CalibratedPad {
  /// The configured pad; `nil` if it is not connected.
  package init?(_ configuration: Configuration) {
    let choice = configuration.pad
    if choice.device == .simulated {
      let pad = SimulatedPad.Setup.demonstration.pad(startingAt: Instant(nanoseconds: 0)).description
      guard let axis = try? pad.loadAxis(choice.axis) else { return nil }
      self.init(pad, axis: axis)
      return
    }
    guard
      case .chosen(let entry, _) = DeviceSurvey.scan(axis: choice.axis, known: KnownPad.all).choose(
        choice.device.selector),
      let pad = entry.description, let axis = entry.axis
    else { return nil }
    self.init(pad, axis: axis)
  }
}
