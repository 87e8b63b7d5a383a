import Configuration
import EvdevInput
import EventLoop
import Logging
import Recordings
import Weighing

extension Configuration.Pad {
  /// Opens the configured pad; an evdev pad that is not connected yet is searched for on first use.
  ///
  /// - Parameters:
  ///   - buttons: Keys of the pad itself to report with its frames.
  ///   - simulation: The behaviour of the simulated pad.
  /// - Throws: `EvdevError`, `UnsuitablePadError`.
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
