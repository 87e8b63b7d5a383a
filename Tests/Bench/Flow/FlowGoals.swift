/// The goals for flow and timer.
enum FlowGoals {
  static let bound = Goal("values further than 0.2 g/s and 2.5 times the bound of a line", .atMost, 0.05)
  static let start = Goal("back-dated starts further than 0.3 s and 2.5 times their bound", .atMost, 0.05)
  static let stop = Goal("error of the back-dated stop, 95 %", .atMost, 1)
  static let falseFlows = Goal("false flows at rest, an hour", .atMost, 20)
  static let recordedPours = Goal("recorded pours by hand: pours missed and further ones", .atMost, 0)
  static let recordedTime = Goal("recorded pours by hand: error of the first start and the last end", .atMost, 0.3)
  static let pours = Goal("further pours", .atMost, 0)

  /// The goals for the noise of a real load cell.
  struct Cell: Sendable {
    /// The noise in grams.
    var noise: Double
    var known: Goal
    var rest: Goal
    private let name: String
    private let accuracy: Double

    fileprivate init(_ noise: Double, known: Double, accuracy: Double, rest: Double) {
      self.noise = noise
      name = "\(Table.plain(noise)) g at 11 samples/s"
      self.known = Goal("\(name): start and stop are known after, 95 %", .atMost, known)
      self.accuracy = accuracy
      self.rest = Goal("\(name): flow at rest, 95 %", .atMost, rest)
    }

    /// The error of the flow; where a line through all samples of the pour is less accurate, at most a quarter above it.
    func accuracy(ofLine error: Double) -> Goal {
      Goal("\(name): error of the flow, 95 %", .atMost, max(accuracy, 1.25 * error))
    }
  }

  /// A good load cell, and one with a long cable.
  static let cells = [
    Cell(0.03, known: 0.5, accuracy: 0.03, rest: 0.02), Cell(0.1, known: 1, accuracy: 0.06, rest: 0.06),
  ]
}
