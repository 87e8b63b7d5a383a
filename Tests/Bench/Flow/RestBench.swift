import Recordings

/// The figures of a load that rests for hours: each flow is a false one.
struct RestBench {
  let trials: Int
  let seed: UInt64
  let delivery: BenchCell.Delivery

  /// How long a load rests in a trial, in seconds: with 40 trials, 6 hours.
  private static let length = 540.0

  /// All figures.
  func figures() throws -> [Figure] {
    try FlowGoals.cells.flatMap { cell in
      try [false, true].flatMap { isAveraged in
        try figures(
          SimulatedPour(noise: cell.noise, rate: 11, flow: 0, isAveraged: isAveraged, countsPerGram: 1540, bits: 23))
      }
    }
  }

  private func figures(_ pour: SimulatedPour) throws -> [Figure] {
    var (samples, flowing, runs, pours) = (0, 0, 0, 0)
    for trial in 0..<trials {
      let (series, begin) = pour.series(seed: seed &* 1_000_003 &+ UInt64(trial), length: Self.length)
      let run = try FlowRun(series, on: BenchCell(series, delivery: delivery), .tenths, tares: [])
      let flows = run.flows[series.indices(from: begin - SimulatedPour.lead / 2, to: .infinity)]
      samples += flows.count
      flowing += flows.count { $0 ?? 0 != 0 }
      runs += zip(flows, flows.dropFirst()).count { ($0 ?? 0) == 0 && ($1 ?? 0) != 0 }
      pours += run.detected.count
    }
    let hours = Double(samples) / pour.rate / 3600
    func figure(_ what: String, _ unit: String, _ value: Double, goal: Goal? = nil) -> Figure {
      Figure(what, unit, on: "rest, \(pour.conditions)", of: "grampad", value, goal: goal)
    }
    return [
      figure("rest_time", "h", hours),
      figure("false_flows", "1/h", Double(runs) / hours, goal: FlowGoals.falseFlows),
      figure("false_flow_time", "1", Double(flowing) / Double(max(samples, 1))),
      figure("false_pours", "1", Double(pours), goal: FlowGoals.pours),
    ]
  }
}
