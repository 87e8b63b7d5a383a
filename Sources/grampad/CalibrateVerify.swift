import ArgumentParser
import Calibrating
import Commands
import Configuration
import Terminal
import Weighing

/// `calibrate verify`
struct CalibrateVerify: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Weigh a known mass and show the error of the calibration.",
    discussion: """
      Waits until the mass is stable on the pad. The exit code is 0 if the error is within the tolerance, otherwise 1.

      Examples:
        grampad calibrate verify 100 --config scale.yaml
        grampad calibrate verify 100 --tolerance 0.5 --json
      """)
  @Argument(help: "The mass in grams.")
  var mass: Double
  @Option(parsing: .unconditional, help: "Maximum permitted error in grams. Default: one division.")
  var tolerance: Double?
  @Flag(help: "Print a JSON object.")
  var json = false
  @OptionGroup var pad: CalibratePad

  func validate() throws {
    if !(mass > 0 && mass <= Grams.maximum.value) {
      throw ValidationError("MASS must be greater than 0 and at most \(Int(Grams.maximum.value)) grams.")
    }
    if let tolerance, !(tolerance >= 0 && tolerance.isFinite) {
      throw ValidationError("--tolerance must be 0 or more.")
    }
  }

  func run() throws {
    try failing {
      let file = try pad.options.file()
      let tolerance = tolerance.map { Grams($0) }
      let check =
        switch try pad.target(file) {
        case .pad(let session):
          try CalibrationCheck.measure(
            Grams(mass), tolerance: tolerance, on: session, configuration: file?.current ?? Configuration(),
            dialog: TerminalDialog(texts: .ofUser))
        case .appliance(let appliance):
          try appliance.calibrate(rest: pad.rest) { remote in
            try remote.verify(Grams(mass), tolerance: tolerance, dialog: TerminalDialog(texts: .ofUser))
          }
        }
      try printAll(json ? check.json : check.text(.ofUser))
      if !check.isWithinTolerance { throw Failure(.rejected, check.advice(.ofUser)) }
    }
  }
}
