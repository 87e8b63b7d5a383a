import Configuration
import EvdevInput
import Logging
import Recordings

extension WeighingLoop.Sources {
  /// The configured pad, buttons and scanners.
  init(_ configuration: Configuration, simulation: SimulatedPad.Setup, hands: InteractivePad?, logger: Logger) {
    let pad = configuration.pad
    let bindings = configuration.buttons
    let scanners = configuration.scanners
    self.init(
      pad: { try pad.source(buttons: bindings, simulation: simulation, hands: hands, logger: logger) },
      buttons: { bindings.isEmpty ? nil : try ButtonInput(bindings, logger: logger) },
      scanners: { scanners.isEmpty ? nil : try ScannerInput(scanners, logger: logger) })
  }
}
