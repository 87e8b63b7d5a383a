import Configuration
import EvdevInput
import IIOInput
import Linux
import Logging
import Recordings
import Weighing

extension Configuration.Pad {
  /// Opens the configured pad; one that is not connected yet is searched for on first use.
  ///
  /// - Parameter buttons: Keys of the pad itself to report with its frames.
  /// - Throws: `EvdevError`, `UnsuitablePadError`.
  package func source(buttons: [ButtonBinding] = [], logger: Logger) throws -> any PadSource {
    try source(buttons: buttons, simulation: .demonstration, hands: nil, logger: logger)
  }

  /// Opens the configured pad.
  ///
  /// - Parameters:
  ///   - simulation: The behaviour of the simulated pad.
  ///   - hands: Moves the loads of the simulated pad instead of its script.
  /// - Throws: `EvdevError`, `UnsuitablePadError`.
  func source(
    buttons: [ButtonBinding], simulation: SimulatedPad.Setup, hands: InteractivePad?, logger: Logger
  ) throws -> any PadSource {
    func inputDevice() throws(EvdevError) -> PadInput {
      try PadInput(
        device.selector, axis: axis, rotation: rotation, grab: grab, buttons: buttons, known: KnownPad.all,
        logger: logger)
    }
    switch (device, converter) {
    case (.simulated, _): return try SimulatedPadSource(simulation.pad(startingAt: .now()), self, hands: hands)
    case (.input, let settings?): return AutomaticPad(try inputDevice(), IIOInput(settings, logger: logger))
    case (_, let settings?): return IIOInput(settings, logger: logger)
    case (_, nil): return try inputDevice()
    }
  }
}
