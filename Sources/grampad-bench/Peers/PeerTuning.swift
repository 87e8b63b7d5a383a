/// The peers that can be tuned, with the parameters that suit a group of pads best.
///
/// All of a grid are put through trials like those of the bench, of step, ramp and pausing, on all pads of one rate and
/// one noise; the one that settles soonest, 95 % of the time, is taken, of equals the one with the lower median. The
/// trials of the bench itself have other seeds.
struct PeerTuning: Sendable {
  let kalman: ConstantKalman
  let oneEuro: OneEuro
  let alphaBeta: AlphaBeta

  /// Steps of a factor of 1.4: a finer grid gained nothing that the noise of the trials does not hide.
  private static let gains = (0..<16).map { 0.7 / pow(1.4, $0) }
  private static let cutoffs = (0..<10).map { 20 / pow(2, $0) }
  private static let betas = [0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3]

  private static let trialsPerPad = 6
  private static let seed: UInt64 = 0x7475_6e65

  /// Tunes to pads.
  init(to pads: [BenchPad]) throws {
    let kalmans = Self.gains.map { ConstantKalman(gain: $0) }
    let oneEuros = Self.cutoffs.flatMap { cutoff in
      Self.betas.map { OneEuro(.tunedOneEuro, cutoff: cutoff, beta: $0) }
    }
    let alphaBetas = Self.gains.map { AlphaBeta(.tunedAlphaBeta, alpha: $0) }
    let candidates: [any Contender] = kalmans + oneEuros + alphaBetas
    var results: [[TrialResult]] = candidates.map { _ in [] }
    for pad in pads {
      for kind in BenchLoad.Kind.allCases where BenchLoad.Kind.hands.contains(kind) {
        let trials = try Trials(pad, kind, seed: Self.seed)
        for number in 0..<Self.trialsPerPad {
          for (index, result) in trials.trial(number).run(candidates).enumerated() { results[index].append(result) }
        }
      }
    }
    let scores = results.map { result in
      let settling = Score(result).settling
      return (settling.quantile(0.95), settling.quantile(0.5))
    }
    func best<Peer>(_ peers: [Peer], from start: Int) -> Peer {
      let index = peers.indices.min { scores[start + $0] < scores[start + $1] }
      return peers[index ?? 0]
    }
    kalman = best(kalmans, from: 0)
    oneEuro = best(oneEuros, from: kalmans.count)
    alphaBeta = best(alphaBetas, from: kalmans.count + oneEuros.count)
  }

  private static func pow(_ base: Double, _ exponent: Int) -> Double {
    (0..<exponent).reduce(1) { result, _ in result * base }
  }
}
