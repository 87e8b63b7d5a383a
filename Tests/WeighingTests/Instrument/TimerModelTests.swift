import Recordings
import TestExtent
import Testing

@testable import Weighing

/// The timer as a person keeps it who watches the stream: the model knows when each pour really begins and ends.
///
/// The scale notices both some time later. Until then it shows what was before, and a command applies to that; from then
/// on it shows what the person shows.
private struct TimerModel {
  enum Run {
    case unused
    case stopped(Double)
    case running(since: Double, withPour: Bool)
  }

  /// What the scale has not noticed yet.
  enum Late {
    /// A pour has begun; the state of the timer before it, and the number of pours that it had followed.
    case begin(before: Run, pours: Int?)
    /// A pour has ended that began then.
    case end(since: Double)
  }

  private(set) var run = Run.unused
  private(set) var late: Late?
  /// The number of pours of the brew.
  private(set) var pours: Int?
  private var isArmed = false
  /// When the brew began that another pour continues. No pause of a handling is longer than the setting.
  private var brew: Double?

  mutating func tare() { (isArmed, brew) = (true, nil) }

  mutating func liftVessel() { brew = nil }

  mutating func beginPour(at time: Double) {
    defer { (isArmed, brew) = (false, nil) }
    guard isArmed || brew != nil else { return }
    if case .running = run { return }
    late = .begin(before: run, pours: pours)
    pours = brew == nil ? 1 : (pours ?? 0) + 1
    run = .running(since: brew ?? time, withPour: true)
  }

  mutating func endPour(at time: Double) {
    guard case .running(let since, true) = run else { return }
    run = .stopped(time - since)
    late = .end(since: since)
    brew = since
  }

  /// The scale has reported what was late.
  mutating func notice() { late = nil }

  mutating func perform(_ command: TimerCommand, at time: Double) {
    switch late {
    case .begin(let before, let earlier)?: (run, pours) = (before, earlier)
    case .end(let since)?: run = .running(since: since, withPour: false)
    case nil: break
    }
    (late, brew) = (nil, nil)
    switch (command, run) {
    case (.reset, _): (run, pours) = (.unused, nil)
    case (.stop, .running(let since, _)): run = .stopped(time - since)
    case (.stop, _): break
    case (.start, .unused): run = .running(since: time, withPour: false)
    case (.start, .stopped(let elapsed)): run = .running(since: time - elapsed, withPour: false)
    case (.start, .running(let since, _)): run = .running(since: since, withPour: false)
    }
  }

  /// The time that the scale shows.
  func shown(at time: Double) -> Double? {
    let visible: Run =
      switch late {
      case .begin(let before, _)?: before
      case .end(let since)?: .running(since: since, withPour: true)
      case nil: run
      }
    return switch visible {
    case .unused: nil
    case .stopped(let elapsed): elapsed
    case .running(let since, _): max(time - since, 0)
    }
  }
}

/// A cup on a load cell under a stream, with commands, next to the model.
private struct TimedHandling {
  var scale: CellScale
  var model = TimerModel()
  private var random: SplitMix64
  /// What lies on the plate.
  private var mass = 0.0
  private var flow = 0.0
  /// When the stream last began or ended; before that nothing is late.
  private var changed = -100.0
  /// What went wrong first, with the time.
  private(set) var failure: String?
  private var script = ""

  /// The scale may be late by this much. A pour has to last, a pause has to be over.
  private static let latest = 6.5
  /// How far the scale may date a start or an end wrong.
  private static let tolerance = 0.35
  /// So near to the start or the end of a stream, which of the two came first is not known.
  private static let margin = 0.6

  init(seed: UInt64) throws {
    random = SplitMix64(seed: seed)
    scale = try CellScale(rate: seed % 4 == 0 ? 20 : 11, division: 0.1, seed: seed) { $0.timer.timesPours = true }
    scale.noise = 0.03
  }

  private mutating func unit(_ range: ClosedRange<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * random.unit()
  }

  private mutating func chance(_ share: Double) -> Bool { random.unit() < share }

  // MARK: Steps

  private mutating func note(_ what: String) { script += " \((scale.time * 100).rounded() / 100):\(what)" }

  /// Lets time pass; the scale may give notice and has to show what the model shows.
  private mutating func run(for seconds: Double) {
    let end = scale.time + seconds
    while scale.time < end {
      scale.sample(mass)
      mass += flow / scale.rate
      check()
    }
  }

  /// Samples are missing.
  private mutating func lose(for seconds: Double) {
    note("gap \(seconds)")
    scale.wait(seconds)
    mass += flow * seconds
    check()
  }

