import Recordings
import Weighing

/// All that was measured of one contender on one pad under one kind of load.
struct TruthScore {
  var pad: BenchPad
  var load: BenchLoad.Kind
  var contender: String
  var trials = 0
  var settling: [Double] = []
  var steadyNoise = 0.0
  var lag = 0.0
  var disturbedNoise = 0.0
  var stableAfter: [Double] = []
  var errorAtStable: [Double] = []
  var neverStable = 0
  var falseStables = 0
  var corrections = 0
  var flickers = 0

  init(_ pad: BenchPad, _ load: BenchLoad.Kind, _ contender: String, _ results: [TrialResult]) {
    (self.pad, self.load, self.contender) = (pad, load, contender)
    trials = results.count
    settling = results.map(\.settling).sorted()
    let steady = results.reduce(into: (0.0, 0)) {
      $0.0 += $1.steadySquares; $0.1 += $1.steadyCount
    }
    steadyNoise = (steady.0 / Double(max(steady.1, 1))).squareRoot()
    lag = results.reduce(0) { $0 + $1.lag } / Double(trials)
    disturbedNoise = (results.reduce(0) { $0 + $1.disturbedSquare } / Double(trials)).squareRoot()
    stableAfter = results.compactMap(\.stableAfter).sorted()
    errorAtStable = results.compactMap { $0.errorAtStable?.magnitude }.sorted()
    neverStable = results.count { $0.stableAfter == nil }
    falseStables = results.reduce(0) { $0 + $1.falseStables }
    corrections = results.reduce(0) { $0 + $1.corrections }
    flickers = results.reduce(0) { $0 + $1.flickers }
  }
}

/// Runs the trials.
enum TruthBench {
  /// The scores of all contenders on a pad under a kind of load, Grampad first.
  static func scores(_ pad: BenchPad, _ kind: BenchLoad.Kind, trials: Int, seed: UInt64) throws -> [TruthScore] {
    var all: [[TrialResult]] = []
    var names: [String] = []
    for trial in 0..<UInt64(trials) {
      let (results, contenders) = try Trial(
        pad: pad, load: BenchLoad(kind, seed: seed &+ trial), seed: seed &+ trial &* 7919
      ).run()
      if all.isEmpty {
        all = results.map { _ in [] }
        names = contenders.map(\.name)
      }
      for index in results.indices { all[index].append(results[index]) }
    }
    return all.indices.map { TruthScore(pad, kind, names[$0], all[$0]) }
  }
}
