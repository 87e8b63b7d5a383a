/// The printed tables, with one row for all pads of one rate and noise.
struct TruthTables {
  let cells: [TruthCell]
  /// The parameters of the tuned peers, by group of pads.
  let tunings: [String: PeerTuning]

  var all: [Table] {
    [
      quantiles("Settling of step, ramp and pausing, ms: median/95 %", BenchLoad.Kind.hands), quantileRatios,
      values("Steady noise after them, g", BenchLoad.Kind.hands, \.steadyNoise),
      ratios("Grampad's steady noise, as a ratio to each peer's", BenchLoad.Kind.hands, \.steadyNoise),
      stable("Grampad's stable, of step, ramp, pausing and stirring", groups(BenchLoad.Kind.placements)),
      stable("The same by load", loads), values("Behind a drip of 1 g/s, g", [.drip], \.lag),
      values("Difference to the load while it is stirred, rms, g", [.stirring], \.disturbedNoise),
      values("Difference to the load while its table shakes, rms, g", [.vibration], \.disturbedNoise),
      quantiles("Settling after stirring and shaking, ms: median/95 %", [.stirring, .vibration]), parameters,
    ]
  }

  /// The cells of each group of pads with these kinds of load.
  private func groups(_ kinds: Set<BenchLoad.Kind>) -> [(name: String, cells: [TruthCell])] {
    let chosen = Dictionary(grouping: cells.filter { kinds.contains($0.kind) }, by: \.pad.group)
    return BenchPad.all.map(\.group).distinct.compactMap { name in chosen[name].map { (name, $0) } }
  }

  /// The pad of a group on which Grampad has its highest value.
  private func worst(_ cells: [TruthCell], _ value: (Score) -> Double) -> String {
    let values = Dictionary(grouping: cells, by: \.pad).map { pad, cells in (pad, value(cells.score(.grampad))) }
    let worst = values.max { ($0.1, $0.0.shape) < ($1.1, $1.0.shape) }
    return worst.map { "\(Table.number($0.1)) \($0.0.shape)" } ?? ""
  }

  private func quantiles(_ title: String, _ kinds: Set<BenchLoad.Kind>) -> Table {
    var table = Table(title, columns: ["pads"] + BenchFilterName.allCases.map(\.title) + ["Grampad's worst pad, 95 %"])
    for (name, cells) in groups(kinds) {
      let entries = BenchFilterName.allCases.map { filter in
        let score = cells.score(filter)
        return "\(Table.number(score.settling.quantile(0.5)))/\(Table.number(score.settling.quantile(0.95)))"
      }
      table.append([name] + entries + [worst(cells) { $0.settling.quantile(0.95) }])
    }
    return table
  }

  private var quantileRatios: Table {
    var table = Table(
      "Grampad's settling, as a ratio to each peer's: median/95 %",
      columns: ["pads"] + BenchFilterName.peers.map(\.title)
    )
    for (name, cells) in groups(BenchLoad.Kind.hands) {
      let own = cells.score(.grampad).settling
      table.append(
        [name]
          + BenchFilterName.peers.map { peer in
            let other = cells.score(peer).settling
            return [0.5, 0.95].map { Table.ratio(own.quantile($0), other.quantile($0)) }.joined(separator: "/")
          })
    }
    return table
  }

  private func values(_ title: String, _ kinds: Set<BenchLoad.Kind>, _ value: (Score) -> Double) -> Table {
    var table = Table(title, columns: ["pads"] + BenchFilterName.allCases.map(\.title) + ["Grampad's worst pad"])
    for (name, cells) in groups(kinds) {
      table.append(
        [name] + BenchFilterName.allCases.map { Table.number(value(cells.score($0))) } + [worst(cells, value)])
    }
    return table
  }

  private func ratios(_ title: String, _ kinds: Set<BenchLoad.Kind>, _ value: (Score) -> Double) -> Table {
    var table = Table(title, columns: ["pads"] + BenchFilterName.peers.map(\.title))
    for (name, cells) in groups(kinds) {
      let own = value(cells.score(.grampad))
      table.append([name] + BenchFilterName.peers.map { Table.ratio(own, value(cells.score($0))) })
    }
    return table
  }

  /// The cells of each placement and noise.
  private var loads: [(name: String, cells: [TruthCell])] {
    BenchLoad.Kind.allCases.filter { BenchLoad.Kind.placements.contains($0) }.flatMap { kind in
      BenchPad.noises.map { noise in
        ("\(kind), \(Table.plain(noise)) g", cells.filter { $0.kind == kind && $0.pad.noise == noise })
      }
    }
    .filter { !$0.cells.isEmpty }
  }

  private func stable(_ title: String, _ groups: [(name: String, cells: [TruthCell])]) -> Table {
    var table = Table(
      title,
      columns: [
        "pads", "placements", "late ms", "error rms", "bound rms", "beyond", "false", "by 50 ms", "early", "lost",
        "never", "stirred", "corrected", "flickers", "worst pad, late 95 %",
      ])
    for (name, cells) in groups {
      let score = cells.score(.grampad)
      let error = score.errorAtStable
      let stirred = cells.filter { $0.kind == .stirring }.score(.grampad)
      table.append([
        name, "\(score.trials)",
        "\(Table.number(score.lateness.quantile(0.5)))/\(Table.number(score.lateness.quantile(0.95)))",
        Table.number(error.error), Table.number(error.bound), Table.percent(score.errorsBeyond(1.3).share),
        "\(score.falseStables.count)", "\(score.hastyStables.count)", "\(score.earlyStables.count)",
        "\(score.lostStables.count)", "\(score.neverStable)", Table.percent(stirred.disturbedStable),
        "\(score.corrections)", "\(score.flickers)", worst(cells) { $0.lateness.quantile(0.95) },
      ])
    }
    return table
  }

  private var parameters: Table {
    var table = Table("Tuned parameters", columns: ["pads", "Kalman q/e", "1-Euro mincutoff Hz", "beta", "alpha"])
    for (name, _) in groups(Set(BenchLoad.Kind.allCases)) {
      guard let tuning = tunings[name] else { continue }
      table.append(
        [name]
          + [tuning.kalman.process, tuning.oneEuro.cutoff, tuning.oneEuro.beta, tuning.alphaBeta.alpha].map(
            Table.number))
    }
    return table
  }
}
