/// Loads that the user puts on and takes off to verify or to test a scale. There is no key to press: the pad shows when the
/// load has changed.
package struct LoadingProcedure: Hashable, Sendable {
  /// What the user has to do.
  package enum Task: Hashable, Sendable {
    case unload
    case load(Grams)
    /// Leave the load on the pad.
    case observe(Interval)
  }

  /// Why a load could not be measured.
  package enum Failure: Error, Hashable, Sendable {
    /// The load did not change in time.
    case unchanged
    /// The load did not come to rest in time.
    case unstable
    /// The load is above the range of the pad.
    case aboveRange
  }

  /// A measurement during the observation.
  private struct Sample: Hashable, Sendable {
    var after: Interval
    var rest: LoadRest
  }

  /// The maximum time for each load; longer than in a calibration, where the user presses a key when the load is ready.
  package static let patience = Interval.seconds(120)
  /// The time between two samples of the observation.
  private static let sampleInterval = Interval.seconds(1)

  /// The tasks.
  package let tasks: [Task]
  /// The current task; the number of tasks if all are done.
  package private(set) var index = 0
  /// The load at the end of each task that changes it.
  private var rests: [LoadRest] = []
  private var samples: [Sample] = []
  private var measurement: LoadMeasurement?
  /// When the current load must have been measured.
  private var deadline: Instant?
  private var observedSince: Instant?

  /// What lay on the pad before the first task.
  private let earlier: LoadRest?

  private init(_ tasks: [Task], after earlier: LoadRest? = nil) { (self.tasks, self.earlier) = (tasks, earlier) }

  /// Weighs a mass; with a platter, after the empty pad: without one, it reads zero.
  ///
  /// - Parameter earlier: Another mass that may still lie on the pad.
  package static func verification(
    of mass: Grams, hasPlatter: Bool, after earlier: LoadRest? = nil
  ) -> LoadingProcedure {
    hasPlatter
      ? LoadingProcedure([.unload, .load(mass)]) : LoadingProcedure([.load(mass)], after: earlier)
  }

  /// Weighs a mass several times, then observes it.
  package static func selfTest(of mass: Grams, rounds: Int, creepTime: Interval) -> LoadingProcedure {
    LoadingProcedure((0..<rounds).flatMap { _ in [.unload, .load(mass)] } + [.observe(creepTime), .unload])
  }

  /// The current task; `nil` if all are done.
  package var task: Task? { index < tasks.count ? tasks[index] : nil }

  /// The number of the round that the current task begins, from 1, and how many there are; `nil` if it begins none, or there is only one.
  package var round: (number: Int, count: Int)? {
    let rounds = tasks.count { if case .load = $0 { true } else { false } }
    guard rounds > 1, task == .unload, index < 2 * rounds else { return nil }
    return (index / 2 + 1, rounds)
  }

  /// How much of an observation has passed, 0...1; `nil` during other tasks.
  package func observed(at now: Instant) -> Double? {
    guard case .observe(let time)? = task, let observedSince else { return nil }
    return min(max((now - observedSince).seconds / time.seconds, 0), 1)
  }

  /// Observes the state of the pad.
  ///
  /// - Throws: Why the procedure ends.
  package mutating func observe(
    _ state: LoadGauge.State, on gauge: LoadGauge, at now: Instant
  ) throws(Failure) {
    switch task {
    case .unload: try measure(unlike: rests.suffix(1), state, gauge, now)
    case .load:
      let before = rests.isEmpty ? [LoadRest(counts: 0), earlier].compactMap(\.self)[...] : rests.suffix(1)
      try measure(unlike: before, state, gauge, now)
    case .observe(let time): sample(for: time, state, now)
    case nil: break
    }
  }

  private mutating func measure(
    unlike before: ArraySlice<LoadRest>, _ state: LoadGauge.State, _ gauge: LoadGauge, _ now: Instant
  ) throws(Failure) {
    let deadline = deadline ?? now + Self.patience
    self.deadline = deadline
    var measurement = measurement ?? LoadMeasurement(unlike: Array(before), until: deadline)
    let result = measurement.observe(state, on: gauge, at: now)
    self.measurement = measurement
    switch result {
    case nil: break
    case .stable(let rest)?:
      if task == .unload, rests.isEmpty, gauge.isLoaded(rest) {
        // The last load is still on the pad.
        self.measurement = LoadMeasurement(unlike: [rest], until: deadline)
        return
      }
      guard !rest.isAtMaximum else { throw .aboveRange }
      rests.append(rest)
      (self.measurement, self.deadline) = (nil, nil)
      index += 1
    case .unchanged?: throw .unchanged
    case .unstable?: throw .unstable
    }
  }

  private mutating func sample(for time: Interval, _ state: LoadGauge.State, _ now: Instant) {
    let since = observedSince ?? now
    if observedSince == nil, let first = rests.last { samples.append(Sample(after: .zero, rest: first)) }
    observedSince = since
    if case .resting(let rest) = state { add(rest) }
    if case .settling(let rest) = state { add(rest) }
    if now - since >= time { index += 1 }
  }

  private mutating func add(_ rest: LoadRest) {
    guard let first = rests.last, let last = samples.last else { return }
    let after = rest.end - first.end
    if after >= last.after + Self.sampleInterval { samples.append(Sample(after: after, rest: rest)) }
  }

  // MARK: Results

  /// The mass of the last load less that of the empty pad.
  package func reading(_ calibration: Calibration) -> Grams {
    guard let load = rests.last else { return .zero }
    let empty = rests.count > 1 ? calibration.mass(atCounts: rests[0].counts) : .zero
    return calibration.mass(atCounts: load.counts) - empty
  }

  /// The results of a self-test.
  package func selfTest(_ calibration: Calibration, limits: SelfTest.Limits) -> SelfTest {
    func grams(_ rest: LoadRest) -> Grams { calibration.mass(atCounts: rest.counts) }
    var test = SelfTest(limits: limits)
    var empty: LoadRest?
    for (task, rest) in zip(tasks.filter(\.changesLoad), rests) {
      if case .load = task {
        test.loads.append(grams(rest) - (empty.map(grams) ?? .zero))
      } else {
        test.zeros.append(grams(rest))
        empty = rest
      }
    }
    test.creep = samples.map { SelfTest.Sample(after: $0.after, mass: grams($0.rest)) }
    return test
  }
}

extension LoadingProcedure.Task {
  fileprivate var changesLoad: Bool { if case .observe = self { false } else { true } }
}
