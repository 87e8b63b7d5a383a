import Recordings
import TestExtent
import Testing

@testable import Weighing

/// A vessel on a load cell into which water is poured, several times for one brew.
private struct Kettle {
  enum Step: Sendable {
    /// Pours 5 g/s for some seconds.
    case pour(Double)
    case rest(Double)
    /// Changes the load by a hand: what is on the cell afterwards, in grams, and for how many seconds.
    case put(Double, for: Double)
    /// Lifts the vessel for some seconds and puts it back with what is in it.
    case lift(Double)
    case tare
    case zero
    case timer(TimerCommand)
    case replug
    /// Another pad is there, and the first one was not reported as lost.
    case replace
    case settings(auto: Bool)
  }

  var scale: CellScale
  var flow = 5.0
  private var mass = 150.0

  init(pause: Double, seed: UInt64 = 1, noise: Double = 0.05) throws {
    scale = try CellScale(rate: 10, division: 0.1, seed: seed) {
      $0.scale.capacity = Grams(2000)
      ($0.timer.timesPours, $0.timer.pause) = (true, .seconds(pause))
    }
    scale.noise = noise
    scale.hold(0, for: 4)
    perform([.put(mass, for: 6), .tare, .rest(2)])
  }

  mutating func perform(_ steps: [Step]) {
    for step in steps {
      switch step {
      case .pour(let seconds):
        scale.pour(flow, from: mass, for: seconds)
        mass += flow * seconds
      case .rest(let seconds): scale.hold(mass, for: seconds)
      case .put(let grams, let seconds):
        mass = grams
        scale.hold(mass, for: seconds)
      case .lift(let seconds): scale.hold(0, for: seconds)
      case .tare: scale.ask(.tare)
      case .zero: scale.ask(.zero)
      case .timer(let command): scale.ask(.timer, .timer(command))
      case .replug: scale.replug()
      case .replace: scale.handle(.padFound(.otherCell))
      case .settings(let auto):
        var settings = scale.machine.settings
        settings.timer.timesPours = auto
        scale.handle(.settings(settings))
      }
    }
  }

  /// The starts and stops of the timer since the last look, with their moments in seconds since the start of the scale.
  mutating func timed() -> [(kind: ScaleEvent.Kind, time: Double)] {
    scale.take().compactMap { effect in
      guard case .event(let event) = effect else { return nil }
      switch event.kind {
      case .timerStarted, .timerStopped: return (event.kind, scale.seconds(event.time))
      default: return nil
      }
    }
  }
}

@Suite struct BrewTests {
  struct Brew: Sendable, CustomTestStringConvertible {
    var testDescription: String
    fileprivate var pause: Double
    fileprivate var steps: [Kettle.Step]
    /// The time on the timer in the end and the number of pours; `nil` while it is not in use.
    var time: Double?
    var pours: Int?
    /// Whether each stop replaces an earlier one.
    var stops: [Bool]

    fileprivate init(
      _ description: String, pause: Double = 60, _ steps: [Kettle.Step], _ time: Double?, pours: Int?, stops: [Bool]
    ) {
      (testDescription, self.pause, self.steps) = (description, pause, steps)
      (self.time, self.pours, self.stops) = (time, pours, stops)
    }
  }

