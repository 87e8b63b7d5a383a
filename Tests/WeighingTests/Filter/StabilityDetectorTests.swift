import Testing

@testable import Weighing

/// Motion under a limit for a time.
@Suite struct StabilityDetectorTests {
  private let start = Instant(nanoseconds: 0)

  private func at(_ milliseconds: Int) -> Instant { start + .milliseconds(milliseconds) }

  private func level(
    _ mass: Double, since: Int = 0, deviation: Double = 0, slope: Double = 0, slopeDeviation: Double = 0,
    period: Int = 8
  ) -> StabilityDetector.Level {
    StabilityDetector.Level(
      mass: mass, deviation: deviation, quietDeviation: deviation, slope: slope, slopeDeviation: slopeDeviation,
      since: at(since),
      period: .milliseconds(period))
  }

  /// A detector whose windows hide nothing.
  private struct Detector {
    private var detector = StabilityDetector(limit: Grams(1), time: .milliseconds(300))

    mutating func restart() { detector.restart() }

    mutating func observe(_ level: StabilityDetector.Level, at instant: Instant) {
      detector.observe(level, at: instant)
      if detector.restToBeShown(at: instant) != nil { detector.markAtRest() }
    }

    func isStable(at instant: Instant, patience: Int) -> Bool { detector.isStable(at: instant, patience: patience) }
    func nextDeadline(after instant: Instant) -> Instant? { detector.nextDeadline(after: instant) }
  }

  private func detector() -> Detector {
    var detector = Detector()
    detector.restart()
    return detector
  }

  @Test func nothingIsStableBeforeItIsSeen() {
    let detector = detector()
    #expect(!detector.isStable(at: at(1000), patience: 1))
    #expect(detector.nextDeadline(after: start) == nil)
  }

  @Test func aLoadIsStableAfterTheTimeAndNotBefore() {
    var detector = detector()
    detector.observe(level(100), at: at(0))
    #expect(detector.nextDeadline(after: at(0)) == at(300))
    detector.observe(level(100), at: at(299))
    #expect(!detector.isStable(at: at(299), patience: 1))
    detector.observe(level(100), at: at(300))
    #expect(detector.isStable(at: at(300), patience: 1))
    #expect(detector.nextDeadline(after: at(300)) == at(900), "for what has to rest longer")
    #expect(!detector.isStable(at: at(300), patience: 3))
    #expect(detector.isStable(at: at(900), patience: 3))
    #expect(detector.nextDeadline(after: at(900)) == nil)
  }

  @Test(arguments: [(100.9, true), (101.3, false), (98.7, false)])
  func motionIsWhatTheLastWindowsDifferBy(_ mass: Double, _ stable: Bool) {
    var detector = detector()
    detector.observe(level(100), at: at(300))
    detector.observe(level(mass, since: 350), at: at(360))
    #expect(detector.isStable(at: at(360), patience: 1) == stable)
    detector.observe(level(mass, since: 350), at: at(651))
    #expect(detector.isStable(at: at(651), patience: 1), "and then it is the load")
  }

  /// Noise alone sometimes closes windows, which does not make a moving load stable.
  @Test func aLoadComesToRestInOneWindow() {
    var detector = detector()
    detector.observe(level(100), at: at(200))
    detector.observe(level(100.2, since: 250), at: at(310))
    #expect(!detector.isStable(at: at(310), patience: 1))
    #expect(detector.nextDeadline(after: at(310)) == at(550))
    detector.observe(level(100.2, since: 250), at: at(550))
    #expect(detector.isStable(at: at(550), patience: 1))
  }

  /// A level that has only just been found may be off by its uncertainty.
  @Test func aNewLevelIsHeldAgainstTheLoadAsFarAsItIsCertain() {
    var detector = detector()
    detector.observe(level(100), at: at(400))
    detector.observe(level(101.5, since: 400, deviation: 0.3), at: at(410))
    #expect(detector.isStable(at: at(410), patience: 1))
    detector.observe(level(101.5, since: 400, deviation: 0.1), at: at(430))
    #expect(!detector.isStable(at: at(430), patience: 1))
  }

  @Test func anUncertainLevelIsNotStable() {
    var detector = detector()
    detector.observe(level(100, deviation: 0.51), at: at(400))
    #expect(!detector.isStable(at: at(400), patience: 1))
    #expect(detector.nextDeadline(after: at(400)) == at(405), "a quarter of the time after another, from 330 ms on")
    detector.observe(level(100, deviation: 0.49), at: at(410))
    #expect(detector.isStable(at: at(410), patience: 1))
  }

  /// A gram in 300 ms is motion, and a third of a gram a second is a steady movement if it is certain.
  @Test(arguments: [
    (3.2, 1.5, true), (-3.2, 1.5, true), (5.0, 1.5, false), (-5.0, 1.5, false), (0.32, 0, true), (-0.32, 0, true),
    (0.35, 0, false), (-0.35, 0, false), (0.5, 0.12, false), (0.5, 0.13, true),
  ])
  func aSlopeIsMotion(_ slope: Double, _ deviation: Double, _ stable: Bool) {
    var detector = detector()
    detector.observe(level(100, slope: slope, slopeDeviation: deviation), at: at(400))
    #expect(detector.isStable(at: at(400), patience: 1) == stable)
  }

  /// What moves steadily has to be certain to have stopped; a new window alone does not show it.
  @Test func aSteadyMovementEndsWithCertainty() {
    var detector = detector()
    detector.observe(level(100, slope: 0.6, slopeDeviation: 0.05), at: at(400))
    #expect(!detector.isStable(at: at(400), patience: 1))
    detector.observe(level(100.1, since: 500, slope: 0.2, slopeDeviation: 0.3), at: at(850))
    #expect(!detector.isStable(at: at(850), patience: 1), "an uncertain rate")
    detector.observe(level(100.1, since: 500, slope: 0.2, slopeDeviation: 0.1), at: at(1200))
    #expect(detector.isStable(at: at(1200), patience: 1))
  }

