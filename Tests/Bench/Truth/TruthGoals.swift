/// Compares the results on each pad with the goals of the project.
struct TruthGoals {
  let cells: [TruthCell]

  /// One figure for each goal, with the worst pad as its remark.
  var figures: [Figure] {
    [
      sooner(0.5, than: BenchFilterName.published, "published"),
      sooner(0.95, than: BenchFilterName.published, "published"),
      sooner(0.5, than: BenchFilterName.tuned, "tuned"), sooner(0.95, than: BenchFilterName.tuned, "tuned"),
      beaten(
        "pads_noisier", by: BenchFilterName.peers, "steady noise lower than every peer's, pads up to 1 g of noise"
      ) { ($0.steadyNoise, $0.steadySpread) },
      worst("settling_p95_worst_pad", "ms", Goal("settles within 150 ms, 95 %, at 1 g of noise", .atMost, 150), .hands)
      {
        $0.noise == BenchPad.medianNoise ? $1.settling.quantile(0.95) : nil
      },
      worst(
        "stable_late_p95_worst_pad", "ms", Goal("stable within 50 ms of its time, 95 %, up to 1 g", .atMost, 50), .hands
      ) {
        $0.noise <= BenchPad.medianNoise ? $1.lateness.quantile(0.95) : nil
      },
      worst(
        "stable_late_p95_worst_noisy_pad", "ms", Goal("stable within 50 ms of its time, 95 %, at 2 g", .atMost, 50),
        .hands
      ) {
        $0.noise > BenchPad.medianNoise ? $1.lateness.quantile(0.95) : nil
      },
      worst("stable_error_rms_to_limit", "1", Goal("error at stable, rms, to 1.3 times the bound or d/2", .atMost, 1)) {
        $1.errorAtStable.error / max(1.3 * $1.errorAtStable.bound, Trial.division / 2)
      },
      worst(
        "stable_error_beyond_limit", "1",
        Goal("errors at stable beyond 1.96 x 1.3 times the bound or d/2", .atMost, 0.05)
      ) { $1.errorsBeyond(1.3).share },
      falseStables("stable_false", "false stable, per placement", \.falseStables),
      falseStables("stable_false_by_50_ms", "false stable by more than 50 ms, per placement", \.hastyStables), flickers,
    ].compactMap(\.self)
  }

  /// The cells of each pad with these kinds of load, in the order of the pads.
  private func pads(_ kinds: Set<BenchLoad.Kind>) -> [(pad: BenchPad, cells: [TruthCell])] {
    let chosen = Dictionary(grouping: cells.filter { kinds.contains($0.kind) }, by: \.pad)
    return BenchPad.all.compactMap { pad in chosen[pad].map { (pad, $0) } }
  }

  /// Counts the pads on which a peer settles faster.
  private func sooner(_ share: Double, than peers: [BenchFilterName], _ kind: String) -> Figure? {
    let name = share == 0.5 ? "median" : "\(Int(share * 100)) %"
    return beaten(
      "pads_later_than_\(kind)_p\(Int(share * 100))", by: peers,
      "settles sooner than every \(kind) peer, \(name), pads up to 1 g of noise"
    ) { ($0.settling.quantile(share), .quantile(share, of: $0.settling)) }
  }

  /// Counts the pads on which a peer has a lower value than Grampad, or the same value other than 0. The difference is
  /// clear if their intervals do not overlap.
  private func beaten(
    _ what: String, by peers: [BenchFilterName], _ goal: String, _ value: (Score) -> (value: Double, spread: Spread?)
  ) -> Figure? {
    let pads = pads(.hands).filter { $0.pad.noise <= BenchPad.medianNoise }
    var (beaten, clearly) = (0, 0)
    var worst: (ratio: Double, remark: String)?
    for (pad, cells) in pads {
      let own = value(cells.score(.grampad))
      let others = peers.map { ($0, value(cells.score($0))) }
      guard let (name, best) = others.min(by: { $0.1.value < $1.1.value }) else { continue }
      if own.value >= best.value && own.value > 0 { beaten += 1 }
      if let low = own.spread?.low, let high = best.spread?.high, low > high { clearly += 1 }
      let ratio = own.value == 0 ? 0 : own.value / best.value
      if ratio > worst?.ratio ?? -1 {
        worst = (ratio, "worst \(pad.name): \(Table.number(own.value)), \(name.title) \(Table.number(best.value))")
      }
    }
    return worst.map {
      Figure(
        what, "pads", on: "\(pads.count) pads", of: "grampad", Double(beaten), goal: Goal(goal, .atMost, 0),
        remark: "of \(pads.count), clearly on \(clearly); \($0.remark)")
    }
  }

  /// Returns the value of the worst pad; pads without a value are omitted.
  private func worst(
    _ what: String, _ unit: String, _ goal: Goal, _ kinds: Set<BenchLoad.Kind> = BenchLoad.Kind.placements,
    _ value: (BenchPad, Score) -> Double?
  ) -> Figure? {
    let values = pads(kinds).compactMap { pad, cells in value(pad, cells.score(.grampad)).map { (pad, $0) } }
    guard let (pad, worst) = values.max(by: { $0.1 < $1.1 }) else { return nil }
    let missed = values.count { !goal.isMet(by: $0.1) }
    let middle = values.map(\.1).sorted().quantile(0.5)
    return Figure(
      what, unit, on: "\(values.count) pads", of: "grampad", worst, goal: goal,
      remark: "worst \(pad.name); missed on \(missed) of \(values.count) pads, median pad \(Table.number(middle))")
  }

  private func falseStables(_ what: String, _ goal: String, _ count: (Score) -> Proportion) -> Figure? {
    let pads = pads(BenchLoad.Kind.placements)
    let score = pads.flatMap(\.cells).score(.grampad)
    let values = pads.map { ($0.pad, count($0.cells.score(.grampad))) }
    guard let (pad, worst) = values.max(by: { $0.1.share < $1.1.share }) else { return nil }
    let share = count(score)
    return Figure(
      what, "1", on: "all placements", of: "grampad", share.share,
      spread: Spread(0, share.upperBound, by: "95 % upper bound of the proportion"), goal: Goal(goal, .below, 0.001),
      remark: "\(share.count) of \(share.trials), below \(Table.number(share.upperBound)) with 95 %;"
        + " worst \(pad.name): \(worst.count) of \(worst.trials)")
  }

  private var flickers: Figure? {
    let pads = pads(BenchLoad.Kind.placements)
    let score = pads.flatMap(\.cells).score(.grampad)
    let worst = pads.max { a, b in a.cells.score(.grampad).flickers < b.cells.score(.grampad).flickers }
    return worst.map {
      Figure(
        "display_flickers", "1", on: "all placements", of: "grampad", Double(score.flickers) / Double(score.trials),
        goal: Goal("display flickers at rest, per placement", .atMost, 0),
        remark: "\(score.flickers) in \(score.trials), corrections \(score.corrections); worst \($0.pad.name)")
    }
  }
}

extension Set<BenchLoad.Kind> {
  fileprivate static var hands: Self { BenchLoad.Kind.hands }
}
