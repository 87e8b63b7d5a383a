/// The tunable peers with the best parameters for a group of pads or for a recording.
///
/// For simulated pads, all parameters of a grid run through trials like those of the bench, with step, ramp and pausing
/// on all pads of one rate and noise. The parameters with the lowest 95 % quantile of settling are used; of equal ones,
/// those with the lower median. The trials of the bench have other seeds.
struct PeerTuning: Sendable {
  let kalman: SimpleKalman
  let oneEuro: OneEuro
  let alphaBeta: AlphaBeta

  // The grid is fine enough: the neighbours of the best parameters differ by less than the noise of the trials.
  private static let processes = series(from: 1, by: 0.7, count: 18)
  private static let cutoffs = series(from: 20, by: 0.5, count: 10)
  private static let betas = [0, 0.001, 0.003, 0.01, 0.03, 0.1]
  private static let alphas = series(from: 0.7, by: 0.7, count: 12)

  private static let trialsPerPad = 6
  private static let seed: UInt64 = 0x7475_6e65

  /// Tunes the peers to pads.
  init(to pads: [BenchPad]) throws {
    try self.init { candidates in
      var results: [[TrialResult]] = candidates.map { _ in [] }
      for pad in pads {
        for kind in BenchLoad.Kind.allCases where BenchLoad.Kind.hands.contains(kind) {
          let trials = try Trials(pad, kind, seed: Self.seed)
          for number in 0..<Self.trialsPerPad {
            for (index, result) in trials.trial(number).run(candidates).enumerated() { results[index].append(result) }
          }
        }
      }
      return results.map { result in
        let settling = Score(result).settling
        return (settling.quantile(0.95), settling.quantile(0.5))
      }
    }
  }

  /// Tunes the peers to the loads of a recording: to the times from rest until the reading remains within the tolerance,
  /// 90 % and median.
  init(to truth: PlacementTruth, tolerance: Double) {
    self.init { candidates in
      candidates.map { candidate in
        let trace = LevelTrace(candidate, truth.series)
        let settling = PlacementScore(trace, truth, tolerance: tolerance, onsets: []).settling
        return (settling.quantile(0.9), settling.quantile(0.5))
      }
    }
  }

  /// Selects the parameters of the grid with the lowest scores.
  private init(scores: ([any BenchFilter]) throws -> [(Double, Double)]) rethrows {
    let kalmans = Self.processes.map { SimpleKalman(.tunedKalman, process: $0) }
    let oneEuros = Self.cutoffs.flatMap { cutoff in
      Self.betas.map { OneEuro(.tunedOneEuro, cutoff: cutoff, beta: $0) }
    }
    let alphaBetas = Self.alphas.map { AlphaBeta(.tunedAlphaBeta, alpha: $0) }
    let scores = try scores(kalmans + oneEuros + alphaBetas)
    func best<Peer>(_ peers: [Peer], from start: Int) -> Peer {
      let index = peers.indices.min { scores[start + $0] < scores[start + $1] }
      return peers[index ?? 0]
    }
    kalman = best(kalmans, from: 0)
    oneEuro = best(oneEuros, from: kalmans.count)
    alphaBeta = best(alphaBetas, from: kalmans.count + oneEuros.count)
  }

  private static func series(from first: Double, by factor: Double, count: Int) -> [Double] {
    (1..<count).reduce(into: [first]) { series, index in series.append(series[index - 1] * factor) }
  }
}
