import Testing
import Weighing

/// The topic `reading`: at most once a second, twice where the state changes, the final value always, and a heartbeat.
@Suite struct ReadingTopicTests {
  private func distances(_ readings: [Reading]) -> [Interval] {
    zip(readings.dropFirst(), readings).map { $0.time - $1.time }
  }

  @Test func aChangingLoadIsPublishedOnceASecond() {
    var scale = HandFedScale()
    scale.settle(100)
    scale.wait(.seconds(3))
    _ = scale.take()
    for step in 0..<1250 { scale.hold(100 + 0.5 * Double(step), for: .milliseconds(8)) }
    let readings = scale.take().readings
    #expect(readings.first?.state == .settling)
    #expect(distances(readings).allSatisfy { $0 >= .seconds(1) }, "10 s of pouring, all of it settling")
    #expect((10...11).contains(readings.count), "\(readings.count)")
  }

  @Test func aChangeOfStateIsPublishedAtOnce() {
    var scale = HandFedScale()
    scale.settle(300)
    scale.wait(.seconds(3))
    _ = scale.take()
    scale.wait(.milliseconds(700))
    scale.frame()
    let lifted = scale.now
    #expect(scale.take().readings.map(\.time) == [lifted])
    scale.wait(.milliseconds(100))
    scale.frame(300)
    scale.wait(.milliseconds(399))
    #expect(scale.take().readings.isEmpty, "at most twice a second")
    scale.wait(.milliseconds(1))
    #expect(scale.take().readings.map(\.time) == [lifted + .milliseconds(500)])
  }

  @Test func changesOfStateAreAtMostTwiceASecond() {
    var scale = HandFedScale()
    for _ in 0..<100 {
      scale.frame(300)
      scale.wait(.milliseconds(60))
      scale.frame()
      scale.wait(.milliseconds(70))
    }
    let readings = scale.take().readings
    #expect(distances(readings).allSatisfy { $0 >= .milliseconds(500) })
    #expect(readings.count >= 20, "\(readings.count) in 13 s")
  }

  /// Whatever happens last is published within a second.
  @Test(arguments: [0, 100, 250, 400, 499, 500, 501, 750, 999, 1000, 1001, 1200])
  func theFinalValueIsPublished(_ pause: Int) {
    var scale = HandFedScale()
    scale.settle(300)
    scale.wait(.milliseconds(pause))
    scale.ask(.tare)
    scale.wait(.seconds(1))
    #expect(scale.take().readings.last?.tareEpoch == 1)
    scale.ask(.clearTare)
    scale.wait(.milliseconds(pause))
    scale.frame()
    scale.wait(.milliseconds(500))
    let last = scale.take().readings.last
    #expect(last?.state == .empty && last?.tareEpoch == 2)
    #expect(scale.machine.isAtRest)
  }

  @Test(arguments: [(100, 1000), (500, 1000), (2000, 2000), (5000, 5000)])
  func theHeartbeatIsThatOfLiveWithinTheRate(_ heartbeat: Int, _ expected: Int) {
    var settings = ScaleSettings()
    settings.publish.heartbeat = .milliseconds(heartbeat)
    var scale = HandFedScale(settings)
    scale.settle(300)
    scale.wait(.seconds(10))
    _ = scale.take()
    scale.wait(.seconds(60))
    let readings = scale.take().readings
    #expect(readings.count == 60_000 / expected)
    #expect(distances(readings).allSatisfy { $0 == .milliseconds(expected) })
  }

  @Test func aRefreshKeepsToTheRate() {
    var scale = HandFedScale()
    scale.settle(300)
    scale.wait(.seconds(2))
    _ = scale.take()
    for _ in 0..<100 {
      scale.handle(.refresh)
      scale.wait(.milliseconds(50))
    }
    let readings = scale.take().readings
    #expect(readings.count == 11)
    #expect(distances(readings).allSatisfy { $0 == .milliseconds(500) })
  }
}
