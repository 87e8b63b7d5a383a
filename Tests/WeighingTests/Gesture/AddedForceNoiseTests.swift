import Testing
import Weighing

/// Added force on real pads: noise, frame rates, dropped frames, drips.
@Suite struct AddedForceNoiseTests {
  private func loaded(_ counts: Double, noise: Double = 1.5, every period: Interval = .milliseconds(8)) -> HandFedScale
  {
    var scale = HandFedScale(pad: .plain)
    scale.hold(counts, for: .seconds(2), noise: noise, every: period)
    _ = scale.take()
    return scale
  }

  @Test(arguments: [200.0, 600, 700])
  func noiseIsNoPress(_ counts: Double) {
    var scale = loaded(counts)
    scale.hold(counts, for: .seconds(180))
    let effects = scale.take()
    #expect(effects.gestures.isEmpty && effects.feedback.isEmpty && effects.drafts.isEmpty)
  }

  /// With 0.5 g in a count and three counts of noise, five deviations are 7.5 g.
  @Test func aNoisyPadTakesMoreForce() {
    var scale = loaded(690, noise: 4)
    scale.hold(690, for: .seconds(180), noise: 4)
    #expect(scale.take().gestures.allSatisfy { $0.state == .unavailable || $0.state == .idle })
  }

  @Test(arguments: [60, 125, 250, 1000])
  func anyFrameRate(_ hertz: Int) {
    let period = Interval(nanoseconds: 1_000_000_000 / Int64(hertz))
    var scale = loaded(200, every: period)
    for (counts, milliseconds) in [(300.0, 20), (560, 600), (300, 20), (200, 300)] {
      scale.hold(counts, for: .milliseconds(milliseconds), every: period)
    }
    scale.hold(200, for: .seconds(1), every: period)
    #expect(scale.take().nets == [100])
    for _ in 1...2 {
      scale.hold(560, for: .milliseconds(500), every: period)
      scale.hold(200, for: .milliseconds(300), every: period)
    }
    scale.hold(200, for: .seconds(1), every: period)
    let effects = scale.take()
    #expect(effects.tares == [100] && effects.nets.isEmpty && effects.settled.isEmpty)
  }

  /// Half of the frames never come.
  @Test func droppedFrames() {
    var scale = loaded(200)
    scale.hold(560, for: .milliseconds(600), every: .milliseconds(16))
    scale.hold(200, for: .seconds(2), every: .milliseconds(24))
    #expect(scale.take().nets == [100])
  }

  @Test(arguments: [1.0, 3, 20])
  func aDripFiresNothing(_ gramsPerSecond: Double) {
    var scale = loaded(200)
    let seconds = min(60, 250 / gramsPerSecond)
    for step in 0..<Int(seconds * 125) {
      scale.hold(200 + 2 * gramsPerSecond * Double(step) / 125, for: .milliseconds(8))
    }
    scale.hold(200 + 2 * gramsPerSecond * seconds, for: .seconds(5))
    let effects = scale.take()
    #expect(effects.drafts.isEmpty && effects.tares.isEmpty)
    #expect(scale.reading.isStable)
  }

  /// Putting something down overshoots.
  @Test func anImpactIsNoPress() {
    var scale = loaded(200)
    for counts in [500.0, 620, 560, 420, 380] { scale.hold(counts, for: .milliseconds(24)) }
    scale.hold(400, for: .seconds(2))
    let effects = scale.take()
    #expect(effects.drafts.isEmpty)
    #expect(effects.settled.map(\.printable) == ["200 g"])
  }
}
