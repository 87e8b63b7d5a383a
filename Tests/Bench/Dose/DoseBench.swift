/// The errors of all contenders in the series of one condition.
struct DoseSeries: Sendable {
  let condition: DoseCondition
  /// The results, by contender.
  var runs: [DoserName: Outcome]

  struct Outcome: Sendable {
    /// The magnitudes of the errors in grams, by dose; `nil` for a dose that could not be met.
    var errors: [Double?]
    var durations: [Double]
    var missed: Int
  }
}

/// Runs all series, on all cores. The figures do not depend on the number of cores.
struct DoseBench: Sendable {
  let conditions: [DoseCondition]
  let contenders: [DoserName]
  let trials: Int
  let seed: UInt64

  func run() async throws -> [DoseSeries] {
    let tasks = conditions.flatMap { condition in (0..<trials).map { (condition, UInt64($0)) } }
    return try await withThrowingTaskGroup(of: (Int, DoseSeries).self) { group in
      for (index, (condition, trial)) in tasks.enumerated() {
        group.addTask { (index, try series(condition, seed: seed &* 1_000_003 &+ trial)) }
      }
      var results: [DoseSeries?] = Array(repeating: nil, count: tasks.count)
      for try await (index, result) in group { results[index] = result }
      return results.compactMap(\.self)
    }
  }

  private func series(_ condition: DoseCondition, seed: UInt64) throws -> DoseSeries {
    var series = DoseSeries(condition: condition, runs: [:])
    for name in contenders {
      let run = DoseRun(condition, try name.doser(condition), seed: seed)
      series.runs[name] = DoseSeries.Outcome(
        errors: run.errors.map { $0?.magnitude }, durations: run.durations, missed: run.missed)
    }
    return series
  }

  /// Checks the peers and the bench: without noise and spread, each stops a steady flow as its rule says.
  static func check() throws {
    for deadTime in [0.2, 1.0] {
      let condition = DoseCondition(
        kind: .valve, flow: 2, deadTime: deadTime, rate: 20, noise: 0, target: 20, hasSpread: false)
      for name in DoserName.peers + [.bound] {
        let run = DoseRun(condition, try name.doser(condition), seed: 1)
        let last = run.errors.compactMap(\.self).last ?? .infinity
        // What flows in the dead time is missed without prediction. Steps: two samples; the shortest pulse; none.
        let (expected, step) =
          switch name {
          case .noPrediction: (2 * deadTime, 0.3)
          case .smartGrind: (0, 0.15)
          case .bound: (0, 0.01)
          default: (0, 0.21)
          }
        guard (last - expected).magnitude <= step else {
          throw SelfCheck.SelfCheckError(
            description:
              "\(name.rawValue) is off by \(last) g without noise, not by \(expected) g: the bench is at fault")
        }
      }
    }
  }
}
