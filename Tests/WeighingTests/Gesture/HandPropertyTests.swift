import Recordings
import TestExtent
import Testing
import Weighing

/// Thousands of random touches in the history, on controls and in the strips of actions, next to a load.
@Suite struct HandPropertyTests {
  private static let perBatch = 200

  /// What a finger in the history and on a control does, and that it does nothing else.
  @Test(arguments: Extent.of(0..<20))
  func everyRecallHasItsSlideAndEveryControlItsEnd(_ batch: Int) {
    var faults: [String] = []
    var seen = Course.Counts()
    for index in 0..<Self.perBatch {
      let seed = UInt64(batch * Self.perBatch + index)
      var course = Course(seed: seed)
      course.run()
      faults += course.faults.map { "seed \(seed): \($0)" }
      seen.add(course.counts)
    }
    #expect(faults.isEmpty, "\(faults.count), first \(faults.prefix(3))")
    // The sequences are worth something only where everything happens.
    #expect(
      seen.recalls > 20 && seen.previews > 100 && seen.ended > 100 && seen.cancelled > 40 && seen.actions > 0, "\(seen)"
    )
  }

  /// What is published of a load.
  private struct Published: Equatable {
    var topic: String
    var state: Reading.State
    var net: DisplayedMass?
    var gross: DisplayedMass
    var isStable: Bool
    var raw: RawForce
  }

  /// The readings with fingers in the history and on controls are those without. A finger has deadlines of its own, so that
  /// a load may be seen at rest some microseconds earlier.
  @Test(arguments: Extent.of(0..<10))
  func theWeightIsUndisturbed(_ batch: Int) {
    for index in 0..<50 {
      let steps = RandomHands(seed: UInt64(batch * 50 + index), hasActions: false).steps
      func readings(withFingers: Bool) -> [(published: Published, time: Instant)] {
        var scale = HandFedScale(.hands)
        scale.handle(.history(.numbered(1...12)))
        for step in steps {
          scale.wait(step.after)
          // A gap is one of the whole pad.
          scale.frame((step.load.map { [$0] } ?? []) + (withFingers ? step.fingers : []), gap: step.followsGap)
        }
        scale.wait(.seconds(10))
        return scale.take().compactMap { effect in
          func published(_ topic: String, _ reading: Reading) -> (Published, Instant) {
            (
              Published(
                topic: topic, state: reading.state, net: reading.net, gross: reading.gross, isStable: reading.isStable,
                raw: reading.raw), reading.time
            )
          }
          return switch effect {
          case .live(let reading): published("live", reading)
          case .reading(let reading): published("reading", reading)
          case .settled(let reading): published("stable", reading)
          case .contacts, .event, .gesture, .control, .feedback, .weighing, .lastWeighing, .actions, .padWarning,
            .sampling, .containers, .containerChange, .pendingLabel, .output, .learnedStops, .learnedStopChange,
            .result, .record, .memory:
            nil
          }
        }
      }
      let (with, without) = (readings(withFingers: true), readings(withFingers: false))
      #expect(with.map(\.published) == without.map(\.published), "\(batch * 50 + index)")
      #expect(
        zip(with, without).allSatisfy { ($0.time - $1.time).seconds.magnitude <= 0.005 }, "\(batch * 50 + index)")
    }
  }
}

/// Fingers and loads at random: mostly touches that go well, with something in between that spoils them.
struct RandomHands {
  struct Step {
    var after: Interval
    var load: Contact?
    var fingers: [Contact]
    var followsGap = false
  }

  private(set) var steps: [Step] = []
  private var random: SplitMix64
  private var load: Contact?
  private var fingers: [Contact] = []
  private var serial: UInt64 = 0
  private let hasActions: Bool

  init(seed: UInt64, hasActions: Bool) {
    random = SplitMix64(seed: seed)
    self.hasActions = hasActions
    for _ in 0..<(3 + random.next() % 4) {
      if chance(2) { changeLoad() }
      show(after: .milliseconds(8 + Int(random.next() % 600)))
      touch()
    }
    fingers.removeAll()
    show(after: .milliseconds(8))
  }

  private mutating func chance(_ oneIn: UInt64) -> Bool { random.next() % oneIn == 0 }

  private mutating func show(after: Interval, gap: Bool = false) {
    steps.append(Step(after: after, load: load, fingers: fingers, followsGap: gap))
  }

  private mutating func changeLoad() {
    serial += 1
    load = chance(4) ? nil : .load(Int(2 + random.next() % 600), serial: serial)
  }

