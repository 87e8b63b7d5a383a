import ArgumentParser
import Weighing

/// The settings of a run that decide what is stable and what is displayed: `0.1/0.2/300`.
struct CellSetting: Hashable, Sendable {
  var division: Division
  /// Grams that a load at rest may move ...
  var motion: Double
  /// ... within these milliseconds.
  var time: Int

  /// The defaults of the configuration.
  static let standard = CellSetting(division: .gram, motion: 1, time: 300)
  /// A kitchen scale that displays half grams.
  static let half = CellSetting(division: 0.5, motion: 1)
  /// A coffee scale that displays tenths.
  static let tenths = CellSetting(division: 0.1, motion: 0.2)
  /// A laboratory scale that displays hundredths.
  static let hundredths = CellSetting(division: 0.01, motion: 0.2)

  init(division: Division, motion: Double, time: Int) {
    (self.division, self.motion, self.time) = (division, motion, time)
  }

  private init(division: Double, motion: Double) {
    guard let division = Division(Grams(division)) else { preconditionFailure("a division is 1, 2 or 5 times 10^n") }
    self.init(division: division, motion: motion, time: 300)
  }

  var name: String { "\(Table.plain(division.step.value))/\(Table.plain(motion))/\(time)" }
}

extension CellSetting: ExpressibleByArgument {
  init?(argument: String) {
    let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, let step = Double(parts[0]), let division = Division(Grams(step)),
      let motion = Double(parts[1]), motion > 0, motion.isFinite, let time = Int(parts[2]), (1...60_000).contains(time)
    else { return nil }
    self.init(division: division, motion: motion, time: time)
  }
}
