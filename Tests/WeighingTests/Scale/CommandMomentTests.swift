import Foundation
import Recordings
import TestExtent
import Testing
import Weighing

/// Commands at random moments around loads that are put on and lifted: what is recorded lies there then.
@Suite struct CommandMomentTests {
  /// At full extent a thousand moments for each action on each kind of pad.
  @Test(arguments: Extent.isFull ? 0..<40 : 0..<1, Action.onLoads)
  func whatIsRecordedLiesThere(_ batch: Int, _ action: Action) throws {
    var (performed, rejected) = (0, 0)
    for index in 0..<50 {
      let seed = UInt64(batch * 50 + index)
      var moment = try CommandMoment(action, seed: seed)
      try moment.run()
      #expect(moment.faults.isEmpty, "seed \(seed), \(moment): \(moment.faults)")
      #expect(moment.performed + moment.rejected == 1, "seed \(seed), \(moment)")
      performed += moment.performed
      rejected += moment.rejected
    }
    #expect(performed > 20 && (rejected > 2 || action == .zero), "\(performed), \(rejected)")
  }
}

extension Action {
  /// The actions that record the load on the pad.
  fileprivate static let onLoads: [Action] = [.commit, .tare, .count, .container, .zero]

  fileprivate var arguments: ActionArguments {
    switch self {
    case .count: .count(.sample(pieces: 10, spread: 0))
    case .container: ContainerName("jug").map { .container(.store($0)) } ?? .none
    case .tare, .clearTare, .zero, .commit, .void, .relabel, .timer, .target, .dose: .none
    }
  }
}

/// A load that is put on a pad and lifted or changed again, and a command in between.
private struct CommandMoment: CustomStringConvertible {
  private enum Pad {
    case converter(CellScale)
    case contacts(HandFedScale)
  }

  private var pad: Pad
  private let action: Action
  private let rate: Double
  private let noise: Double
  /// The load in grams from each moment on, in seconds; it changes evenly over the time given.
  private let changes: [(start: Double, length: Double, load: Double)]
  private let asked: Double
  private var random: SplitMix64
  /// Seconds since the load was put on.
  private var time = 0.0
  /// The load of the newest sample.
  private var newest = 0.0
  private var shown: Int?
  private(set) var faults: [String] = []
  private(set) var performed = 0
  private(set) var rejected = 0

  /// A moment before a sample, in seconds.
  private static let before = 1e-6

  var description: String { "\(action) at \(asked), \(rate)/s, \(noise) g, \(changes)" }

  init(_ action: Action, seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    func among(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }
    self.action = action
    rate = 5 * exp2(6 * random.unit())
    noise = random.next() % 4 == 0 ? 0 : 0.05 * exp2(3.3 * random.unit())
    let lift = among(0.3...3 + 20 / rate)
    func length() -> Double { random.next() % 2 == 0 ? 0 : Double.random(in: 0.05...0.5, using: &random) }
    changes = [
      (0, length(), among(20...300)), (lift, length(), random.next() % 2 == 0 ? 0 : among(20...300)),
    ]
    asked = among(-0.2...lift + 1.5)
    if seed % 2 == 0 {
      var cell = try CellScale.faulty(true, rate: rate, noise: max(noise, 0.05), seed: seed)
      cell.jitter = 0
      pad = .converter(cell)
    } else {
      var settings = ScaleSettings()
      settings.stability.motion = Grams(max(1, 4 * noise))
      pad = .contacts(HandFedScale(settings))
    }
    self.random = random
  }

  mutating func run() throws {
    for _ in 0..<Int(max(6 * rate, 80)) { sample(0) }
    _ = take()
    time = -0.5
    var isAsked = false
    while time < (changes.last?.start ?? 0) + 1.5 + max(5, 60 / rate) {
      if !isAsked, asked < time + 1 / rate {
        isAsked = true
        sample(load(at: time), asking: max(asked - time, 0))
      } else {
        sample(load(at: time))
      }
    }
  }

  private func load(at time: Double) -> Double {
    changes.reduce(0) { before, change in
      guard time >= change.start else { return before }
      let part = change.length == 0 ? 1 : min((time - change.start) / change.length, 1)
      return before + (change.load - before) * part
    }
  }

  /// One sample, and the time to the next, with the command in it.
  private mutating func sample(_ grams: Double, asking: Double? = nil) {
    newest = grams
    let request = ScaleMachine.Input.request(
      ActionRequest(action: action, parameters: action.arguments, source: .mqtt))
    switch pad {
    case .converter(var cell):
      cell.sample(grams)
      if let asking {
        let rest = max(1 / rate - asking, Self.before)
        cell.wait(-rest)
        cell.handle(request)
        cell.wait(rest)
      }
      // Up to, but not including, the moment of the next sample.
      cell.wait(-Self.before)
      cell.wait(Self.before)
      pad = .converter(cell)
    case .contacts(var scale):
      let counts = grams > 0 ? max(Int((2 * (grams + noise * random.gaussian())).rounded()), 1) : 0
      if counts != shown { if counts > 0 { scale.frame(counts) } else { scale.frame() } }
      shown = counts
      scale.wait(.seconds(asking ?? 1 / rate))
      if let asking {
        scale.handle(request)
        scale.wait(.seconds(max(1 / rate - asking, 0)))
      }
      pad = .contacts(scale)
    }
    time += 1 / rate
    for effect in take() { judge(effect) }
  }

  private mutating func take() -> [Effect] {
    switch pad {
    case .converter(var cell):
      defer { pad = .converter(cell) }
      return cell.take()
    case .contacts(var scale):
      defer { pad = .contacts(scale) }
      return scale.take()
    }
  }

  private mutating func judge(_ effect: Effect) {
    switch effect {
    case .record(let draft):
      guard case .weighing(let measurement) = draft.kind else { return }
      performed += 1
      judge(measurement.gross.mass.value, measurement.uncertainty)
    case .event(let event):
      switch event.kind {
      case .tared(let mass, _): judge(mass.mass.value, nil)
      case .zeroed(let mass) where action == .zero: judge(mass.mass.value, nil)
      default: break
      }
    case .containerChange(_, let mass, _): judge(mass?.value ?? 0, nil)
    case .result(let result):
      if result.rejection == nil { performed += 1 } else { rejected += 1 }
      if action == .count, result.rejection == nil { judge(10 * (pieceMass(result.reading) ?? 0), nil) }
    case .live, .reading, .settled, .contacts, .gesture, .control, .feedback, .weighing, .lastWeighing, .actions,
      .memory, .padWarning, .sampling, .containers, .pendingLabel, .output, .learnedStops, .learnedStopChange:
      break
    }
  }

  private func pieceMass(_ reading: Reading) -> Double? { reading.instruments?.count?.pieceMass.value }

  /// A mass that was taken as that of the load: two divisions and the noise of a sample, at least that of the steps of half a
  /// gram, are no other load.
  private mutating func judge(_ mass: Double, _ uncertainty: Grams?) {
    let limit = 2.25 + 6 * max(noise, 0.15) + 5 * (uncertainty?.value ?? 0)
    if (mass - newest).magnitude > limit { faults.append("\(mass) g, and \(newest) g then, at \(time) s") }
  }
}
