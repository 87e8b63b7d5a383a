/// Runs all programs on the test stand.
struct CostBench {
  /// Number of runs of each program at each rate.
  var runs: Int
  /// Duration of a run at a rate, in seconds.
  var seconds: Int
  /// Number of frames of a run at full speed.
  var flatFrames: Int
  /// Duration of the idle measurement, in seconds.
  var idle: Int
  /// The workload of the memory measurement.
  var million: Workload

  /// Results by workload and program. The runs of one round have the same index in every list.
  struct Results {
    var byWorkload: [Workload: [CostProgram: [TestStandResult]]] = [:]
    var idle: [CostProgram: [TestStandResult]] = [:]
    var million: [CostProgram: TestStandResult] = [:]
    var whole: [CostProgram: TestStandResult] = [:]
    var counted: [CostProgram: CostCounts] = [:]
  }

  /// The measured rates, in frames per second.
  static let rates = [125, 1000]

  /// Number of idle measurements. They take long and vary little.
  private static let idleRounds = 3

  /// Measures everything except the counts.
  ///
  /// The programs take turns, and each round begins with another program, so that other load on the machine affects all of
  /// them equally. They run at the same time only for the idle measurement, in which none of them needs the processor.
  func measure(in environment: CostEnvironment, _ progress: (String) -> Void) throws(CostError) -> Results {
    var results = Results()
    for program in CostProgram.allCases {
      progress("what \(program.rawValue) publishes")
      results.whole[program] = try TestStandRun(program, Workload(rate: 125, frames: 250), in: environment, all: true)
        .result()
    }
    let workloads =
      Self.rates.map { Workload(rate: $0, frames: $0 * seconds) } + [Workload(rate: 0, frames: flatFrames)]
    for round in 0..<runs {
      for workload in workloads {
        for program in CostProgram.allCases.rotated(by: round) {
          progress("round \(round + 1) of \(runs): \(program.rawValue), \(workload.text)")
          let run = try TestStandRun(program, workload, in: environment).result()
          results.byWorkload[workload, default: [:]][program, default: []].append(run)
        }
      }
    }
    for round in 0..<Self.idleRounds where idle > 0 {
      progress("round \(round + 1) of \(Self.idleRounds): all, at rest for \(idle) s")
      var running: [(CostProgram, TestStandRun)] = []
      for program in CostProgram.allCases {
        running.append(
          (program, try TestStandRun(program, Workload(rate: 125, frames: 250, idle: idle), in: environment)))
      }
      for (program, run) in running { results.idle[program, default: []].append(try run.result()) }
    }
    for program in [CostProgram.grampad, .full] {
      progress("\(million.frames) frames: \(program.rawValue), \(million.text)")
      results.million[program] = try TestStandRun(program, million, in: environment).result()
    }
    return results
  }
}

extension Array {
  /// Returns the array rotated to begin with the element at `count`, modulo the number of elements.
  fileprivate func rotated(by count: Int) -> [Element] {
    isEmpty ? [] : Array(self[(count % self.count)...] + self[..<(count % self.count)])
  }
}