  @Test func anotherLoadEndsASteadyMovement() {
    var detector = detector()
    detector.observe(level(100, slope: 0.6, slopeDeviation: 0.05), at: at(400))
    detector.observe(level(150, since: 500, slope: 0.2, slopeDeviation: 0.3), at: at(810))
    #expect(detector.isStable(at: at(810), patience: 1))
  }

  /// A load at rest is evaluated often, so that a chance slope must not end its rest.
  @Test(arguments: [(0.17, true), (0.14, false)])
  func aRestingLoadMovesSteadilyIfThatIsCertain(_ deviation: Double, _ stable: Bool) {
    var detector = detector()
    detector.observe(level(100), at: at(400))
    detector.observe(level(100, slope: 0.6, slopeDeviation: deviation), at: at(1000))
    #expect(detector.isStable(at: at(1000), patience: 1) == stable)
  }

  @Test(arguments: [(50, 300), (51, 306), (100, 600), (200, 1200)])
  func theTimeIsAtLeastSixPeriods(_ period: Int, _ time: Int) {
    var detector = detector()
    detector.observe(level(100, period: period), at: at(0))
    #expect(detector.nextDeadline(after: at(0)) == at(time))
    detector.observe(level(100, period: period), at: at(time - 1))
    #expect(!detector.isStable(at: at(time - 1), patience: 1))
    detector.observe(level(100, period: period), at: at(time))
    #expect(detector.isStable(at: at(time), patience: 1))
    detector.observe(level(100, period: 2 * period), at: at(time + 1))
    #expect(detector.isStable(at: at(time + 1), patience: 1), "a rest remains one")
  }

  @Test func aSlopeIsOnlyMotionBeyondItsUncertainty() {
    var detector = detector()
    detector.observe(level(100, slope: 5, slopeDeviation: 1.5), at: at(400))
    #expect(!detector.isStable(at: at(400), patience: 1))
    detector.observe(level(100, slope: 5, slopeDeviation: 2), at: at(410))
    #expect(detector.isStable(at: at(410), patience: 1))
  }

  /// Where noise hides when a movement ended, a little longer is waited.
  @Test(arguments: [(0, 300), (0.15, 315), (0.3, 330), (0.45, 330)])
  func noiseBlursTheEndOfAMovement(_ deviation: Double, _ milliseconds: Int) {
    var detector = detector()
    detector.observe(level(100, deviation: deviation), at: at(0))
    detector.observe(level(100, deviation: deviation), at: at(milliseconds - 1))
    #expect(!detector.isStable(at: at(milliseconds - 1), patience: 1))
    detector.observe(level(100, deviation: deviation), at: at(milliseconds))
    #expect(detector.isStable(at: at(milliseconds), patience: 1))
  }

  /// What hides a movement is not at rest, however long its window stands.
  @Test func aRestlessWindowIsNotStable() {
    var detector = StabilityDetector(limit: Grams(1), time: .milliseconds(300))
    detector.observe(level(100), at: at(299))
    #expect(detector.restToBeShown(at: at(299)) == nil)
    detector.observe(level(100), at: at(500))
    #expect(detector.restToBeShown(at: at(500)) == .milliseconds(300))
    #expect(!detector.isStable(at: at(500), patience: 1))
    detector.markAtRest()
    #expect(detector.isStable(at: at(500), patience: 1))
    #expect(detector.restToBeShown(at: at(510)) == nil)
  }

  /// Twice the time, and a whole period of a swing that is not a press and has few samples.
  @Test(arguments: [
    (250, 8.0, 50, 600), (450, 8, 50, 900), (450, 8, 8, 600), (450, 80, 50, 600), (250, 3, 50, 300), (60, 8, 50, 300),
    (1200, 8, 50, 300),
  ])
  func whatSwungHasToRestLonger(_ half: Int, _ height: Double, _ period: Int, _ wait: Int) {
    var detector = detector()
    for turn in 0..<4 {
      detector.observe(
        level(100 + (turn % 2 == 0 ? 0 : height), since: half * turn, period: period), at: at(half * turn))
    }
    let rest = half * 3 + 30
    detector.observe(level(100 + height / 2, since: rest, period: period), at: at(rest))
    detector.observe(level(100 + height / 2, since: rest, period: period), at: at(rest + wait - 1))
    #expect(!detector.isStable(at: at(rest + wait - 1), patience: 1))
    detector.observe(level(100 + height / 2, since: rest, period: period), at: at(rest + wait))
    #expect(detector.isStable(at: at(rest + wait), patience: 1))
  }

  @Test func aRestartForgets() {
    var detector = detector()
    detector.observe(level(100), at: at(400))
    detector.restart()
    #expect(!detector.isStable(at: at(900), patience: 1))
    detector.observe(level(100, since: 500), at: at(500))
    detector.observe(level(100, since: 500), at: at(799))
    #expect(!detector.isStable(at: at(799), patience: 1))
    detector.observe(level(100, since: 500), at: at(800))
    #expect(detector.isStable(at: at(800), patience: 1))
  }

  /// Every frame another load, for longer than anybody looks back.
  @Test func endlessMotionIsNeverStable() {
    var detector = detector()
    for frame in 1..<2000 {
      detector.observe(level(Double(frame % 7) * 10, since: frame * 2), at: at(frame * 2))
      #expect(!detector.isStable(at: at(frame * 2), patience: 1))
    }
  }
}
