import Configuration
import EvdevInput
import EventLoop
import Logging
import Recordings
import Weighing

extension Configuration.Pad {
  /// Opens the pad that is configured; an evdev pad that is not there yet is looked for on first use.
  ///
  /// - Parameters:
  ///   - buttons: Keys of the pad itself that are reported with its frames.
  ///   - simulation: What the simulated pad does.
  /// - Throws: `EvdevError`, `UnsuitablePad`.
  package func source(
    buttons: [ButtonBinding] = [], simulation: SimulatedPad.Setup = .demonstration, logger: Logger
  ) throws -> any PadSource {
    guard device == .simulated else {
      return try PadInput(
        device.selector, axis: axis, rotation: rotation, grab: grab, buttons: buttons, logger: logger)
    }
    return try SimulatedPadSource(simulation.pad(startingAt: .now()), self)
  }
}
