import Recordings
import Weighing

/// All trials of one kind of load on one pad.
struct TruthCell: Sendable {
  var pad: BenchPad
  var kind: BenchLoad.Kind
  /// The results of each contender, in the order of `ContenderName`, by trial.
  var results: [[TrialResult]]
}

/// Runs the trials.
struct TruthBench: Sendable {
  var pads: [BenchPad]
  var kinds: [BenchLoad.Kind]
  var trials: Int
  var seed: UInt64

  /// Every kind of load on every pad, on all cores; the same figures whatever their number.
  func run() async throws -> [TruthCell] {
    let tasks = kinds.flatMap { kind in pads.map { (kind, $0) } }
    return try await withThrowingTaskGroup(of: (Int, TruthCell).self) { group in
      for (index, (kind, pad)) in tasks.enumerated() {
        group.addTask { (index, try cell(pad, kind)) }
      }
      var cells: [TruthCell?] = Array(repeating: nil, count: tasks.count)
      for try await (index, cell) in group { cells[index] = cell }
      return cells.compactMap(\.self)
    }
  }

  private func cell(_ pad: BenchPad, _ kind: BenchLoad.Kind) throws -> TruthCell {
    let settings = try pad.settings()
    guard let curve = settings.curve else { preconditionFailure("every bench pad is calibrated") }
    var results: [[TrialResult]] = ContenderName.allCases.map { _ in [] }
    for index in results.indices { results[index].reserveCapacity(trials) }
    for trial in 0..<trials {
      var seeds = SplitMix64(seed: seed)
      // No two trials share a load or a noise, whichever of them are run.
      for part in [pad.number, UInt64(kind.number), UInt64(trial)] { seeds = SplitMix64(seed: seeds.next() ^ part) }
      let load = BenchLoad(kind, seed: seeds.next())
      for (index, result) in try Trial(pad, settings, curve, load, seed: seeds.next()).run().enumerated() {
        results[index].append(result)
      }
    }
    return TruthCell(pad: pad, kind: kind, results: results)
  }
}

extension BenchLoad.Kind {
  /// Its place among all kinds.
  var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
