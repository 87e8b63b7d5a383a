/// The steps of a calibration, and what was measured at each.
///
/// ```
/// step -> record: stable, plausible ------------> kept: the next open step
///   ^        |     |
///   |        |     +--implausible --> question --keep--> kept
///   |        |                           |
///   |        |                           +--repeat--> the same step
///   |        +--unstable, unchanged or above the range: the same step
///   +-- skip, back, select
/// ```
/// The terminal and the page use the same procedure; it has no clock and no pad.
package struct CalibrationProcedure: Hashable, Sendable {
  /// The state of a step.
  package enum StepState: Hashable, Sendable {
    case open
    case skipped
    case measured(LoadRest)

    /// The measurement.
    package var rest: LoadRest? { if case .measured(let rest) = self { rest } else { nil } }
  }

  /// What became of a measurement.
  package enum Answer: Hashable, Sendable {
    /// It is kept.
    case kept(LoadRest)
    /// It is kept, although it contradicts another one: which of the two is wrong is decided when all masses are known.
    case doubtful(LoadRest, CalibrationError)
    /// It is probably wrong; the user decides: `keep` or `repeatStep`.
    case implausible(LoadRest, CalibrationError)
    /// The load is above the range of the pad.
    case aboveRange
    /// The load did not come to rest.
    case unstable(LoadRest, CalibrationError)
    /// The load is the same as before.
    case unchanged(LoadRest)
  }

  private struct Latest: Hashable, Sendable {
    var index: Int
    var rest: LoadRest
  }

  private struct Question: Hashable, Sendable {
    var rest: LoadRest
    var objection: CalibrationError
  }

  /// The steps.
  package private(set) var steps: [CalibrationStep]
  /// The state of each step.
  package private(set) var states: [StepState]
  /// The current step; the number of steps if all are done.
  package private(set) var index = 0
  /// The shape of the curve; `nil` to select the best one.
  package var shape: CurveShape?
  /// Why the last measurement was not kept.
  package private(set) var lastError: CalibrationError?
  private let capacity: Grams
  private let division: Division
  /// The last load that was measured, and its step.
  private var latest: Latest?
  /// A load on the pad when it should have been empty: the next measurement must differ from it.
  private var rejected: LoadRest?
  private var question: Question?

  /// Makes a procedure; nothing is measured yet.
  package init(masses: [Grams], capacity: Grams, division: Division, shape: CurveShape? = nil) {
    steps = masses.isEmpty ? [] : CalibrationStep.all(for: masses)
    states = Array(repeating: .open, count: steps.count)
    (self.capacity, self.division, self.shape) = (capacity, division, shape)
  }

  /// Makes a procedure of a single step, for a mass that is measured once more.
  package init(repeating step: CalibrationStep, capacity: Grams, division: Division) {
    self.init(masses: [], capacity: capacity, division: division)
    (steps, states) = ([step], [.open])
  }

  /// The current step; `nil` if all are done.
  package var step: CalibrationStep? { index < steps.count ? steps[index] : nil }

  /// Whether all steps are measured or skipped.
  package var isComplete: Bool { index >= steps.count }

  /// The last load that was measured, with its mass.
  package var lastLoad: (mass: Grams, rest: LoadRest)? { latest.map { (steps[$0.index].mass, $0.rest) } }

  /// Why the user has to decide whether to keep the last measurement; `nil` if there is nothing to decide.
  package var objection: CalibrationError? { question?.objection }

  /// The loads from which the next measurement has to differ: the last load stays on the pad until the user changes it,
  /// unless the same step is measured again.
  package var earlierLoads: [LoadRest] {
    guard let step else { return [] }
    var loads = rejected.map { [$0] } ?? latest.map { $0.index == index ? [] : [$0.rest] } ?? []
    if step.mass > .zero, let empty = states[0].rest { loads.append(empty) }
    return loads
  }

  /// What was measured so far.
  package var trial: CalibrationTrial {
    let observations = zip(steps, states).compactMap { step, state in
      state.rest.map { CalibrationObservation(mass: step.mass, rest: $0) }
    }
    return CalibrationTrial(observations: observations, capacity: capacity, division: division, shape: shape)
  }

  // MARK: Measurements

  /// Records the measurement of the current step.
  package mutating func record(_ result: LoadMeasurement.Result, on gauge: LoadGauge) -> Answer {
    guard let step else { return .aboveRange }
    switch result {
    case .stable(let rest) where rest.isAtMaximum: return .aboveRange
    case .stable(let rest):
      lastError = nil
      latest = Latest(index: index, rest: rest)
      let objection = trial.objection(
        to: CalibrationObservation(mass: step.mass, rest: rest), isBare: gauge.isBareWhenEmpty,
        fullScale: gauge.isConverter ? nil : gauge.axis?.fullScale ?? .zero)
      switch objection {
      case nil:
        keep(rest)
        return .kept(rest)
      case .notRising?:
        keep(rest)
        return .doubtful(rest, objection ?? .tooFew(given: 0))
      case let objection?:
        question = Question(rest: rest, objection: objection)
        return .implausible(rest, objection)
      }
    case .unstable(let rest):
      let gramsPerCount = 1 / max(gauge.counts(of: Grams(1), at: rest), .leastNormalMagnitude)
      let moved = Grams((rest.drift * rest.duration.seconds).magnitude * gramsPerCount)
      let error = CalibrationError.unstable(mass: step.mass, moved: moved)
      lastError = error
      return .unstable(rest, error)
    case .unchanged(let rest): return .unchanged(rest)
    }
  }

  /// Keeps a measurement although it is probably wrong.
  package mutating func keep() { if let question { keep(question.rest) } }

  /// Discards a measurement that is probably wrong; the step is measured again.
  package mutating func repeatStep() {
    guard let question else { return }
    lastError = question.objection
    if case .notEmpty = question.objection { rejected = question.rest } else { rejected = nil }
    states[index] = .open
    self.question = nil
  }

  private mutating func keep(_ rest: LoadRest) {
    (question, rejected) = (nil, nil)
    states[index] = .measured(rest)
    proceed()
  }

  // MARK: Steps

  /// Leaves out the current step.
  package mutating func skip() {
    guard step != nil else { return }
    question = nil
    states[index] = .skipped
    proceed()
  }

  /// Returns to the previous step.
  package mutating func goBack() { select(index - 1) }

  /// Makes a step the current one; its measurement stays until the next one. Once no step is open, the number of steps
  /// selects the result. Other numbers mean the nearest step.
  package mutating func select(_ step: Int) {
    question = nil
    index = min(max(step, 0), max(steps.count - (states.contains(.open) ? 1 : 0), 0))
  }

  /// Proceeds to the next step that is neither measured nor skipped.
  private mutating func proceed() {
    let later = states.indices.dropFirst(index + 1).first { states[$0] == .open }
    index = later ?? states.firstIndex(of: .open) ?? steps.count
  }

  // MARK: Corrections

  /// Corrects a mass that was mistyped; its measurements are kept.
  package mutating func correct(_ mass: Grams, to correct: Grams) {
    for index in steps.indices where steps[index].mass == mass { steps[index].mass = correct }
  }
}