  private mutating func check() {
    guard failure == nil else { return }
    for case .event(let event) in scale.take() {
      switch (event.kind, model.late) {
      case (.timerStarted, .begin?), (.timerStopped, .end?): model.notice()
      case (.timerStarted, _), (.timerStopped, _): failure = "unexpected \(event.kind)"
      default: break  // other events are not those of the timer
      }
    }
    if model.late != nil, scale.time > changed + Self.latest { failure = "not noticed" }
    let reading = scale.reading
    let (shown, expected) = (reading.timer?.seconds, model.shown(at: scale.seconds(reading.time)))
    switch (shown, expected) {
    case (nil, nil): break
    case (let shown?, let expected?) where (shown - expected).magnitude <= Self.tolerance: break
    default: failure = "\(String(describing: shown)), expected \(String(describing: expected))"
    }
    if model.late == nil, reading.pours != model.pours {
      failure = "\(String(describing: reading.pours)) pours, expected \(String(describing: model.pours))"
    }
    if let what = failure { failure = "\(scale.time) s: \(what);\(script)" }
  }

  private mutating func perform(_ command: TimerCommand) {
    check()
    note(command.rawValue)
    scale.ask(.timer, .timer(command))
    model.perform(command, at: scale.time)
    _ = scale.take()
    check()
  }

  private mutating func tare() {
    note("tare")
    // At rest it is answered at once; a given mass needs no rest.
    scale.ask(.tare, chance(0.5) ? .none : .tare(.mass(Grams(mass))))
    let isDone = scale.take().results.contains { $0.rejection == nil }
    if isDone { model.tare() } else { failure = "\(scale.time) s: no tare;\(script)" }
  }

  private mutating func setFlow(_ new: Double) {
    note("flow \(new)")
    // The stream changes at this sample.
    if new > 0 { model.beginPour(at: scale.time) } else { model.endPour(at: scale.time) }
    (flow, changed) = (new, scale.time)
  }

  /// Moves the load as a hand does.
  private mutating func move(to target: Double) {
    note("load \(target)")
    let (start, steps) = (mass, Int(unit(1...5)))
    for step in 1...steps {
      mass = start + (target - start) * Double(step) / Double(steps)
      run(for: 0.5 / scale.rate)
    }
  }

  // MARK: Handling

  /// Rests with or without commands.
  private mutating func rest(for seconds: Double, _ commands: [TimerCommand] = TimerCommand.allCases) {
    guard chance(0.4) else { return run(for: seconds) }
    let before = unit(Self.margin...(seconds - Self.margin))
    run(for: before)
    perform(commands[Int(random.next() % UInt64(commands.count))])
    run(for: seconds - before)
  }

  private mutating func pour() {
    setFlow(unit(0.7...6))
    let rate = flow
    // Before the start is noticed, a start could mean the pour or not.
    rest(for: unit(2.5...6), [.stop, .reset])
    if chance(0.3) {
      lose(for: unit(0.5...3))
      run(for: 3)
    }
    if scale.time > changed + Self.latest { rest(for: unit(2...5)) }
    if chance(0.2) {
      // A pause is no end.
      note("pause")
      flow = 0
      run(for: unit(0.3...1.8))
      flow = rate
      run(for: 3)
    }
    setFlow(0)
  }

  /// Puts a cup on, pours into it several times, and takes it off; returns what went wrong.
  mutating func perform() -> String? {
    run(for: 4)
    move(to: unit(20...200))
    for _ in 0..<3 where failure == nil {
      rest(for: unit(2...4))
      if chance(0.7) {
        run(for: 1)
        tare()
      }
      rest(for: unit(1.5...3))
      pour()
      if chance(0.3) {
        run(for: unit(Self.margin...2))
        model.liftVessel()
        move(to: 0)
        run(for: 7)
        move(to: unit(20...200))
        run(for: 3)
      } else {
        rest(for: unit(2...7))
        run(for: 5)
      }
    }
    return failure
  }
}

/// The timer next to its model, for random pours, tares, commands, gaps, pauses and cups.
@Suite struct TimerModelTests {
  @Test(arguments: Extent.of(0..<8)) func `the timer is the one of a person who sees the stream`(batch: Int) throws {
    var failures: [String] = []
    for seed in UInt64(batch) * 60..<UInt64(batch + 1) * 60 {
      var handling = try TimedHandling(seed: seed)
      if let failure = handling.perform() { failures.append("\(seed): \(failure)") }
    }
    #expect(failures.isEmpty, "\(failures.count): \(failures.prefix(5).joined(separator: "\n"))")
  }
}
