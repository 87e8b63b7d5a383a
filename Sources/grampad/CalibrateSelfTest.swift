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

/// `calibrate self-test`
struct CalibrateSelfTest: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "self-test", abstract: "Test repeatability, zero return and creep, and write a certificate.",
    discussion: """
      Asks you to put one mass on and take it off several times, then to leave it on the pad. Use any stable mass of about half \
      the capacity; its exact value does not matter. The exit code is 0 if all limits are met, otherwise 1.

      Examples:
        grampad calibrate self-test 200 --config scale.yaml
        grampad calibrate self-test 200 --times 10 --creep 1800 --conditions "21 C" -o certificate.txt
      """)
  @Argument(help: "The mass in grams.")
  var mass: Double
  @Option(parsing: .unconditional, help: "Number of times the mass is put on, 2 to 100.")
  var times = 5
  @Option(parsing: .unconditional, help: "Duration of the creep test in seconds, 1 to 86400.")
  var creep = 60.0
  @Option(help: "Conditions to state in the certificate, such as temperature, location and operator.")
  var conditions: String?
  @Option(
    name: [.customShort("o"), .long], help: "The file for the certificate. Default: standard output.",
    completion: .file(extensions: ["txt"]))
  var output: String?
  @OptionGroup var pad: CalibratePad

  func validate() throws {
    if !(mass > 0 && mass <= Grams.maximum.value) {
      throw ValidationError("MASS must be greater than 0 and at most \(Int(Grams.maximum.value)) grams.")
    }
    if !(2...100).contains(times) { throw ValidationError("--times must be between 2 and 100.") }
    if !(creep >= 1 && creep <= 86_400) { throw ValidationError("--creep must be between 1 and 86400 seconds.") }
  }

  func run() throws {
    try failing {
      let file = try pad.options.file()
      let configuration = file?.current ?? Configuration()
      let session: MeasurementSession
      switch try pad.target(file) {
      case .pad(let opened): session = opened
      case .appliance(let appliance): return try run(on: appliance)
      }
      let test = try SelfTestProcedure(mass: Grams(mass), rounds: times, creepTime: .seconds(creep)).run(
        on: session, division: configuration.scale.division, dialog: TerminalDialog(texts: .ofUser))
      guard let identity = session.pad, let calibration = session.calibration else {
        throw MeasurementError.noPad(Sentence(.padDisconnected))
      }
      let certificate = SelfTestCertificate(
        test, of: Grams(mass),
        on: ScaleDescription(
          configuration, pad: identity, path: session.path, origin: calibration.origin),
        date: WallClock.recorded.text(.wallClock()), conditions: conditions)
      try report(certificate.text(.ofUser), passes: test.passes)
    }
  }

  private func run(on appliance: RunningAppliance) throws {
    try appliance.calibrate(rest: pad.rest) { remote in
      let passes = try remote.test(
        Grams(mass), rounds: times, creepTime: .seconds(creep), conditions: conditions,
        dialog: TerminalDialog(texts: .ofUser))
      try report(appliance.certificate(), passes: passes)
    }
  }

  private func report(_ certificate: String, passes: Bool) throws {
    try writeText(certificate, to: output ?? "-")
    if !passes {
      printMessage(.selfTestFailed)
      throw ExitCode(1)
    }
  }
}
