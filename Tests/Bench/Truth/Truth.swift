import ArgumentParser

/// `grampad-bench truth`.
struct Truth: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Compares the speed and accuracy of Grampad and other filters on simulated pads.",
    discussion: TruthDefinitions.text)

  @Option(help: "Number of trials for each kind of load on each pad.")
  var trials = 50
  @Option(help: "Random seed. The same seed gives the same figures, on any number of cores.")
  var seed: UInt64 = 1
  @Option(help: "Use only these kinds of load.")
  var load: [BenchLoad.Kind] = []
  @Option(help: "Use only pads with these sample rates: 60, 125, 250, 1000 Hz.")
  var rate: [Int] = []
  @Option(help: "Use only pads with these resolutions: 8, 10 bits.")
  var bits: [Int] = []
  @Option(help: "Use only pads with these noise levels: 0.5, 1, 2 g.")
  var noise: [Double] = []
  @Option(help: "Use only linear or only curved pads.")
  var shape: Shape?
  @OptionGroup var output: ReportOptions

  enum Shape: String, ExpressibleByArgument {
    case linear, curved
  }

  func validate() throws {
    guard trials > 0 else { throw ValidationError("--trials must be at least 1") }
    guard !pads.isEmpty else {
      throw ValidationError("no simulated pad matches; see --rate, --bits and --noise in --help")
    }
  }

  func run() async throws {
    var report = Report.begin()
    try SelfCheck.run()
    let kinds = BenchLoad.Kind.allCases.filter { load.isEmpty || load.contains($0) }
    let bench = TruthBench(pads: pads, kinds: kinds, trials: trials, seed: seed)
    let tunings = try await bench.tunings()
    let cells = try await bench.run(tunings)
    report.sources = Dictionary(uniqueKeysWithValues: BenchFilterName.allCases.map { ($0.rawValue, $0.source) })
    report.figures = cells.flatMap(\.figures) + TruthGoals(cells: cells).figures
    try output.write(report, tables: TruthTables(cells: cells, tunings: tunings).all)
  }

  private var pads: [BenchPad] {
    BenchPad.all.filter { pad in
      (rate.isEmpty || rate.contains(pad.rate)) && (bits.isEmpty || bits.contains(pad.bits))
        && (noise.isEmpty || noise.contains(pad.noise)) && (shape == nil || pad.isCurved == (shape == .curved))
    }
  }
}

extension BenchLoad.Kind: ExpressibleByArgument {}