  /// A touch that begins in a zone: the history, one of two controls, or the strip of an action.
  private mutating func touch() {
    serial += 1
    let places: [(x: Double, y: Double)] = [(0.05, 0.8), (0.05, 0.6), (0.9, 0.2), (0.95, 0.7), (0.5, 0.95)]
    let start = places[Int(random.next() % (hasActions ? 5 : 4))]
    var (x, height, force) = (start.x, start.y, random.unit())
    let own = serial
    for _ in 0..<(1 + random.next() % 12) {
      if chance(2) { force = chance(8) ? 3 : chance(6) ? 0 : random.unit() }
      if chance(3) { height = chance(4) ? start.y : max(start.y - random.unit() * 0.6, 0) }
      if chance(30) { x = random.unit() }
      let finger = Contact.finger(force, at: height, x: x, serial: own, from: start.y, fromX: start.x)
      if let index = fingers.firstIndex(where: { $0.serial == own }) {
        fingers[index] = finger
      } else {
        fingers.append(finger)
      }
      if chance(25) {
        serial += 1
        let other = places[Int(random.next() % (hasActions ? 5 : 4))]
        fingers.append(.finger(random.unit(), at: other.y, x: other.x, serial: serial, from: other.y))
      }
      if chance(25) { changeLoad() }
      show(after: .milliseconds(chance(4) ? Int(random.next() % 400) : 8), gap: chance(50))
    }
    guard !chance(15) else { return }
    if !chance(4) { show(after: .milliseconds(120)) }
    fingers.removeAll { $0.serial == own || random.next() % 3 != 0 }
    show(after: .milliseconds(8), gap: chance(60))
  }
}

extension HandPropertyTests {
  /// One sequence, and what must hold for each of its touches.
  struct Course {
    struct Counts {
      var recalls = 0, previews = 0, ended = 0, cancelled = 0, actions = 0

      mutating func add(_ other: Counts) {
        recalls += other.recalls
        previews += other.previews
        ended += other.ended
        cancelled += other.cancelled
        actions += other.actions
      }
    }

    private(set) var counts = Counts()
    private(set) var faults: [String] = []
    private var scale = HandFedScale(.hands)
    private let steps: [RandomHands.Step]
    /// The control in use according to its reports, and the last report.
    private var control: ControlReport?
    /// The gesture reported last.
    private var gesture: GestureReport?
    /// Whether the action of the press reported last has fired.
    private var confirmed = 0

    init(seed: UInt64) {
      steps = RandomHands(seed: seed, hasActions: true).steps
      scale.handle(.history(.numbered(1...12)))
      judge(scale.take(), [])
    }

    mutating func run() {
      var before: [Contact] = []
      for step in steps {
        // Deadlines between two frames concern the fingers of the first.
        scale.wait(step.after)
        judge(scale.take(), before)
        scale.frame((step.load.map { [$0] } ?? []) + step.fingers, gap: step.followsGap)
        judge(scale.take(), step.fingers.isEmpty ? before : step.fingers)
        before = step.fingers
      }
      scale.wait(.seconds(20))
      judge(scale.take(), before)
      scale.handle(.shutdown)
      judge(scale.take(), before)
      if let control { faults.append("\(control.name) never ended") }
    }

    private mutating func judge(_ effects: [Effect], _ fingers: [Contact]) {
      for effect in effects {
        switch effect {
        case .control(let report): judge(report)
        case .gesture(let report):
          if report.state == .confirmed, gesture?.state != .confirmed { confirmed += 1 }
          if report.action == "history" { judge(report) }
          gesture = report
        case .event(let event):
          if case .recalled(let weighing) = event.kind { judge(weighing, fingers) }
        case .record, .result:
          counts.actions += 1
          confirmed -= 1
          if confirmed < 0 { faults.append("an action without a confirmed press") }
        case .live, .reading, .settled, .contacts, .feedback, .weighing, .lastWeighing, .actions, .memory, .padWarning,
          .sampling, .containers, .containerChange, .pendingLabel, .output, .learnedStops, .learnedStopChange:
          break
        }
      }
    }

    private mutating func judge(_ report: ControlReport) {
      if !(0...1).contains(report.value) { faults.append("\(report)") }
      switch report.state {
      case .began:
        if control != nil { faults.append("\(report.name) began before another one ended") }
        control = report
      case .changed:
        if let last = control {
          if report.time - last.time < .milliseconds(100) { faults.append("\(report) too soon after \(last)") }
        } else {
          faults.append("\(report) without a beginning")
        }
        control = report
      case .ended, .cancelled:
        if control?.name != report.name { faults.append("\(report) without a beginning") }
        control = nil
        if report.state == .ended { counts.ended += 1 } else { counts.cancelled += 1 }
      }
    }

    private mutating func judge(_ report: GestureReport) {
      guard let weighing = report.preview?.weighing else { return }
      counts.previews += 1
      // A popped weighing remains until the finger is lifted. Counts are whole, and falling force is late by a quarter step.
      if report.state == .confirmed { return }
      let steps = (report.intention - 0.25) / 0.5 * 9
      let back = 12 - weighing.sequence
      if report.intention < 0.25 || Double(back) > steps + 0.251 || Double(back) < min(steps, 9) - 1.001 {
        faults.append("weighing \(weighing.sequence) at \(report.intention)")
      }
    }

    private mutating func judge(_ weighing: RecordedWeighing, _ fingers: [Contact]) {
      counts.recalls += 1
      if gesture?.action == "history", gesture?.state == .confirmed { faults.append("recalled twice") }
      guard fingers.count == 1, let finger = fingers.first, let origin = finger.origin, let position = finger.position,
        origin.x <= 0.15, origin.y - position.y >= 0.25 - 1e-9, finger.raw.counts >= 86
      else { return faults.append("recalled \(weighing.sequence) by \(fingers)") }
    }
  }
}
