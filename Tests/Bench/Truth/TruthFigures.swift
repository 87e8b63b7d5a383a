extension TruthCell {
  /// All figures of the cell.
  var figures: [Figure] { BenchFilterName.allCases.flatMap { name in figures(of: name, [self].score(name)) } }

  private func figures(of name: BenchFilterName, _ score: Score) -> [Figure] {
    var figures: [Figure] = []
    func add(_ what: String, _ unit: String, _ value: Double?, _ spread: Spread? = nil) {
      figures.append(Figure(what, unit, on: "\(pad.name), \(kind)", of: name.rawValue, value, spread: spread))
    }
    func add(_ what: String, _ proportion: Proportion) {
      let spread = Spread(
        0, proportion.upperBound, by: "95 % upper bound of the proportion, \(proportion.count) of \(proportion.trials)")
      add(what, "1", proportion.share, spread)
    }
    if kind == .drip {
      add("lag", "g", score.lag)
      return figures
    }
    add("settling_p50", "ms", score.settling.quantile(0.5), .quantile(0.5, of: score.settling))
    add("settling_p95", "ms", score.settling.quantile(0.95), .quantile(0.95, of: score.settling))
    add("steady_noise", "g", score.steadyNoise, score.steadySpread)
    if kind == .stirring || kind == .vibration { add("disturbed_noise", "g", score.disturbedNoise) }
    guard name == .grampad || name == .trackWeight else { return figures }
    add("disturbed_stable", "1", score.disturbedStable)
    guard BenchLoad.Kind.placements.contains(kind) else { return figures }
    add("stable_late_p50", "ms", score.lateness.quantile(0.5), .quantile(0.5, of: score.lateness))
    add("stable_late_p95", "ms", score.lateness.quantile(0.95), .quantile(0.95, of: score.lateness))
    add("stable_error_rms", "g", score.errorAtStable.error)
    add("stable_error_p95", "g", score.errorsAtStable.quantile(0.95), .quantile(0.95, of: score.errorsAtStable))
    add("stable_error_bound_rms", "g", score.errorAtStable.bound)
    add("stable_error_beyond_bound", score.errorsBeyond(1.3))
    add("stable_false", score.falseStables)
    add("stable_false_by_50_ms", score.hastyStables)
    add("stable_false_worst_motion", "g", score.worstMotion)
    add("stable_early", score.earlyStables)
    add("stable_lost", score.lostStables)
    add("stable_never", Proportion(score.neverStable, of: score.trials))
    guard name == .grampad else { return figures }
    add("display_corrections", "1", Double(score.corrections) / Double(score.trials))
    add("display_flickers", "1", Double(score.flickers) / Double(score.trials))
    return figures
  }
}
