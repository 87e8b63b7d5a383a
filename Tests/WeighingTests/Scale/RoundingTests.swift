import Recordings
import Testing

@testable import Weighing

/// The last digit never flickers between two values.
@Suite struct RoundingTests {
  /// The load is on the boundary between two displayed values.
  @Test(arguments: [0.1, 0.5, 1, 2, 5])
  func aLoadOnTheEdgeChangesAtMostOnce(_ step: Double) throws {
    var settings = ScaleSettings()
    settings.scale.division = try #require(Division(Grams(step)))
    // 2 counts a gram; half a step over a hundred grams.
    let counts = 200 + step
    for seed in 0..<4 {
      var scale = HandFedScale(settings)
      scale.hold(counts, for: .milliseconds(800 + seed * 40))
      let count = scale.take().settled.count
      #expect(count == 1)
      var shown = scale.reading.net
      var changes = 0
      for _ in 0..<100 {
        scale.hold(counts, for: .milliseconds(80))
        if scale.reading.net != shown { changes += 1 }
        shown = scale.reading.net
      }
      let bound = step < 1 ? 6 : 1
      #expect(changes <= bound, "\(changes) changes at \(step) g")
    }
  }

  @Test(arguments: [(0.1, "100.5 g"), (0.5, "100.5 g"), (1, "101 g"), (2, "100 g"), (5, "100 g")])
  func theDivisionIsWhatIsShown(_ step: Double, _ text: String) throws {
    var settings = ScaleSettings()
    settings.scale.division = try #require(Division(Grams(step)))
    var scale = HandFedScale(settings)
    scale.settle(201)
    #expect(scale.reading.printable == text)
    #expect(scale.reading.highResolution == Grams(100.5))
  }

  @Test func theDigitStandsUntilItIsClearlyAnother() {
    var rounding = DivisionRounding()
    func steps(_ mass: Double, _ deviation: Double) -> Int {
      rounding.steps(for: Grams(mass), deviation: deviation, isResting: false, division: .gram)
    }
    #expect(steps(100.4, 1) == 100)
    #expect(steps(100.7, 1) == 100, "three quarters of a division while little is known")
    #expect(steps(100.8, 1) == 101)
    #expect(steps(100.3, 1) == 101)
    #expect(steps(100.2, 1) == 100)
    #expect(steps(100.55, 0.001) == 101, "hardly more than half of one when it is certain")
    #expect(steps(100.49, 0.001) == 101)
    #expect(steps(100.47, 0.001) == 100)
    rounding.reset()
    #expect(steps(100.51, 1) == 101)
  }

  /// At rest a digit is corrected once, and what was left comes back only when it is clearly nearer.
  @Test func theDigitOfALoadAtRestDoesNotFlicker() {
    var rounding = DivisionRounding()
    func steps(_ mass: Double, _ deviation: Double, isResting: Bool = true) -> Int {
      rounding.steps(for: Grams(mass), deviation: deviation, isResting: isResting, division: .gram)
    }
    #expect(steps(100.4, 1, isResting: false) == 100)
    #expect(steps(100.7, 1, isResting: false) == 100)
    #expect(steps(100.7, 0.2) == 101, "what comes to rest is the nearest digit")
    #expect(steps(101.9, 0.2) == 101, "nine tenths, while little is known")
    #expect(steps(102, 0.2) == 102)
    #expect(steps(102.6, 0.01) == 103, "the same way again")
    #expect(steps(102.3, 0.01) == 103, "but not back at once")
    #expect(steps(102.2, 0.01) == 102)
    #expect(steps(102.6, 0.01) == 102, "nor that")
    #expect(steps(102.6, 0.01, isResting: false) == 103)
  }

  /// Gross, tare and net as they are displayed always add up.
  @Test func whatIsShownAddsUp() {
    var random = SplitMix64(seed: 4)
    for _ in 0..<40 {
      var scale = HandFedScale()
      scale.settle(1 + Int(random.next() % 380))
      scale.ask(.tare)
      scale.settle(1 + Int(random.next() % 760))
      let reading = scale.reading
      guard let net = reading.net else { continue }
      #expect(reading.gross.steps == reading.tare.steps + net.steps)
    }
  }
}
