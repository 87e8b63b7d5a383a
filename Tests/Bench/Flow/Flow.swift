import ArgumentParser

/// `grampad-bench flow`.
struct Flow: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measures flow rate and timer with simulated pours and with recordings of real ones.",
    discussion: FlowDefinitions.text)

  @Option(
    help: ArgumentHelp("A folder with recordings of pours. Without it only simulated pours run.", valueName: "folder"))
  var data: String?
  @Flag(help: "Run the recordings alone.")
  var recordingsOnly = false
  @Option(
    help: "How the samples of load cells arrive: as from a converter, as in a recording of it, or as from evdev.")
  var delivery = BenchCell.Delivery.converter
  @Option(help: "Number of trials of each simulated pour.")
  var trials = 40
  @Option(help: "Random seed of the simulated pours. The same seed gives the same figures.")
  var seed: UInt64 = 1
  @OptionGroup var output: ReportOptions

  func validate() throws {
    guard trials > 0 else { throw ValidationError("--trials must be at least 1") }
    guard data != nil || !recordingsOnly else { throw ValidationError("--recordings-only needs --data FOLDER") }
  }

  func run() throws {
    var report = Report.begin()
    do {
      if let data { report.figures = try ShotBench(folder: ShotFolder(data), delivery: delivery).figures() }
    } catch let error as RealDataError {
      printProgress("Error: \(error)")
      throw ExitCode(error.status)
    }
    if !recordingsOnly {
      report.figures += try PourBench(trials: trials, seed: seed, delivery: delivery).figures()
      report.figures += try RestBench(trials: trials, seed: seed, delivery: delivery).figures()
    }
    try output.write(report, tables: FlowTables(figures: report.figures).all)
  }
}
