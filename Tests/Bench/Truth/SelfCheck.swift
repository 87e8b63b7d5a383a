/// Checks the bench before a measurement.
enum SelfCheck {
  /// The bench is incorrect.
  struct SelfCheckError: Error, CustomStringConvertible {
    var description: String
  }

  /// Checks that every filter reads a resting load on a pad without noise correctly.
  static func run() throws {
    let pad = BenchPad(bits: 10, rate: 125, isCurved: false, noise: 0, creeps: false)
    let tuning = try PeerTuning(to: [pad])
    let trial = try Trials(pad, .step, seed: 1).trial(0)
    for (name, result) in zip(BenchFilterName.allCases, trial.run(try trial.filters(tuning))) {
      let error = (result.steadySquares / Double(result.steadyCount)).squareRoot()
      // Half a count.
      guard error <= pad.physics.fullScale.value / Double(pad.physics.axisMaximum) / 2 else {
        throw SelfCheckError(description: "\(name) is off by \(error) g on a pad without noise: the bench is at fault")
      }
    }
  }
}
