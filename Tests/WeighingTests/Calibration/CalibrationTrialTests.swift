import Languages
import Testing
import Weighing

/// What is made of known masses, and why some are refused.
@Suite struct CalibrationTrialTests {
  /// Points in order: grams and counts.
  typealias Points = [(grams: Double, counts: Double)]

  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var points: Points
    var capacity = 385.0
    var shape: CurveShape?
    /// What the reason begins with or has in it.
    var says: [String]
  }

  @Test(arguments: [
    Case(testDescription: "none", points: [], says: ["too few", "0 were given"]),
    Case(testDescription: "two", points: [(0, 0), (200, 500)], says: ["too few", "2 were given"]),
    Case(
      testDescription: "two masses, one of them twice", points: [(0, 0), (200, 500), (200, 501)],
      says: ["too few", "2 were given"]),
    Case(testDescription: "negative mass", points: [(0, 0), (-5, 10), (200, 500)], says: ["10.00 counts at -5 g"]),
    Case(testDescription: "no number", points: [(0, 0), (.nan, 10), (200, 500)], says: ["counts at"]),
    Case(
      testDescription: "negative counts", points: [(0, -1), (50, 10), (200, 500)], says: ["-1.00 counts at 0 g"]),
    Case(
      testDescription: "zero drifts", points: [(0, 20), (100, 270), (200, 520), (385, 982), (0, 25)],
      says: [
        "the pad drifts: the empty pad read 20.00 counts at the start and 25.00 at the end, a difference of 2.01 g"
      ]),
    Case(
      testDescription: "a mass drifts", points: [(0, 0), (100, 250), (200, 500), (385, 962), (100, 255)],
      says: ["the pad drifts: 100 g read 250.00 counts at the start and 255.00 at the end"]),
    Case(
      testDescription: "two masses, one value", points: [(0, 0), (100, 250), (200, 250.2), (385, 962)],
      says: ["same reading for two masses: 100 g and 200 g both read 250.00 counts"]),
    Case(
      testDescription: "mistyped tenfold", points: [(0, 0), (50, 125), (1000, 250), (200, 500), (385, 962)],
      says: ["1000 g at 250.00 counts is far from the curve", "predicts about 100 g. It is probably mistyped"]),
    Case(
      testDescription: "mistyped and still rising", points: [(0, 0), (50, 125), (130, 250), (200, 500), (385, 962)],
      says: ["130 g at 250.00 counts is far from the curve", "100 g. It is probably mistyped"]),
    Case(
      testDescription: "the heaviest mistyped", points: [(0, 0), (50, 125), (100, 250), (200, 500), (835, 962)],
      says: ["835 g at 962.00 counts is far from the curve", "384.8 g. It is probably mistyped"]),
    Case(
      testDescription: "two changed about", points: [(0, 0), (200, 250), (100, 500), (385, 962)],
      says: ["not monotone: 200 g reads 250.00 counts, but the lighter 100 g reads 500.00"]),
    Case(
      testDescription: "upside down", points: [(0, 962), (100, 500), (200, 250), (385, 0)], says: ["not monotone"]),
    Case(
      testDescription: "too little of the range", points: [(0, 0), (50, 125), (100, 250), (150, 375)],
      says: ["range too small", "at least 192.5 g"]),
    Case(
      testDescription: "the same reaches for a smaller capacity",
      points: [(0, 0), (50, 125), (100, 250), (150, 375)], capacity: 310, says: ["at least 155 g"]),
  ])
  func masses(_ refused: Case) throws {
    let refusal = #expect(throws: CalibrationError.self) { try outcome(refused) }
    let text = try #require(refusal).sentence.description
    for words in refused.says { #expect(text.contains(words), "\(text)") }
  }

  @Test func aMassThatMovesIsNotTaken() throws {
    var trial = Self.trial([(0, 0), (100, 250), (200, 500), (385, 962)])
    trial.observations[2].rest.drift = 2
    trial.observations[2].rest.duration = .seconds(3)
    // 6 counts of 962 for 385 g.
    #expect(throws: CalibrationError.unstable(mass: Grams(200), moved: Grams(6 * 385 / 962.0))) {
      try trial.outcome()
    }
    trial.observations[2].rest.drift = 0.5
    _ = try trial.outcome()
  }

  @Test func aMassAtTheEndOfTheAxisIsNotTaken() throws {
    var trial = Self.trial([(0, 0), (100, 250), (200, 500), (385, 962)])
    trial.observations[3].rest.isAtMaximum = true
    #expect(throws: CalibrationError.pastTheAxis(mass: Grams(385))) { try trial.outcome() }
  }

  @Test func whatIsSeenTwiceIsAveraged() throws {
    let outcome = try Self.trial([(0, 10), (100, 250), (200, 500), (385, 962), (0, 11), (100, 251)]).outcome()
    #expect(outcome.choice.curve.points.map(\.counts) == [10.5, 250.5, 500, 962])
    #expect(outcome.misses.count == 4)
    #expect(outcome.leftOut.map { $0 == nil } == [true, false, false, true])
    #expect(outcome.guessedBeyond == nil)
  }

  @Test func itSaysBeyondWhatItGuesses() throws {
    let outcome = try Self.trial([(0, 0), (100, 250), (200, 500), (300, 750)]).outcome()
    #expect(outcome.guessedBeyond == Grams(300))
  }

  private func outcome(_ given: Case) throws -> CalibrationTrial.Outcome {
    try Self.trial(given.points, capacity: given.capacity, shape: given.shape).outcome()
  }

  static func trial(_ points: Points, capacity: Double = 385, shape: CurveShape? = nil) -> CalibrationTrial {
    CalibrationTrial(
      observations: points.map { CalibrationObservation(mass: Grams($0.grams), counts: $0.counts) },
      capacity: Grams(capacity), division: .gram, shape: shape)
  }
}
