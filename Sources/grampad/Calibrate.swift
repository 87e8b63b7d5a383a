import ArgumentParser
import Calibrating
import Certificates
import Commands
import Configuration
import Languages
import Linux
import Messages
import Terminal
import Weighing

/// `calibrate`
struct Calibrate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Calibrate the pad with known masses, verify the calibration, test the scale, or certify it.",
    discussion: """
      Guides you through each step. With --from, points measured elsewhere are read from a file. If the points do not make a \
      valid calibration, the reason is shown and nothing is written.

      Examples:
        grampad calibrate --config scale.yaml
        grampad calibrate --masses 50,100,200,385 --svg curve.svg
        grampad calibrate --from points.csv --output calibration.yaml
        grampad calibrate verify 100 --config scale.yaml
        grampad calibrate self-test 200 --output self-test.txt
        grampad calibrate certificate --masses 50,100,200 --output certificate.html
      """,
    subcommands: [CalibrateMeasure.self, CalibrateVerify.self, CalibrateSelfTest.self, CalibrateCertificate.self],
    defaultSubcommand: CalibrateMeasure.self)
}

/// `calibrate measure`, the default subcommand of `calibrate`
struct CalibrateMeasure: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "measure", abstract: "Calibrate step by step, or --from a file. Default subcommand of `calibrate`.",
    discussion: """
      At least three masses are required, including zero (the empty pad). Use five masses over the whole range for a good \
      calibration. The file for --from is CSV with lines of raw,grams, or a YAML list of {raw: 266, grams: 100} as in the \
      configuration. The calibration is written to calibration.file, or to --output. The previous file is kept with the suffix \
      .previous. A running appliance reloads the file automatically. If a running appliance uses the pad, it measures, and stores the \
      calibration in its settings file.

      Examples:
        grampad calibrate --config scale.yaml
        grampad calibrate --masses 50,100,200,385
        grampad calibrate --appliance http://127.0.0.1:8385
        grampad calibrate --broker mqtt://scale.local:1883 --device kitchen
        grampad calibrate --from points.csv --dry-run
      """)
  @OptionGroup var pad: CalibratePad
  @Option(
    help: "Read the masses and their counts from a file instead of measuring; - for standard input.",
    completion: .file())
  var from: String?
  @Option(help: "The masses to measure, in grams, separated by commas. Default: ask.")
  var masses: String?
  @Option(help: "The type of curve. Default: the best fit.")
  var curve: CurveShape?
  @Option(
    name: [.customShort("o"), .long], help: "Write the calibration to this file. Default: calibration.file.",
    completion: .configuration)
  var output: String?
  @Option(help: "Also draw the curve to this SVG file.", completion: .file(extensions: ["svg"]))
  var svg: String?
  @Flag(help: "Show the result without writing it.")
  var dryRun = false
  @Flag(name: [.customShort("y"), .long], help: "Write without asking, even if the masses do not lie on one curve.")
  var yes = false

  func validate() throws {
    if from != nil && (masses != nil || pad.replay != nil) {
      throw ValidationError("--from cannot be combined with --masses or --replay.")
    }
    if pad.dashboard.isGiven && (from != nil || output != nil) {
      throw ValidationError(
        "--appliance, --broker and --device cannot be combined with --from or --output: the appliance stores the calibration."
      )
    }
    if let masses, MassList.parse(masses) == nil {
      throw ValidationError(
        "--masses: expected masses in grams separated by commas, such as 50,100,200, found \(masses).")
    }
  }

  func run() throws {
    try failing {
      let file = try pad.options.file()
      let configuration = file?.current ?? Configuration()
      if let from {
        var trial = CalibrationTrial(
          observations: [], capacity: configuration.scale.capacity,
          division: configuration.scale.division, shape: curve)
        trial.observations = try observations(in: from)
        return try finish(trial, pad: CalibratedPad(configuration), nil, file)
      }
      let masses = masses.flatMap(MassList.parse) ?? []
      switch try pad.target(file) {
      case .pad(let session):
        let local = LocalCalibration(session)
        local.shape = curve
        let guide = CalibrationGuide(local, dialog: TerminalDialog(texts: .ofUser))
        try guide.observe(masses)
        try guide.settle()
        try finish(local.trial, pad: session.pad, guide, file)
      case .appliance(let appliance):
        try appliance.calibrate(shape: curve, rest: pad.rest) { remote in
          let guide = CalibrationGuide(remote, dialog: TerminalDialog(texts: .ofUser))
          try guide.observe(masses)
          try guide.settle()
          try finish(remote, guide, division: configuration.scale.division)
        }
      }
    }
  }

  /// Shows a calibration of this process and writes it to the file.
  private func finish(
    _ trial: CalibrationTrial, pad: CalibratedPad?, _ guide: CalibrationGuide?, _ file: ConfigurationFile?
  ) throws {
    let target =
      output.map { CalibrationFile($0, in: workingFolder()) }
      ?? CalibrationFile(file?.configured.calibration.file ?? Self.standardName, in: file?.folder ?? workingFolder())
    let outcome: CalibrationTrial.Outcome
    do throws(CalibrationError) {
      outcome = try trial.outcome()
    } catch {
      throw MeasurementError.refused(error)
    }
    var stored = StoredCalibration(outcome, of: trial, pad: pad, date: WallClock.recorded.text(.wallClock()))
    // Points from a file may have been measured without the plate.
    if guide == nil { stored.emptyCounts = nil }
    let why = Texts.ofUser(outcome.choice.sentence)
    try show(stored, outcome.choice.curve, why, beyond: outcome.guessedBeyond, division: trial.division)
    if let doubt = outcome.doubt { printMessage(.warningText, ["text": doubt.sentence]) }
    if dryRun { return }
    if let guide, !yes {
      guard guide.confirmsWriting(to: target.path, inDoubt: outcome.doubt != nil) else {
        printMessage(Texts.ofUser(.calibrationNotWritten))
        throw ExitCode(1)
      }
    } else if outcome.doubt != nil, !yes {
      throw Failure(.badData, .calibrationNeedsYes)
    }
    do throws(CalibrationFileError) {
      try target.write(stored)
    } catch {
      let isForbidden = error.errno == .permissionDenied || error.errno == .notPermitted
      throw Failure(isForbidden ? .noPermission : .cannotCreate, error.description)
    }
    printNextStep(target, file)
  }

  /// Shows the calibration of a running appliance and puts it in use there.
  private func finish(_ remote: RemoteCalibration, _ guide: CalibrationGuide, division: Division) throws {
    guard let fit = remote.result else { throw MeasurementError.appliance(Sentence(.remoteNoFit)) }
    let why = Texts.ofUser(fit.explanation)
    try show(fit.stored, fit.curve, why, beyond: fit.guessedBeyond, division: division)
    if let doubt = fit.doubt { printMessage(.warningText, ["text": doubt]) }
    if dryRun { return }
    if !yes, !guide.confirms(Texts.ofUser(.remoteApply), inDoubt: fit.doubt != nil) {
      printMessage(.remoteNothing)
      throw ExitCode(1)
    }
    try remote.apply(acceptingDoubt: fit.doubt != nil)
    if let path = remote.storage { printMessage(.remoteSaved, ["path": path]) }
  }

  /// The name of the file if the configuration has none.
  private static let standardName = "calibration.yaml"

  private func observations(in path: String) throws -> [CalibrationObservation] {
    let bytes = try readAll(path)
    do throws(ConfigurationError) {
      return try CalibrationPoints.parse(bytes: bytes, file: path)
    } catch {
      throw Failure(.badData, error.sentence, isLocated: true)
    }
  }

  private func show(
    _ stored: StoredCalibration, _ curve: CalibrationCurve, _ explanation: String, beyond: Grams?, division: Division
  ) throws {
    var text = CalibrationChart(stored, curve: curve, division: division, texts: .ofUser).text
    let texts = Texts.ofUser
    text += "\n\(texts(.calibrationCurve, ["explanation": explanation]))\n"
    if curve.residual > .zero {
      text += texts(.calibrationUncertainty, ["mass": DecimalText.fixed(curve.residual.value, decimals: 2)]) + "\n"
    }
    if let beyond {
      let key: TextKey = curve.shape == .power ? .calibrationBeyondPower : .calibrationBeyondLinear
      text += texts(key, ["mass": DecimalText.fixed(beyond.value, decimals: 0)]) + "\n"
    }
    try printAll(text)
    if let svg { try writeText(CalibrationDrawing(stored, curve: curve, texts: texts).svg, to: svg) }
  }

  private func printNextStep(_ target: CalibrationFile, _ file: ConfigurationFile?) {
    let texts = Texts.ofUser
    printMessage(texts(.calibrationWritten, ["path": target.path]))
    let isNamed = file.flatMap { $0.configured.calibrationFile(in: $0.folder)?.path } == target.path
    if let file, file.settingsCalibration != nil {
      printMessage(texts(.calibrationOverridden, ["file": file.settingsPath]))
    } else if isNamed {
      printMessage(texts(.calibrationReloads, ["command": "grampad calibrate verify MASS"]))
    } else {
      let name = file?.path ?? texts(.calibrationFile)
      printMessage(texts(.calibrationNotInEffect, ["file": name, "line": "calibration: {file: \(target.path)}"]))
    }
  }
}

extension CurveShape: ExpressibleByArgument {}
