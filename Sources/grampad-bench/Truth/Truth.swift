import ArgumentParser

/// `grampad-bench truth`.
struct Truth: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Scores how soon and how truly Grampad and its peers read simulated pads.",
    discussion: TruthDefinitions.text)

  @Option(help: "Trials of each kind of load on each pad.")
  var trials = 40
  @Option(help: "The same seed gives the same figures, on any number of cores.")
  var seed: UInt64 = 1
  @Option(help: "Only these kinds of load: \(BenchLoad.Kind.allCases.map(\.rawValue).joined(separator: ", ")).")
  var load: [BenchLoad.Kind] = []
  @Option(help: "Only pads of these rates: 60, 125, 250, 1000.")
  var rate: [Int] = []
  @Option(help: "Only pads of so many bits: 8, 10.")
  var bits: [Int] = []
  @Option(help: "Only pads of so much noise, in grams: 0.5, 1, 2.")
  var noise: [Double] = []
  @Option(help: "Only linear or curved pads.")
  var shape: Shape?
  @OptionGroup var output: ReportOptions

  enum Shape: String, ExpressibleByArgument {
    case linear, curved
  }

  func validate() throws {
    guard trials > 0 else { throw ValidationError("--trials: at least 1") }
    guard !pads.isEmpty else { throw ValidationError("there is no such pad: see --rate, --bits and --noise in --help") }
  }

  func run() async throws {
    var report = Report.begin()
    try SelfCheck.run()
    let kinds = BenchLoad.Kind.allCases.filter { load.isEmpty || load.contains($0) }
    let bench = TruthBench(pads: pads, kinds: kinds, trials: trials, seed: seed)
    let tunings = try await bench.tunings()
    let cells = try await bench.run(tunings)
    report.sources = Dictionary(uniqueKeysWithValues: ContenderName.allCases.map { ($0.rawValue, $0.source) })
    report.figures = cells.flatMap(\.figures) + TruthGoals(cells: cells).figures
    try output.deliver(report, tables: TruthTables(cells: cells, tunings: tunings).all)
  }

  private var pads: [BenchPad] {
    BenchPad.all.filter { pad in
      (rate.isEmpty || rate.contains(pad.rate)) && (bits.isEmpty || bits.contains(pad.bits))
        && (noise.isEmpty || noise.contains(pad.noise)) && (shape == nil || pad.isCurved == (shape == .curved))
    }
  }
}

extension BenchLoad.Kind: ExpressibleByArgument {}