  static let brews = [
    Brew("one pour", [.pour(10), .rest(20)], 10, pours: 1, stops: [false]),
    Brew("two pours", [.pour(10), .rest(20), .pour(10), .rest(8)], 40, pours: 2, stops: [false, true]),
    Brew(
      "three pours", [.pour(10), .rest(30), .pour(25), .rest(25), .pour(20), .rest(8)], 110, pours: 3,
      stops: [false, true, true]),
    Brew(
      "a short pause is part of the pour", [.pour(8), .rest(1.5), .pour(8), .rest(8)], 17.5, pours: 1, stops: [false]),
    Brew(
      "a pause as long as it may be", pause: 20, [.pour(10), .rest(19), .pour(10), .rest(8)], 39, pours: 2,
      stops: [false, true]),
    Brew(
      "a longer pause", pause: 20, [.pour(10), .rest(21), .pour(10), .rest(5), .pour(10), .rest(8)], 10, pours: 1,
      stops: [false]),
    Brew("no pause", pause: 0, [.pour(10), .rest(10), .pour(10), .rest(8)], 10, pours: 1, stops: [false]),
    Brew(
      "the vessel lifted in the pause", [.pour(10), .rest(10), .lift(4), .rest(6), .pour(10), .rest(8)], 10, pours: 1,
      stops: [false]),
    Brew(
      "the vessel lifted before the end is noticed", [.pour(10), .rest(1), .lift(5), .rest(6), .pour(10), .rest(8)], 10,
      pours: 1, stops: [false]),
    Brew(
      "another vessel on the same stand",
      [.pour(10), .rest(10), .put(120, for: 4), .put(160, for: 6), .pour(10), .rest(8)], 10, pours: 1, stops: [false]),
    Brew(
      "the dripper taken off for a moment",
      [.pour(10), .rest(10), .put(20, for: 0.2), .put(200, for: 6), .pour(10), .rest(8)], 36.2, pours: 2,
      stops: [false, true]),
    Brew(
      "more in the vessel", [.pour(10), .rest(10), .put(240, for: 6), .pour(10), .rest(8)], 36, pours: 2,
      stops: [false, true]),
    Brew(
      "a tare in the pause", [.pour(10), .rest(10), .tare, .rest(4), .pour(15), .rest(8)], 15, pours: 1,
      stops: [false, false]),
    Brew(
      "a tare before the end is noticed", [.pour(10), .rest(1.5), .tare, .rest(8), .pour(15), .rest(8)], 15, pours: 1,
      stops: [false, false]),
    Brew(
      "a zero in the pause", [.pour(10), .rest(10), .zero, .rest(6), .pour(10), .rest(8)], 10, pours: 1, stops: [false]),
    Brew(
      "a stop in the pause", [.pour(10), .rest(10), .timer(.stop), .rest(4), .pour(10), .rest(8)], 10, pours: 1,
      stops: [false]),
    Brew(
      "a reset in the pause", [.pour(10), .rest(10), .timer(.reset), .rest(4), .pour(10), .rest(8)], nil, pours: nil,
      stops: [false]),
    Brew(
      "a start in the pause", [.pour(10), .rest(10), .timer(.start), .rest(4), .pour(10), .rest(8)], 32, pours: 1,
      stops: [false]),
    Brew(
      "a stop in the second pour", [.pour(10), .rest(10), .pour(10), .timer(.stop), .pour(5), .rest(8)], 30, pours: 2,
      stops: [false, true]),
    Brew(
      "the pad lost in the pause", [.pour(10), .rest(10), .replug, .rest(10), .pour(10), .rest(8)], 10, pours: 1,
      stops: [false]),
    Brew(
      "the pad lost in the pour", [.pour(10), .replug, .rest(10), .pour(10), .rest(8)], 10, pours: 1, stops: [false]),
    Brew(
      "another pad in the pause", [.pour(10), .rest(10), .replace, .rest(10), .pour(10), .rest(8)], 10, pours: 1,
      stops: [false]),
    Brew(
      "another pad in the pour", [.pour(10), .replace, .rest(10), .pour(10), .rest(8)], 10, pours: 1, stops: [false]),
    Brew(
      "turned off in the pause", [.pour(10), .rest(10), .settings(auto: false), .rest(4), .pour(10), .rest(8)], 10,
      pours: 1, stops: [false]),
    Brew(
      "another brew", [.pour(10), .rest(10), .pour(10), .rest(8), .tare, .rest(2), .pour(12), .rest(8)], 12, pours: 1,
      stops: [false, true, false]),
  ]

