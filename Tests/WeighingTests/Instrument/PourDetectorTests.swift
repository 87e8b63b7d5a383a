import Testing

@testable import Weighing

/// The end of a pour, for flows given by the test.
@Suite struct PourDetectorTests {
  /// A detector that sees ten blocks a second of a load without noise.
  private struct Feed {
    var detector = PourDetector()
    private(set) var history = FlowHistory()
    private var mass = 0.0
    private(set) var time = 0.0

    /// Lets a flow last; the window of the meter begins with it.
    mutating func flow(_ rate: Double, for seconds: Double) {
      let (first, rest) = (history.count, max(history.count - 10, 0))
      for _ in 0..<Int((seconds * 10).rounded()) {
        let now = Instant(nanoseconds: 0) + .seconds(time)
        history.append(weight: 1, centre: now, mass: mass, begin: now)
        time += 0.1
        mass += rate / 10
        // The meter does not know the rate of fewer blocks.
        guard history.count > first + 3 else { continue }
        detector.follow(
          PourDetector.Flow(rate: rate, since: first, variance: 0.0001, restBegan: rest), history, at: now)
      }
    }
  }

  /// The load is lost while a flow seems to go on. What seemed so says nothing about the next pour.
  @Test func `a flow that resumed before the load was lost does not prolong the next pour`() {
    var feed = Feed()
    feed.flow(0, for: 2)
    feed.flow(2, for: 5)
    feed.flow(0, for: 1)
    feed.flow(2, for: 0.6)
    #expect(feed.detector.state == .ending)
    feed.detector.loseLoad(feed.history)
    feed.flow(0, for: 2)
    feed.flow(2, for: 5)
    // The first four blocks show the detector one rate: one that ends the pour, and one with which it goes on.
    feed.flow(0, for: 0.4)
    #expect(feed.detector.count == 2 && feed.detector.state == .ending)
    feed.flow(2, for: 0.4)
    #expect(feed.detector.state == .ending, "a block of flow is less than what makes an end not count")
  }

  /// A kettle that is put down slowly pours thinly at last; a filter that drips does not pour.
  @Test(arguments: [(15, 1, true), (15, 0.4, false), (2, 0.3, true), (2, 0.15, false), (0.8, 0.12, true)])
  func `little flow ends a pour, a thin stream does not`(strong: Double, thin: Double, goesOn: Bool) {
    var feed = Feed()
    feed.flow(0, for: 2)
    feed.flow(strong, for: 5)
    feed.flow(thin, for: 5)
    #expect(feed.detector.count == 1)
    #expect((feed.detector.ended == nil) == goesOn)
  }
}
