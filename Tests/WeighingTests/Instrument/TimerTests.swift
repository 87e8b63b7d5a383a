import Testing

@testable import Weighing

@Suite struct TimerTests {
  /// A cup on a load cell, tared.
  private func cup(auto: Bool, pause: Double = 60, seed: UInt64 = 1) throws -> CellScale {
    var scale = try CellScale(rate: 10, division: 0.1, seed: seed) {
      ($0.timer.timesPours, $0.timer.pause) = (auto, .seconds(pause))
    }
    scale.hold(0, for: 4)
    scale.hold(80, for: 6)
    scale.ask(.tare)
    scale.hold(80, for: 2)
    return scale
  }

  private func events(_ effects: [Effect]) -> [(kind: ScaleEvent.Kind, time: Instant)] {
    effects.compactMap {
      guard case .event(let event) = $0 else { return nil }
      switch event.kind {
      case .timerStarted, .timerStopped: return (event.kind, event.time)
      default: return nil
      }
    }
  }

  @Test(arguments: [1, 2, 5] as [Double])
  func `a pour after a tare starts and stops the timer, both back-dated`(flow: Double) throws {
    var scale = try cup(auto: true)
    _ = scale.take()
    let start = scale.time
    scale.pour(flow, from: 80, for: 20)
    #expect((((scale.reading.timer?.seconds ?? .nan) - 20)).magnitude < 0.3)
    scale.hold(80 + 20 * flow, for: 8)
    #expect((((scale.reading.timer?.seconds ?? .nan) - 20)).magnitude < 0.3)
    let events = events(scale.take())
    #expect(events.count == 2)
    guard case .timerStarted(let elapsed, 1, nil) = events.first?.kind,
      case .timerStopped(let total, 1, isAmended: false) = events.last?.kind
    else {
      Issue.record("\(events)")
      return
    }
    #expect((scale.seconds(events[0].time) - elapsed.seconds - start).magnitude < 0.3)
    #expect((total.seconds - 20).magnitude < 0.3)
  }

  @Test func `without a tare, without auto and after the only pour the timer stands still`() throws {
    var scale = try cup(auto: false)
    scale.pour(2, from: 80, for: 10)
    #expect(scale.reading.timer == nil)
    scale = try CellScale(rate: 10, division: 0.1) { $0.timer.timesPours = true }
    scale.hold(80, for: 8)
    scale.pour(2, from: 80, for: 10)
    #expect(scale.reading.timer == nil)
    scale = try cup(auto: true, pause: 0)
    scale.pour(2, from: 80, for: 10)
    scale.hold(100, for: 6)
    let time = scale.reading.timer
    scale.pour(2, from: 100, for: 10)
    #expect(time != nil && scale.reading.timer == time)
  }

  @Test func `a pause of two seconds and a tap do not end a pour`() throws {
    var scale = try cup(auto: true)
    scale.pour(2, from: 80, for: 8)
    scale.hold(96, for: 2)
    scale.pour(2, from: 96, for: 4)
    scale.hold(160, for: 0.2)
    scale.pour(2, from: 104, for: 6)
    scale.hold(116, for: 6)
    #expect(((scale.reading.timer?.seconds ?? .nan) - 20.2).magnitude < 0.6)
  }

  @Test func `a gap of three seconds does not end a pour`() throws {
    var scale = try cup(auto: true)
    scale.pour(2, from: 80, for: 8)
    scale.wait(3)
    scale.pour(2, from: 102, for: 6)
    #expect(((scale.reading.flow ?? .nan) - 2).magnitude < 0.2)
    scale.hold(114, for: 6)
    #expect(((scale.reading.timer?.seconds ?? .nan) - 17).magnitude < 0.6)
  }

  @Test func `lifting the cup off a bare pad ends the pour`() {
    var settings = ScaleSettings()
    settings.timer.timesPours = true
    var scale = HandFedScale(settings)
    scale.hold(200, for: .seconds(6))
    scale.ask(.tare)
    scale.hold(200, for: .seconds(2))
    for step in 0..<100 { scale.hold(200 + Double(step), for: .milliseconds(96)) }
    scale.frame()
    scale.wait(.seconds(2))
    #expect(((scale.reading.timer?.seconds ?? .nan) - 9.6).magnitude < 0.8)
    scale.frame(60)
    #expect(scale.reading.flow == nil, "a load put on is no flow")
  }

  @Test func `a pour does not take over the timer that a user has started`() throws {
    for command in [TimerCommand.stop, .reset] {
      var scale = try cup(auto: true)
      scale.ask(.timer, .timer(.start))
      scale.pour(2, from: 80, for: 10)
      scale.hold(100, for: 6)
      scale.ask(.timer, .timer(command))
      let time = scale.reading.timer
      #expect((time == nil) == (command == .reset))
      scale.hold(100, for: 2)
      #expect(scale.reading.timer == time)
    }
  }

