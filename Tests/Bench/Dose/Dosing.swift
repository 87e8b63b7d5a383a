import ArgumentParser

/// `grampad-bench dose`.
struct Dosing: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dose", abstract: "Compares ways to stop a flow so that the load at rest is the target.",
    discussion: DoseDefinitions.text)

  @Option(
    help: ArgumentHelp(
      "A folder with recordings of pours, as for flow. Without it all flows are simulated.", valueName: "folder"))
  var data: String?
  @Option(help: "Use only these kinds of flow: \(DoseCondition.Kind.allCases.map(\.rawValue).joined(separator: ", ")).")
  var kind: [DoseCondition.Kind] = []
  @Option(help: "Use only these flows in g/s: 0.5, 1, 2, 4, 8.")
  var flow: [Double] = []
  @Option(help: "Use only these dead times: 0.1, 0.5, 1.5 s.")
  var deadTime: [Double] = []
  @Option(help: "Use only cells with these noise levels: 0.03, 0.1, 0.5 g.")
  var noise: [Double] = []
  @Flag(help: "Run Grampad and the bound alone.")
  var withoutPeers = false
  @Option(help: "Number of series of each condition.")
  var trials = 4
  @Option(help: "Random seed. The same seed gives the same figures, on any number of cores.")
  var seed: UInt64 = 1
  @OptionGroup var output: ReportOptions

  func validate() throws {
    guard trials > 0 else { throw ValidationError("--trials must be at least 1") }
    guard data != nil || !simulated.isEmpty else {
      throw ValidationError("no simulated flow matches; see --kind, --flow, --dead-time and --noise in --help")
    }
  }

  func run() async throws {
    var report = Report.begin()
    try DoseBench.check()
    let contenders: [DoserName] = withoutPeers ? [.grampad, .bound] : DoserName.allCases
    do {
      let bench = DoseBench(
        conditions: simulated + (try recorded()), contenders: contenders, trials: trials, seed: seed)
      report.figures = DoseFigures(series: try await bench.run(), contenders: contenders).all
    } catch let error as RealDataError {
      printProgress("Error: \(error)")
      throw ExitCode(error.status)
    }
    report.sources = Dictionary(uniqueKeysWithValues: contenders.map { ($0.rawValue, $0.source) })
    try output.write(report, tables: DoseFigures.tables(report.figures, contenders))
  }

  private var simulated: [DoseCondition] {
    DoseCondition.Kind.allCases.filter { $0 != .recording && (kind.isEmpty || kind.contains($0)) }
      .flatMap(DoseCondition.simulated).filter(isWanted)
  }

  private func recorded() throws -> [DoseCondition] {
    guard let data, kind.isEmpty || kind.contains(.recording) else { return [] }
    return try ShotFolder(data).recordings().compactMap(DoseRecording.init).flatMap(DoseCondition.recorded)
  }

  private func isWanted(_ condition: DoseCondition) -> Bool {
    (flow.isEmpty || flow.contains(condition.flow)) && (noise.isEmpty || noise.contains(condition.noise))
      && (deadTime.isEmpty || deadTime.contains(condition.deadTime))
  }
}
