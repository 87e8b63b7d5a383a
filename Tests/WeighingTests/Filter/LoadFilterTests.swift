import Recordings
import Testing

@testable import Weighing

/// What the filter does with spikes, silence, steps, drips and creep, in counts and at 125 Hz.
@Suite struct LoadFilterTests {
  /// A filter that is fed with a signal and noise.
  struct Feed {
    var filter = LoadFilter(fullScale: RawForce(1023))
    var now = Instant(nanoseconds: 0)
    var random: SplitMix64
    var noise = 1.5

    init(seed: UInt64 = 1, noise: Double = 1.5) {
      random = SplitMix64(seed: seed)
      self.noise = noise
    }

    var level: Double { filter.estimate(at: now)?.level ?? .nan }

    mutating func add(_ value: Double) {
      now = now + .milliseconds(8)
      filter.advance(to: now)
      filter.add((value + noise * random.gaussian()).rounded(), at: now)
    }

    mutating func add(_ value: Double, for seconds: Double) {
      for _ in 0..<Int(seconds * 125) { add(value) }
    }

    mutating func silence(_ seconds: Double) {
      now = now + .seconds(seconds)
      filter.advance(to: now)
    }
  }

  @Test func nothingIsKnownBeforeTheFirstFrame() {
    var feed = Feed()
    #expect(feed.filter.isIdle)
    #expect(feed.filter.estimate(at: feed.now) == nil)
    #expect(feed.filter.nextDeadline == nil)
    feed.add(100)
    #expect(!feed.filter.isIdle)
    feed.filter.restart()
    #expect(feed.filter.estimate(at: feed.now) == nil)
  }

  /// A window that stands may still hide a movement that is too small to split it, and mostly does not.
  @Test func aWindowIsAskedWhetherItHidesAMovement() {
    var restless = (atRest: 0, swinging: 0, beginning: 0)
    for seed in 1...200 {
      func isRestless(_ load: (Int) -> Double) -> Bool {
        var feed = Feed(seed: UInt64(seed))
        feed.add(400, for: 1)
        for frame in 0..<38 { feed.add(400 + load(frame)) }
        return feed.filter.isRestless(limit: 2.5, over: .milliseconds(300))
      }
      if isRestless({ _ in 0 }) { restless.atRest += 1 }
      // Twice the limit, peak to peak, in three quarters of a turn; and the first three frames of a hand.
      if isRestless({ 2.5 * Double([0, 1, 0, -1][$0 / 7 % 4]) }) { restless.swinging += 1 }
      if isRestless({ $0 < 35 ? 0 : 5 }) { restless.beginning += 1 }
    }
    #expect(restless.atRest < 24, "\(restless)")
    #expect(restless.swinging > 120, "\(restless)")
    #expect(restless.beginning > 140, "\(restless)")
  }

  @Test(arguments: [-300.0, -40, -12, 12, 40, 300])
  func oneSpikeDoesNotMoveTheLoad(_ spike: Double) {
    for seed in 1...20 {
      var feed = Feed(seed: UInt64(seed))
      feed.add(400, for: 1)
      let before = feed.level
      feed.add(400 + spike)
      let during = feed.level
      feed.add(400)
      #expect((during - before).magnitude < 0.5)
      #expect((feed.level - before).magnitude < 0.5)
      feed.add(400, for: 0.5)
      #expect((feed.level - 400).magnitude < 0.8)
    }
  }

  @Test(arguments: [-300.0, -40, 40, 300])
  func twoFramesThatAgreeAreANewLoad(_ step: Double) {
    for seed in 1...20 {
      var feed = Feed(seed: UInt64(seed))
      feed.add(400, for: 1)
      feed.add(400 + step)
      feed.add(400 + step)
      #expect((feed.level - 400 - step).magnitude < 4.5)
      #expect(feed.filter.estimate(at: feed.now)?.since == feed.now + .milliseconds(-8))
    }
  }

  /// A value far off that then stands was no spike, although nothing ever repeats it.
  @Test func silenceConfirmsAStep() {
    var feed = Feed(noise: 0)
    feed.add(400, for: 1)
    feed.add(500)
    #expect(feed.level == 400)
    feed.silence(0.05)
    #expect(feed.level == 500)
  }

  /// On a silent pad, the value counts as a growing number of samples, and the filter runs less and less often.
  @Test func silenceIsObserved() throws {
    var feed = Feed(noise: 0)
    feed.add(400)
    var looks = 0
    while let due = feed.filter.nextDeadline {
      feed.now = due
      feed.filter.advance(to: due)
      looks += 1
    }
    #expect(looks == 10, "at 2, 4 ... 1024 samples")
    #expect(feed.filter.sampleCount == 1024)
    let early = try #require(feed.filter.estimate(at: feed.now))
    feed.silence(60)
    let late = try #require(feed.filter.estimate(at: feed.now))
    #expect(late.level == 400)
    #expect(late.deviation < early.deviation)
  }

  /// A gram and a half on a pad of 2.5 counts a gram, under a gram of noise.
  @Test func aSmallStepIsFoundSoon() {
    var times: [Double] = []
    for seed in 1...100 {
      var feed = Feed(seed: UInt64(seed), noise: 2.5)
      feed.add(300, for: 2)
      var frames = 0
      repeat {
        feed.add(303.75)
        frames += 1
      } while (feed.level - 303.75).magnitude > 1.25 && frames < 200
      times.append(Double(frames) * 0.008)
    }
    #expect(times.quantile(0.95) <= 0.25, "median \(times.median) s, 95 % \(times.quantile(0.95)) s")
  }

  /// A gram a second, 2.5 counts.
  @Test func aDripIsFollowed() {
    var lags: [Double] = []
    for seed in 1...10 {
      var feed = Feed(seed: UInt64(seed))
      feed.add(200, for: 1)
      var load = 200.0
      for frame in 0..<1250 {
        load += 2.5 / 125
        feed.add(load)
        if frame > 250 { lags.append((load - feed.level).magnitude) }
      }
    }
    #expect(lags.quantile(0.95) < 1.25, "half a gram")
    #expect(lags.max() ?? 9 < 2.5)
  }

  /// A sensor that creeps by 1 % in ten seconds and ever slower.
  @Test func creepIsFollowed() {
    var feed = Feed()
    var lags: [Double] = []
    for frame in 1...7500 {
      let load = 500 * (1 + 0.003 * Double(frame).squareRoot() / 10)
      feed.add(load)
      if frame > 250 { lags.append((load - feed.level).magnitude) }
    }
    #expect(lags.quantile(0.95) < 1)
  }
}
