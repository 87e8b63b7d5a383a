import Appliance
import ArgumentParser
import Calibrating
import Configuration
import EventLoop
import Glibc
import Messages
import Weighing

/// `calibrate`
struct Calibrate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measures known masses, lays the curve from counts to grams through them, and writes it.",
    discussion: """
      Says what to do at every step. With --from, masses that were measured elsewhere are taken from a file. A calibration \
      that would not be right is refused with the reason, and nothing is written.

      Examples:
        grampad calibrate --config scale.yaml
        grampad calibrate --masses 50,100,200,385 --svg curve.svg
        grampad calibrate --from points.csv --output calibration.yaml
        grampad calibrate verify 100 --config scale.yaml
        grampad calibrate self-test 200 --output certificate.txt
      """,
    subcommands: [CalibrateMeasure.self, CalibrateVerify.self, CalibrateSelfTest.self],
    defaultSubcommand: CalibrateMeasure.self)
}

/// `calibrate measure`, which is `calibrate` alone
struct CalibrateMeasure: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "measure", abstract: "The guided calibration, or one --from a file. (What `calibrate` alone does.)",
    discussion: """
      At least three masses, nothing being one of them; five over the whole range make a good calibration. The file of \
      --from has lines of raw,grams (CSV), or is a YAML list of {raw: 266, grams: 100}, as in the configuration. The \
      result goes into the file that calibration.file names, or --output; the one before is kept beside it with \
      .previous behind its name. A running appliance reads it by itself.

      Examples:
        grampad calibrate --config scale.yaml
        grampad calibrate --masses 50,100,200,385
        grampad calibrate --from points.csv --dry-run
      """)
  @OptionGroup var pad: CalibratePad
  @Option(help: "Take the masses and their counts from a file instead; - for standard input.", completion: .file())
  var from: String?
  @Option(help: "The masses that will be put on, in grams, with commas between them; asked for unless given.")
  var masses: String?
  @Option(help: "linear, monotone or polynomial, instead of the best of them.", completion: .list(shapes))
  var curve: String?
  @Option(
    name: [.customShort("o"), .long], help: "Where to write it, instead of calibration.file.",
    completion: .configuration)
  var output: String?
  @Option(help: "Draw the curve into a file, too.", completion: .file(extensions: ["svg"]))
  var svg: String?
  @Flag(help: "Show what would be written, and write nothing.")
  var dryRun = false
  @Flag(name: [.customShort("y"), .long], help: "Write without asking, even if the masses do not fit together.")
  var yes = false

  private static let shapes = CurveShape.allCases.map(\.rawValue)

  func validate() throws {
    if from != nil && (masses != nil || pad.replay != nil) {
      throw ValidationError("--from takes the masses from a file: --masses and --replay are for measuring.")
    }
    if let curve, CurveShape(rawValue: curve) == nil {
      throw ValidationError("--curve is \(Self.shapes.joined(separator: ", ")), not \(curve).")
    }
    if let masses, Self.list(masses) == nil {
      throw ValidationError("--masses takes numbers of grams with commas between them, 50,100,200; not \(masses).")
    }
  }

  func run() async throws {
    try await failing {
      let file = try pad.options.file()
      let configuration = file?.current ?? Configuration()
      let target =
        output.map { CalibrationFile($0, in: workingFolder()) }
        ?? CalibrationFile(configuration.calibration.file ?? Self.standardName, in: file?.folder ?? workingFolder())
      var trial = CalibrationTrial(
        observations: [], capacity: configuration.scale.capacity,
        division: Division(configuration.scale.division) ?? .gram, shape: curve.flatMap(CurveShape.init(rawValue:)))
      let identity: CalibratedPad?
      var guide: CalibrateGuide?
      if let from {
        trial.observations = try observations(in: from)
        identity = CalibratedPad(configuration)
      } else {
        let feed = try pad.open(configuration)
        guide = CalibrateGuide(feed)
        trial.observations = try guide?.observe(Self.list(masses ?? "")) ?? []
        identity = feed.pad
      }
      let outcome = try outcome(of: &trial, guide)
      let record = CalibrationRecord(
        outcome, of: trial, pad: identity, date: WallClock.recorded.text(.wallClock()))
      try show(outcome, record, trial)
      if let svg { try writeText(CalibrationDrawing(record, curve: outcome.choice.curve).svg, to: svg) }
      if let doubt = outcome.doubt { complain("warning: \(doubt)") }
      if dryRun { return }
      if let guide, !yes {
        guard guide.agrees(toWriting: target.path, inDoubt: outcome.doubt != nil) else {
          complain("nothing written")
          throw ExitCode(1)
        }
      } else if outcome.doubt != nil, !yes {
        throw Failure(.badData, "calibration refused: correct the masses, or write it as it is with --yes")
      }
      do throws(CalibrationFileFault) {
        try target.write(record)
      } catch {
        throw Failure(error.errno == EACCES || error.errno == EPERM ? .noPermission : .cannotCreate, error.description)
      }
      tellWhatIsNext(target, file, configuration)
    }
  }

  /// The name of the file where the configuration has none yet.
  private static let standardName = "calibration.yaml"

  static func list(_ text: String) -> [Grams]? {
    let parts = text.split(whereSeparator: { $0 == "," || $0.isWhitespace })
    let masses = parts.compactMap { typedMass($0) }
    return masses.count == parts.count && masses.allSatisfy { $0 > .zero } ? masses : nil
  }

  private func observations(in path: String) throws -> [CalibrationObservation] {
    let bytes = try readAll(path)
    do throws(ConfigurationError) {
      return try CalibrationPoints.parse(bytes: bytes, file: path)
    } catch {
      throw Failure(.badData, error.description, isLocated: true)
    }
  }

  private func outcome(of trial: inout CalibrationTrial, _ guide: CalibrateGuide?) throws -> CalibrationTrial.Outcome {
    while true {
      do throws(CalibrationRefusal) {
        return try trial.outcome()
      } catch {
        guard let guide, let mass = error.suspect, let corrected = try guide.correct(trial.observations, mass, error)
        else {
          throw Failure(.badData, "calibration refused: \(error)")
        }
        trial.observations = corrected
      }
    }
  }

  private func show(
    _ outcome: CalibrationTrial.Outcome, _ record: CalibrationRecord, _ trial: CalibrationTrial
  ) throws {
    let curve = outcome.choice.curve
    var text = CalibrationChart(record, curve: curve, division: trial.division).text
    text += "\nCurve: \(outcome.choice.explanation).\n"
    if curve.residual > .zero {
      text +=
        "Between the masses the curve is good to about \(DecimalText.fixed(curve.residual.value, decimals: 2)) g.\n"
    }
    if let beyond = outcome.guessedBeyond {
      text +=
        "Beyond \(DecimalText.fixed(beyond.value, decimals: 0)) g, grams are a guess: the curve goes on straight.\n"
    }
    try printAll(text)
  }

  private func tellWhatIsNext(_ target: CalibrationFile, _ file: ConfigurationFile?, _ configuration: Configuration) {
    complain("written to \(target.path)")
    let isNamed = file.flatMap { configuration.calibrationFile(in: $0.folder)?.path } == target.path
    if isNamed {
      complain("an appliance that runs takes it up by itself; check it with: grampad calibrate verify MASS")
    } else {
      let name = file?.path ?? "the configuration"
      complain("not in force yet; for that, write into \(name): calibration: {file: \(target.path)}")
    }
  }
}