  @Test func `a tare before the end of a pour is certain counts for the next one`() throws {
    var scale = try cup(auto: true)
    scale.pour(2, from: 80, for: 10)
    scale.hold(100, for: 1.5)
    scale.ask(.tare)
    scale.hold(100, for: 8)
    #expect(((scale.reading.timer?.seconds ?? .nan) - 10).magnitude < 0.6)
    scale.pour(2, from: 100, for: 15)
    #expect(((scale.reading.timer?.seconds ?? .nan) - 15).magnitude < 0.6)
  }

  @Test func `commands start, stop, continue and reset the timer`() throws {
    var scale = try cup(auto: true)
    _ = scale.take()
    scale.ask(.timer, .timer(.start))
    #expect(scale.reading.timer == .zero)
    scale.wait(1.5)
    scale.ask(.timer, .timer(.start))
    scale.ask(.timer, .timer(.stop))
    scale.wait(5)
    #expect(isClose(scale.reading.timer, 1.5))
    scale.ask(.timer, .timer(.start))
    scale.wait(2)
    scale.ask(.timer, .timer(.stop))
    #expect(isClose(scale.reading.timer, 3.5))
    scale.ask(.timer, .timer(.reset))
    #expect(scale.reading.timer == nil)
    let kinds = events(scale.take()).map(\.kind)
    #expect(kinds.count == 4)
    for (kind, time) in zip(kinds, [0, 1.5, 1.5, 3.5]) {
      switch kind {
      case .timerStarted(let elapsed, nil, nil), .timerStopped(let elapsed, nil, isAmended: false):
        #expect(isClose(elapsed, time))
      default: Issue.record("\(kind)")
      }
    }
  }

  /// The times of the scale are multiples of a nanosecond.
  private func isClose(_ timer: Interval?, _ seconds: Double) -> Bool {
    ((timer?.seconds ?? .nan) - seconds).magnitude < 1e-6
  }

  @Test func `commands do not wait for the load that an earlier tare waits for`() throws {
    var scale = try cup(auto: false)
    scale.pour(8, from: 80, for: 1)
    _ = scale.take()
    scale.ask(.tare)
    scale.ask(.timer, .timer(.start))
    #expect(scale.reading.timer == .zero)
    let start = scale.time
    scale.pour(8, from: 88, for: 1)
    scale.ask(.timer, .timer(.stop))
    #expect(isClose(scale.reading.timer, scale.time - start))
    #expect(scale.take().results.map(\.request.name) == ["timer", "timer"])
    scale.hold(96, for: 2)
    #expect(scale.take().results.map(\.request.name) == ["tare"])
  }

  @Test(arguments: [TimerCommand.stop, .reset], [0.4, 1, 2, 4])
  func `a user who stops the timer means the pour that has begun, even before it is noticed`(
    command: TimerCommand, delay: Double
  ) throws {
    var scale = try cup(auto: true)
    // The scale notices a slow pour under much noise late.
    (scale.noise, scale.rate) = (0.1, 10)
    scale.pour(0.7, from: 80, for: delay)
    scale.ask(.timer, .timer(command))
    let time = scale.reading.timer
    scale.pour(0.7, from: 80 + 0.7 * delay, for: 12)
    #expect(scale.machine.meter.pour.count == 1 && scale.reading.timer == time)
    scale.hold(80 + 0.7 * (12 + delay), for: 8)
    #expect(scale.reading.timer == time)
    // The next tare counts again.
    scale.ask(.tare)
    scale.pour(2, from: 80 + 0.7 * (12 + delay), for: 6)
    #expect(((scale.reading.timer?.seconds ?? .nan) - 6).magnitude < 0.3)
  }

  @Test func `a running timer is published once a second`() throws {
    var scale = try cup(auto: false)
    scale.wait(10)
    scale.ask(.timer, .timer(.start))
    _ = scale.take()
    scale.wait(4.5)
    let times = scale.take().compactMap { effect in
      if case .live(let reading) = effect { reading.timer?.seconds } else { nil }
    }
    #expect(times.map { ($0 * 1e6).rounded() / 1e6 } == [1, 2, 3, 4])
  }

  @Test func `a thousand random handlings start no pour`() throws {
    var starts = 0
    for seed in 0..<100 as Range<UInt64> {
      var handling = RandomHandling(seed: seed)
      var scale = try CellScale(rate: seed % 3 == 0 ? 80 : 10, division: 0.1, seed: seed)
      scale.noise = seed % 2 == 0 ? 0.03 : 0.1
      scale.hold(0, for: 4)
      for _ in 0..<10 { handling.handle(&scale) }
      starts += scale.machine.meter.pour.count
    }
    #expect(starts == 0)
  }
}
