import Recordings
import Weighing

/// All trials of one kind of load on one pad.
struct TruthCell: Sendable {
  var pad: BenchPad
  var kind: BenchLoad.Kind
  /// The results by filter, in the order of `BenchFilterName`, and by trial.
  var results: [[TrialResult]]
}

/// Runs all trials.
struct TruthBench: Sendable {
  var pads: [BenchPad]
  var kinds: [BenchLoad.Kind]
  var trials: Int
  var seed: UInt64

  /// Runs every kind of load on every pad, on all cores. The figures do not depend on the number of cores.
  func run(_ tunings: [String: PeerTuning]) async throws -> [TruthCell] {
    let tasks = kinds.flatMap { kind in pads.map { (kind, $0) } }
    return try await withThrowingTaskGroup(of: (Int, TruthCell).self) { group in
      for (index, (kind, pad)) in tasks.enumerated() {
        guard let tuning = tunings[pad.group] else { preconditionFailure("every group of pads is tuned to") }
        group.addTask { (index, try cell(pad, kind, tuning)) }
      }
      var cells: [TruthCell?] = Array(repeating: nil, count: tasks.count)
      for try await (index, cell) in group { cells[index] = cell }
      return cells.compactMap(\.self)
    }
  }

  private func cell(_ pad: BenchPad, _ kind: BenchLoad.Kind, _ tuning: PeerTuning) throws -> TruthCell {
    let trials = try Trials(pad, kind, seed: seed)
    var results: [[TrialResult]] = BenchFilterName.allCases.map { _ in [] }
    for index in results.indices { results[index].reserveCapacity(self.trials) }
    for number in 0..<self.trials {
      let trial = trials.trial(number)
      for (index, result) in trial.run(try trial.filters(tuning)).enumerated() { results[index].append(result) }
    }
    return TruthCell(pad: pad, kind: kind, results: results)
  }

  /// The parameters of the tuned peers, by group of pads.
  func tunings() async throws -> [String: PeerTuning] {
    try await withThrowingTaskGroup(of: (String, PeerTuning).self) { group in
      for (name, pads) in Dictionary(grouping: BenchPad.all, by: \.group) where pads.contains(where: self.pads.contains)
      {
        group.addTask { (name, try PeerTuning(to: pads)) }
      }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
  }
}

/// The trials of one kind of load on one pad, by number, each with its own load and noise.
struct Trials {
  private let pad: BenchPad
  private let kind: BenchLoad.Kind
  private let settings: ScaleSettings
  private let curve: CalibrationCurve
  private let seed: UInt64

  init(_ pad: BenchPad, _ kind: BenchLoad.Kind, seed: UInt64) throws {
    (self.pad, self.kind, self.seed) = (pad, kind, seed)
    settings = try pad.settings()
    guard let curve = settings.curve else { preconditionFailure("every bench pad is calibrated") }
    self.curve = curve
  }

  func trial(_ number: Int) -> Trial {
    var seeds = SplitMix64(seed: seed)
    for part in [pad.number, UInt64(kind.number), UInt64(number)] { seeds = SplitMix64(seed: seeds.next() ^ part) }
    return Trial(pad, settings, curve, BenchLoad(kind, seed: seeds.next()), seed: seeds.next())
  }
}

extension BenchLoad.Kind {
  /// The index of the kind.
  var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
