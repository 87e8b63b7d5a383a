import ArgumentParser

/// `grampad-bench truth`.
struct Truth: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Scores how soon and how truly Grampad and its peers read simulated pads.")

  @Option var trials = 40
  @Option var seed: UInt64 = 1
  @Option var load: String?
  @Option var rate: Int?
  @Option var noise: Double?
  @OptionGroup var output: ReportOptions

  func run() throws {
    var report = Report.begin()
    for kind in BenchLoad.Kind.allCases where load == nil || load == kind.rawValue {
      for pad in BenchPad.all where (rate == nil || pad.rate == rate) && (noise == nil || pad.noise == noise) {
        for score in try TruthBench.scores(pad, kind, trials: trials, seed: seed) {
          let on = "\(pad.name), \(kind)"
          let name = score.contender == "Grampad" ? "grampad" : score.contender
          report.figures.append(
            Figure("settling_p50", "ms", on: on, of: name, score.settling.quantile(0.5) * 1000))
          report.figures.append(
            Figure("settling_p95", "ms", on: on, of: name, score.settling.quantile(0.95) * 1000))
          report.figures.append(Figure("steady_noise", "g", on: on, of: name, score.steadyNoise))
        }
      }
    }
    try output.deliver(report)
  }
}
