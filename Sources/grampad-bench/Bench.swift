import ArgumentParser
import Foundation
import Weighing

/// The program: what Grampad is worth, measured beside its peers.
@main
struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "grampad-bench", abstract: "Measures Grampad beside its peers.", subcommands: [Truth.self])
}

struct Truth: ParsableCommand {
  @Option var trials = 40
  @Option var seed: UInt64 = 1
  @Option var load: String?
  @Option var rate: Int?
  @Option var noise: Double?

  func run() throws {
    func format(_ value: Double, _ digits: Int = 0) -> String { String(format: "%.\(digits)f", value) }
    for kind in BenchLoad.Kind.allCases where load == nil || load == kind.rawValue {
      print("== \(kind)")
      for pad in BenchPad.all where (rate == nil || pad.rate == rate) && (noise == nil || pad.noise == noise) {
        let scores = try TruthBench.scores(pad, kind, trials: trials, seed: seed)
        print(pad.name)
        for score in scores {
          print(
            "   " + score.contender.padding(toLength: 16, withPad: " ", startingAt: 0)
              + "settle \(format(score.settling.quantile(0.5) * 1000))/\(format(score.settling.quantile(0.95) * 1000)) ms"
              + "  noise \(format(score.steadyNoise, 3)) lag \(format(score.lag, 2)) dist \(format(score.disturbedNoise, 2))"
              + (score.stableAfter.isEmpty
                ? ""
                : "  stable \(format(score.stableAfter.quantile(0.5) * 1000))/\(format(score.stableAfter.quantile(0.95) * 1000)) err95 \(format(score.errorAtStable.quantile(0.95), 2)) never \(score.neverStable) false \(score.falseStables) corr \(score.corrections) flick \(score.flickers)"
              ))
        }
      }
    }
  }
}
