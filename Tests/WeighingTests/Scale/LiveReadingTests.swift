import Testing
import Weighing

/// The live reading: on change, not too often, the last value always, and a heartbeat.
@Suite struct LiveReadingTests {
  private func distances(_ readings: [Reading]) -> [Interval] {
    zip(readings.dropFirst(), readings).map { $0.time - $1.time }
  }

  @Test(arguments: [1, 10, 50])
  func neverMoreOftenThanConfigured(_ hertz: Int) {
    var settings = ScaleSettings()
    settings.publish.liveMaximum = SampleRate(Double(hertz))
    var scale = HandFedScale(settings)
    for step in 0..<330 { scale.hold(100 + 2 * Double(step), for: .milliseconds(8)) }
    let live = scale.take().live
    #expect(distances(live).allSatisfy { $0 >= settings.publish.liveInterval })
    #expect(live.count >= hertz * 2, "and not much more rarely: \(live.count)")
  }

  /// A new subscriber gets a reading within the interval, and no subscriber gets two.
  @Test func aRefreshKeepsToTheRateToo() {
    var settings = ScaleSettings()
    settings.publish.liveMaximum = SampleRate(10)
    var scale = HandFedScale(settings)
    scale.settle(300)
    scale.wait(.seconds(1))
    _ = scale.take()
    for pause in stride(from: 0, through: 260, by: 4) {
      scale.handle(.refresh)
      let asked = scale.now
      scale.wait(.milliseconds(pause))
      scale.handle(.refresh)
      scale.wait(.milliseconds(300))
      let live = scale.take().live
      #expect(distances(live).allSatisfy { $0 >= settings.publish.liveInterval }, "\(pause) ms")
      #expect(live.count == 2 && live[0].time == asked, "\(pause) ms")
      #expect(live.last.map { $0.time <= asked + max(.milliseconds(pause), settings.publish.liveInterval) } == true)
    }
  }

  /// Whatever happened last is published, even when it happened just after something else.
  @Test func theLastValueIsPublished() {
    for counts in stride(from: 20, through: 700, by: 20) {
      var scale = HandFedScale()
      scale.frame(300)
      scale.wait(.milliseconds(counts % 90))
      scale.frame(counts)
      scale.frame(counts)
      scale.wait(.seconds(2))
      let last = scale.take().live.last
      #expect(last?.net == scale.reading.net && last?.state == scale.reading.state)
      scale.frame(counts)
      scale.frame()
      scale.wait(.milliseconds(100))
      #expect(scale.take().live.last?.state == .empty)
    }
  }

  @Test(arguments: [500, 5000])
  func theHeartbeatIsExact(_ heartbeat: Int) {
    var settings = ScaleSettings()
    settings.publish.heartbeat = .milliseconds(heartbeat)
    var scale = HandFedScale(settings)
    scale.settle(300)
    scale.wait(.seconds(5))
    _ = scale.take()
    scale.wait(.seconds(60))
    let live = scale.take().live
    #expect(live.count == 60_000 / heartbeat)
    #expect(distances(live).allSatisfy { $0 == settings.publish.heartbeat })
  }

  @Test func aChangeOfStateAloneIsPublished() {
    var scale = HandFedScale()
    scale.frame(300)
    scale.wait(.seconds(1))
    #expect(scale.take().live.map(\.state) == [.empty, .settling, .stable])
    scale.ask(.tare)
    scale.wait(.milliseconds(100))
    #expect(scale.take().live.map(\.printable) == ["0 g"])
    scale.ask(.clearTare)
    scale.ask(.clearTare)
    scale.wait(.milliseconds(200))
    #expect(scale.take().live.map(\.tareEpoch) == [2])
  }

  /// Nothing else is due: the lane itself wakes the machine for what it held back.
  @Test func whatWasHeldBackIsPublishedAfterTheInterval() {
    var scale = HandFedScale()
    scale.settle(300)
    scale.wait(.seconds(23))
    scale.ask(.tare)
    _ = scale.take()
    scale.wait(.milliseconds(1))
    let held = scale.now
    scale.ask(.clearTare)
    #expect(scale.take().live.isEmpty)
    scale.wait(.seconds(1))
    #expect(scale.take().live.map(\.time) == [held + .milliseconds(99)])
  }

  @Test func fractionsUnderTheDivisionAreNotNews() {
    var scale = HandFedScale()
    scale.hold(300, for: .seconds(3))
    _ = scale.take()
    scale.hold(300.4, for: .seconds(4), noise: 1)
    // A flow that is suspected in the noise that sets in, and its end.
    let live = scale.take().live
    #expect(live.count <= 2)
    #expect(live.allSatisfy { $0.printable == "150 g" && ($0.flow ?? 0).magnitude < 0.15 })
  }
}
