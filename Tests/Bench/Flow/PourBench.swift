/// The figures of simulated pours.
struct PourBench {
  let trials: Int
  let seed: UInt64
  /// How the samples of a load cell arrive; a force pad always drops repeated values.
  let delivery: BenchCell.Delivery

  private static let flows = [0.5, 1, 2, 4, 8]

  /// Force pads of 10 counts a gram.
  private static var pads: [SimulatedPour] {
    [10.0, 60, 125].flatMap { rate in
      [0.3, 0.5].flatMap { noise in
        flows.map { SimulatedPour(noise: noise, rate: rate, flow: $0, countsPerGram: 10, bits: 14) }
      }
    }
  }

  /// By how much a stream that splashes scatters, as a time.
  private static let splash = 0.1

  /// All figures.
  func figures() throws -> [Figure] {
    var figures: [Figure] = []
    for pour in Self.pads { figures += Self.figures(try score(pour, .standard, .evdev), nil) }
    for goals in FlowGoals.cells {
      for isAveraged in [false, true] {
        for flow in Self.flows {
          let pour = SimulatedPour(
            noise: goals.noise, rate: 11, flow: flow, isAveraged: isAveraged, countsPerGram: 1540, bits: 23)
          figures += Self.figures(try score(pour, .tenths, delivery), goals)
        }
      }
    }
    for rate in [4.0, 11] {
      for flow in Self.flows {
        let pour = SimulatedPour(
          noise: 0.01, rate: rate, flow: flow, splash: Self.splash, countsPerGram: 1540, bits: 23)
        figures += Self.figures(try score(pour, .tenths, delivery), nil)
      }
    }
    return figures
  }

  private func score(_ pour: SimulatedPour, _ setting: CellSetting, _ delivery: BenchCell.Delivery) throws -> PourScore
  {
    var score = PourScore(pour)
    for trial in 0..<trials {
      let (series, begin) = pour.series(seed: seed &* 1_000_003 &+ UInt64(trial))
      let run = try FlowRun(
        series, on: BenchCell(series, delivery: delivery), setting, tares: [begin - SimulatedPour.tare])
      score.add(run, series, begin: begin)
    }
    return score
  }

  private static func figures(_ score: PourScore, _ goals: FlowGoals.Cell?) -> [Figure] {
    let on = score.pour.conditions
    func figure(_ what: String, _ unit: String, _ value: Double?, of contender: String = "grampad", goal: Goal? = nil)
      -> Figure
    { Figure(what, unit, on: on, of: contender, value, goal: goal) }
    func p95(_ values: [Double]) -> Double { values.sorted().quantile(0.95) }
    // The goals are those for a steady pour.
    let isSteady = score.pour.splash == 0
    let limit = max(0.3, 2.5 * score.pour.startBound)
    let lineError = p95(score.lineErrors)
    return [
      figure(
        "flow_outside_bound", "1", Double(score.outside) / Double(max(score.values, 1)),
        goal: isSteady && goals == nil ? FlowGoals.bound : nil),
      figure("flow_error_p95", "1", p95(score.errors), goal: goals?.accuracy(ofLine: lineError)),
      figure("flow_error_p95", "1", lineError, of: "line"),
      figure("flow_unknown", "1", Double(score.unknown.count) / Double(max(score.unknown.of, 1))),
      figure("flow_at_rest_p95", "g/s", p95(score.rest), goal: goals?.rest),
      figure("start_known_p95", "s", p95(score.startDelays), goal: goals?.known),
      figure("stop_known_p95", "s", p95(score.stopDelays), goal: goals?.known),
      figure(
        "start_outside_bound", "1",
        Double(score.startErrors.count { $0 > limit }) / Double(score.startErrors.count),
        goal: isSteady ? FlowGoals.start : nil),
      figure("start_error_p95", "s", p95(score.startErrors)),
      figure("stop_error_p95", "s", p95(score.stopErrors), goal: isSteady ? FlowGoals.stop : nil),
      figure("further_pours", "1", Double(score.surplus), goal: FlowGoals.pours),
    ]
  }
}
