/// What must hold before a figure is worth anything.
enum SelfCheck {
  /// Something is wrong with the bench itself.
  struct Fault: Error, CustomStringConvertible {
    var description: String
  }

  /// A load that rests on a pad without noise is read as itself by every contender.
  static func run() throws {
    let pad = BenchPad(bits: 10, rate: 125, isCurved: false, noise: 0, creeps: false)
    let tuning = try PeerTuning(to: [pad])
    let trial = try Trials(pad, .step, seed: 1).trial(0)
    for (name, result) in zip(ContenderName.allCases, trial.run(try trial.contenders(tuning))) {
      let miss = (result.steadySquares / Double(result.steadyCount)).squareRoot()
      // Half a count.
      guard miss <= pad.physics.fullScale.value / Double(pad.physics.axisMaximum) / 2 else {
        throw Fault(description: "\(name) is off by \(miss) g on a pad without noise: the bench is at fault")
      }
    }
  }
}