  @Test(arguments: brews) func `a brew covers its pours`(_ brew: Brew) throws {
    var kettle = try Kettle(pause: brew.pause)
    kettle.perform(brew.steps)
    let reading = kettle.scale.reading
    #expect(reading.pours == brew.pours)
    switch (reading.timer?.seconds, brew.time) {
    case (nil, nil): break
    case (let shown?, let expected?): #expect((shown - expected).magnitude < 0.5, "\(shown) s instead of \(expected) s")
    default: Issue.record("\(String(describing: reading.timer)) instead of \(String(describing: brew.time))")
    }
    let stops = kettle.timed().compactMap { event -> Bool? in
      if case .timerStopped(_, _, let isAmended) = event.kind { isAmended } else { nil }
    }
    #expect(stops == brew.stops)
  }

  /// The pour that continues a brew reports the pause before it, and the time since the start of the brew.
  @Test func `each start and stop has the number of pours`() throws {
    var kettle = try Kettle(pause: 60)
    _ = kettle.timed()
    let begin = kettle.scale.time
    kettle.perform([.pour(10), .rest(20), .pour(10), .rest(8)])
    let events = kettle.timed()
    #expect(events.count == 4)
    for (event, expected) in zip(
      events, [(1, nil, nil), (1, nil, 10), (2, 20, nil), (2, nil, 40)] as [(Int, Double?, Double?)])
    {
      switch event.kind {
      case .timerStarted(let elapsed, let pours, let pause):
        #expect(pours == expected.0)
        #expect((event.time - elapsed.seconds - begin).magnitude < 0.3)
        #expect((pause == nil) == (expected.1 == nil))
        #expect(((pause?.seconds ?? 0) - (expected.1 ?? 0)).magnitude < 0.5)
      case .timerStopped(let elapsed, let pours, _):
        #expect(pours == expected.0)
        #expect((elapsed.seconds - (expected.2 ?? .nan)).magnitude < 0.5)
      default: Issue.record("\(event.kind)")
      }
    }
  }

  @Test func `a run without pours has none`() throws {
    var kettle = try Kettle(pause: 60)
    kettle.perform([.timer(.start), .rest(4), .timer(.stop)])
    #expect(kettle.scale.reading.timer != nil && kettle.scale.reading.pours == nil)
  }

  /// Random brews: the timer has the truth's start, end and number of pours.
  @Test(arguments: Extent.of(0..<8)) func `the brew is that of the kettle`(batch: Int) throws {
    var failures: [String] = []
    for seed in UInt64(batch) * 20..<UInt64(batch + 1) * 20 {
      var random = SplitMix64(seed: seed)
      func unit(_ range: ClosedRange<Double>) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * random.unit()
      }
      var kettle = try Kettle(pause: 60, seed: seed, noise: unit(0.03...0.08))
      kettle.flow = unit(2...6)
      _ = kettle.timed()
      let (begin, pours) = (kettle.scale.time, Int(unit(1...5.99)))
      for number in 1...pours {
        kettle.perform([.pour(unit(4...15))])
        if number < pours { kettle.perform([.rest(unit(6...50))]) }
      }
      let end = kettle.scale.time
      // After the pause a pour is not part of it.
      kettle.perform([.rest(70), .pour(6), .rest(8)])
      let (reading, events) = (kettle.scale.reading, kettle.timed())
      var started: Double?
      if case .timerStarted(let elapsed, _, _)? = events.first?.kind { started = events[0].time - elapsed.seconds }
      let stops = events.count { if case .timerStopped = $0.kind { true } else { false } }
      let isRight =
        ((started ?? .nan) - begin).magnitude < 0.4
        && ((reading.timer?.seconds ?? .nan) - (end - begin)).magnitude < 0.6 && reading.pours == pours
        && stops == pours
      if !isRight {
        let shown = (started, reading.timer?.seconds, reading.pours, stops)
        failures.append("\(seed): \(shown), expected \((begin, end - begin, pours))")
      }
    }
    #expect(failures.isEmpty, "\(failures.count): \(failures.prefix(5).joined(separator: "\n"))")
  }
}
