import Recordings
import Testing

@testable import Weighing

/// The weight, the uncertainty and the memory of a load that rests for hours do not change.
@Suite struct LongRestTests {
  /// An hour at 125 Hz.
  @Test func manyFramesAverageToTheTruth() throws {
    var feed = LoadFilterTests.Feed(seed: 3)
    for _ in 0..<450_000 { feed.add(400.4) }
    let estimate = try #require(feed.filter.estimate(at: feed.now))
    #expect((estimate.level - 400.4).magnitude < 0.1)
    #expect(feed.filter.sampleCount > 20_000, "it is still one window")
    #expect((1.3...1.8).contains(feed.filter.sampleDeviation))
    // And a change is found as soon as ever.
    feed.add(420)
    feed.add(420)
    #expect((feed.level - 420).magnitude < 4)
  }

  /// The pad sends an event every nine minutes. After 2^22 samples the totals are recomputed.
  @Test func recomputingTheTotalsChangesNothing() throws {
    var filter = LoadFilter(fullScale: RawForce(1023))
    var now = Instant(nanoseconds: 0)
    func add(_ value: Double, after interval: Interval) {
      now = now + interval
      filter.advance(to: now)
      filter.add(value, at: now)
    }
    for _ in 0..<20 { add(700, after: .milliseconds(8)) }
    var counts: [Int] = []
    for _ in 0..<200 {
      add(700, after: .milliseconds(8 * 65_536))
      let estimate = try #require(filter.estimate(at: now))
      #expect((estimate.level - 700).magnitude < 0.01)
      #expect(estimate.slope.magnitude < 1e-3)
      counts.append(filter.sampleCount)
    }
    #expect(counts.max() ?? 0 > 1 << 21, "the totals were recomputed")
    for _ in 0..<3 { add(800, after: .milliseconds(8)) }
    #expect((try #require(filter.estimate(at: now)).level - 800).magnitude < 1)
  }

  /// The history recomputes its totals several times: mean and slope of the window remain those of its samples.
  @Test func theHistoryKeepsItsDigits() {
    var history = ObservationHistory()
    var now = Instant(nanoseconds: 0)
    for frame in 0..<20_000 {
      now = now + .milliseconds(8)
      history.append(900 + Double(frame % 3 - 1), times: 1000, at: now)
    }
    let line = history.line(adding: 0, times: 0)
    #expect((line.mean - 900).magnitude < 1e-3)
    #expect(line.slope.magnitude < 1e-8)
    #expect(history.count <= 1 << 23, "\(history.count)")
    #expect(history.count > 1 << 20)
  }

  /// A change long after the totals were recomputed is found at its time.
  @Test func aChangeAfterRecomputingIsFound() {
    var history = ObservationHistory()
    for frame in 0..<5000 { history.append(900, times: 1000, at: Instant(nanoseconds: Int64(frame))) }
    for frame in 0..<4 { history.append(930, times: 1, at: Instant(nanoseconds: 9000 + Int64(frame))) }
    let split = history.likeliestChange(noise: SampleNoise(variance: 2.25))
    #expect(split?.time == Instant(nanoseconds: 9000))
  }
}
