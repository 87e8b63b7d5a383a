import ArgumentParser
import Calibrating
import Certificates
import Commands
import Configuration
import Journal
import Languages
import Linux
import Messages
import Terminal
import Weighing

/// `calibrate certificate`
struct CalibrateCertificate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "certificate", abstract: "Measure errors and uncertainty, and write a calibration certificate.",
    discussion: """
      Measures repeatability, eccentricity, errors up and down, zero return and creep with you, and evaluates them after \
      EURAMET cg-18: the uncertainty budget, the uncertainty of a weighing in use and the minimum weight. With --series, each \
      result is saved at once, and a measurement that was interrupted continues. The file also describes the masses: class, \
      certificate, uncertainty, coins or water. --from evaluates such a file without a pad. The last line of a certificate is \
      the SHA-256 digest of the lines before it; --verify checks it.

      Examples:
        grampad calibrate certificate --masses 50,100,200 -o certificate.html
        grampad calibrate certificate --series series.yaml -o certificate.html -o certificate.json
        grampad calibrate certificate --from series.yaml --config scale.yaml
        grampad calibrate certificate --verify certificate.json
      """)
  @OptionGroup var pad: CalibratePad
  @Option(
    help: "Evaluate the series in this file instead of measuring; - for standard input.",
    completion: .file(extensions: ["yaml"]))
  var from: String?
  @Option(
    help: "Save the raw series to this file, and continue with it if it exists.",
    completion: .file(extensions: ["yaml"]))
  var series: String?
  @Option(
    help: "Masses without class or certificate, in grams, separated by commas. Default: ask, or those in --series.")
  var masses: String?
  @Option(parsing: .unconditional, help: "Duration of the creep test in seconds, 2 to 86400.")
  var creep = 60.0
  @Option(help: "Conditions to state in the certificate, such as location and operator.")
  var conditions: String?
  @Option(
    name: [.customShort("o"), .long],
    help: "The file for the certificate; the format follows from .html, .json or another suffix. Repeatable.",
    completion: .file(extensions: ["txt", "json", "html"]))
  var output: [String] = []
  @Flag(help: "Print JSON instead of text if there is no --output.")
  var json = false
  @Option(help: "Check the digest of a certificate, and do nothing else.", completion: .file())
  var verify: String?

  func validate() throws {
    if from != nil && (series != nil || masses != nil || pad.replay != nil) {
      throw ValidationError("--from cannot be combined with --series, --masses or --replay.")
    }
    if pad.dashboard.isGiven {
      throw ValidationError("A certificate cannot be measured on a running appliance. Stop it, or use `self-test`.")
    }
    if let masses, Set(MassList.parse(masses) ?? []).count < 2 {
      throw ValidationError("--masses: expected at least two masses in grams separated by commas, found \(masses).")
    }
    if !(creep >= 2 && creep <= 86_400) { throw ValidationError("--creep must be between 2 and 86400 seconds.") }
  }

  func run() throws {
    try failing {
      if let verify { return try check(verify) }
      let configuration = try pad.options.file()?.current ?? Configuration()
      let (measurements, scale) =
        try from.map { file in
          (
            try read(file, resolution: configuration.scale.division.step),
            ScaleDescription(configuration, pad: CalibratedPad(configuration))
          )
        } ?? measure(configuration)
      let results: CertificateResults
      do throws(CertificateError) {
        results = try CertificateResults(
          stated(measurements), division: configuration.scale.division.step, capacity: configuration.scale.capacity)
      } catch {
        throw Failure(.badData, .certificateRefused, ["reason": error])
      }
      let certificate = CalibrationCertificate(results, of: scale)
      for path in output.isEmpty ? ["-"] : output {
        let format = json && path == "-" ? .json : CertificateFormat(path: path)
        try writeText(format.content(of: certificate, digest: Self.digest), to: path)
      }
    }
  }

  private static func digest(_ bytes: [UInt8]) -> String { Digest(of: bytes).text }

  private func check(_ path: String) throws {
    guard CertificateFormat.isIntact(try readAll(path), digest: Self.digest) else {
      throw Failure(.rejected, .certificateAltered, ["path": path])
    }
    printMessage(.certificateIntact, ["path": path])
  }

  // MARK: Series

  /// The measurements with the date and the conditions of this call, if they have none.
  private func stated(_ measurements: CertificateMeasurements) -> CertificateMeasurements {
    var measurements = measurements
    measurements.conditions = conditions ?? measurements.conditions
    return measurements
  }

  private func read(_ path: String, resolution: Grams) throws -> CertificateMeasurements {
    let bytes = try readAll(path)
    do throws(ConfigurationError) {
      return try CertificateMeasurements.parse(bytes: bytes, file: path, resolution: resolution)
    } catch {
      throw Failure(.badData, error.sentence, isLocated: true)
    }
  }

  /// The finest resolution that is recorded, in divisions: with a tenth, rounding does not hide the errors (OIML R 76-1,
  /// A.4.1.6).
  private static let resolutionInDivisions = 0.1

  private func measure(
    _ configuration: Configuration
  ) throws -> (CertificateMeasurements, ScaleDescription) {
    let resolution = Grams(configuration.scale.division.step.value * Self.resolutionInDivisions)
    var measurements = CertificateMeasurements(resolution: resolution)
    if let series, FileSystem.exists(series) { measurements = try read(series, resolution: resolution) }
    if let masses = masses.flatMap(MassList.parse), measurements.masses.isEmpty {
      measurements.masses = Set(masses).sorted().map { ReferenceMass(nominal: $0) }
    }
    measurements.date = WallClock.recorded.text(.wallClock())
    measurements = stated(measurements)
    let session = try pad.open(configuration)
    let procedure = CertificateProcedure(
      measurements, on: session, creepTime: .seconds(creep), dialog: TerminalDialog(texts: .ofUser)
    ) { measurements in
      if let series { try writeText(measurements.yaml(), to: series) }
    }
    let measured = try procedure.run()
    return (
      measured,
      ScaleDescription(configuration, pad: session.pad, path: session.path, origin: session.calibration?.origin)
    )
  }
}
