import Recordings
import Testing
import Weighing

/// Thousands of random touch sequences against an oracle: exactly one action for each confirmed press, for the load on the
/// pad when it fires.
@Suite struct TouchPropertyTests {
  private static let perBatch = 250

  @Test(arguments: 0..<20)
  func everyActionHasItsConfirm(_ batch: Int) {
    var faults: [String] = []
    var fired = (commits: 0, tares: 0, latched: 0)
    for index in 0..<Self.perBatch {
      let seed = UInt64(batch * Self.perBatch + index)
      var course = Course(seed: seed)
      course.run()
      faults += course.faults.map { "seed \(seed): \($0)" }
      fired.commits += course.commits
      fired.tares += course.tares
      fired.latched += course.latched
    }
    #expect(faults.isEmpty, "\(faults.count), first \(faults.prefix(3))")
    // The sequences are worth something only where presses go through.
    #expect(fired.commits > 30 && fired.tares > 5 && fired.latched > 20, "\(fired)")
  }

  /// One sequence, as the core and as the oracle see it.
  private struct Course {
    var machine: ScaleMachine
    var oracle: TouchOracle
    var now = Instant(nanoseconds: 1_000_000_000)
    let steps: [(after: Interval, step: RandomTouches.Step)]
    var faults: [String] = []
    /// The load on the pad, without fingers in zones.
    var truth = Grams.zero
    /// Number of the oracle's actions that the core has answered, and of the resulting records, tares and known nets.
    var answered = 0
    /// Number of the presses that were said to have failed.
    var failed = 0
    var commits = 0
    var tares = 0
    var latched = 0

    init(seed: UInt64) {
      var settings = ScaleSettings()
      settings.confirm.hold = .milliseconds(400)
      settings.confirm.timeout = .milliseconds(1400)
      machine = ScaleMachine(settings: settings, at: now)
      oracle = TouchOracle(settings.confirm)
      steps = RandomTouches(seed: seed, hold: settings.confirm.hold).steps
      _ = machine.handle(.padFound(.slots()), at: now)
      pass(to: now)
    }

    mutating func run() {
      for (after, step) in steps {
        pass(to: now + after + Interval(nanoseconds: -1))
        now = now + after
        let before = machine.reading
        let effects: [Effect]
        switch step {
        case .frame(let contacts, let gap):
          let frame = Frame(time: now, contacts: contacts, followsGap: gap)
          oracle.see(frame, after: before)
          oracle.pass(to: now)
          truth = contacts.reduce(.zero) { sum, contact in
            (0.15...0.85).contains(contact.origin?.x ?? 0) ? sum + Grams(Double(contact.raw.counts) / 2) : sum
          }
          effects = machine.handle(.frame(frame), at: now)
        case .key(let key):
          oracle.see(key, after: before, at: now)
          oracle.pass(to: now)
          effects = machine.handle(.button(key), at: now)
        }
        judge(effects)
        oracle.see(machine.reading)
      }
      pass(to: now + .seconds(10))
      if answered != oracle.fires.count { faults.append("\(oracle.fires.count) confirms, \(answered) answers") }
      if failed != oracle.failures.count { faults.append("\(oracle.failures.count) failures, \(failed) said") }
    }

    /// Lets time pass from deadline to deadline, so that every reading is seen.
    private mutating func pass(to end: Instant) {
      while let due = machine.nextDeadline, due <= end {
        oracle.pass(to: due)
        judge(machine.advance(to: due))
        oracle.see(machine.reading)
      }
    }

    private mutating func judge(_ effects: [Effect]) {
      let answers = effects.count { effect in
        switch effect {
        case .record, .result: true
        default: false
        }
      }
      for effect in effects {
        switch effect {
        case .record(let draft): answer(draft.request) { $0.judge(draft, $1, isAlone: answers == 1) }
        case .result(let result) where result.detail?.isOfPress ?? false:
          let failure = failed < oracle.failures.count ? oracle.failures[failed] : nil
          failed += 1
          if failure?.action != result.request.name || failure?.source != result.request.source {
            faults.append("\(result.request.name) failed, expected \(String(describing: failure))")
          }
        case .result(let result):
          answer(result.request) { course, fire in
            if result.rejection == nil { course.tares += 1 }
            if result.rejection == nil, result.request.name == "commit" { course.faults.append("no record") }
            if result.rejection == .unstable, course.isThere(fire.latch) {
              course.faults.append("unstable with a latch")
            }
          }
        case .live, .reading, .settled, .contacts, .event, .gesture, .control, .feedback, .weighing, .lastWeighing,
          .actions, .memory, .padWarning, .sampling, .containers, .containerChange, .pendingLabel, .output,
          .learnedStops, .learnedStopChange:
          break
        }
      }
    }

    private mutating func answer(_ request: ActionRequest, _ body: (inout Course, TouchOracle.Fire) -> Void) {
      guard answered < oracle.fires.count else { return faults.append("\(request.name) without a confirm") }
      let fire = oracle.fires[answered]
      answered += 1
      if fire.action != request.name || fire.source != request.source { faults.append("\(request) for \(fire)") }
      body(&self, fire)
    }

    private mutating func judge(_ draft: WeighingDraft, _ fire: TouchOracle.Fire, isAlone: Bool) {
      guard case .weighing(let measurement) = draft.kind else { return faults.append("a void") }
      commits += 1
      if (measurement.gross.mass - truth).magnitude > Grams(2.5) { faults.append("\(measurement.gross) for \(truth)") }
      if let latch = fire.latch, isThere(latch) {
        latched += 1
        if measurement.net != latch.net { faults.append("\(measurement.net) for \(latch.printable)") }
      } else if isAlone, !machine.reading.isStable {
        faults.append("\(measurement.net) for \(machine.reading)")
      }
    }

    /// Whether the latched load is still on the pad.
    private func isThere(_ latch: Reading?) -> Bool {
      guard let latch, latch.tareEpoch == machine.tareEpoch else { return false }
      return (latch.gross.mass - truth).magnitude <= Grams(0.5)
    }
  }
}
