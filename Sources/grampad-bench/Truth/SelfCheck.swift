import Recordings
import Weighing

/// What must hold before a figure is worth anything.
enum SelfCheck {
  /// Something is wrong with the bench itself.
  struct Fault: Error, CustomStringConvertible {
    var description: String
  }

  /// A load that rests on a pad without noise is read as itself by every contender.
  static func run() throws {
    let pad = BenchPad(bits: 10, rate: 125, isCurved: false, noise: 0, creeps: false)
    let settings = try pad.settings()
    guard let curve = settings.curve else { preconditionFailure("every bench pad is calibrated") }
    for (name, result) in zip(
      ContenderName.allCases, try Trial(pad, settings, curve, BenchLoad(.step, seed: 1), seed: 1).run())
    {
      let miss = (result.steadySquares / Double(result.steadyCount)).squareRoot()
      // Half a count.
      guard miss <= curve.slope(at: .zero) / 2 else {
        throw Fault(description: "\(name) is off by \(miss) g on a pad without noise: the bench is at fault")
      }
    }
  }
}
