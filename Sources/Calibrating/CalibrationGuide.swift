import Configuration
import Terminal
import Weighing

/// Guides the user through a calibration: asks for each mass, measures it, and reports the result line by line.
///
/// ```
/// step -> Enter: measure --stable, plausible--> next step
///   ^        |     |
///   |        |     +--implausible: measure again, keep or quit
///   |        +--unstable, unchanged or above the range: the same step
///   +-- s: skip, b: back, q: quit
/// ```
/// Used by one thread.
package final class CalibrationGuide {
  private let session: MeasurementSession
  private let dialog: TerminalDialog
  private var steps: [CalibrationStep] = []
  /// The measurements of the steps, as far as they are kept.
  private var results: [LoadRest?] = []
  private var index = 0
  /// The last load that was measured, and its step.
  private var latest: (index: Int, rest: LoadRest)?
  /// A load on the pad when it should have been empty: the next measurement must differ from it.
  private var rejected: LoadRest?
  /// Why the last measurement was not kept.
  private var lastError: CalibrationError?

  /// The maximum time to wait for a stable load; hands shake and pads creep.
  private static let patience = Interval.seconds(30)

  /// Makes a guide for a pad.
  package init(_ session: MeasurementSession, dialog: TerminalDialog = TerminalDialog()) {
    (self.session, self.dialog) = (session, dialog)
  }

  /// Measures all masses; asks for them if none are given.
  ///
  /// - Throws: `.cancelled` or `.refused` if the user quits, `.noPad` if the pad is disconnected.
  package func observe(_ masses: [Grams]) throws(MeasurementError) -> [CalibrationObservation] {
    let name = session.gauge.description?.name ?? "the pad"
    dialog.say("Calibrating \(name) (\(session.path)). Nothing is written until you confirm at the end.")
    steps = CalibrationStep.all(for: masses.isEmpty ? try askForMasses() : masses)
    results = Array(repeating: nil, count: steps.count)
    index = 0
    while index < steps.count {
      dialog.say("\(index + 1) of \(steps.count): \(steps[index].instruction)")
      switch dialog.ask("  Measure? [Enter = measure, s = skip, b = back, q = quit] ")?.lowercased() {
      case nil, "q": throw lastError.map { .refused($0) } ?? .cancelled
      case "s":
        results[index] = nil
        index += 1
      case "b": index = max(index - 1, 0)
      case "": try measureStep()
      default: dialog.say("  Press Enter, or type s, b or q.")
      }
    }
    return observations
  }

  /// Makes a calibration of a trial. If a mass does not fit, asks the user to correct it, to measure it again or to leave it out.
  ///
  /// - Throws: `.refused` if the user quits or no mass is to blame.
  package func outcome(of trial: inout CalibrationTrial) throws(MeasurementError) -> CalibrationTrial.Outcome {
    while true {
      let refusal: CalibrationError
      do throws(CalibrationError) {
        return try trial.outcome()
      } catch {
        refusal = error
      }
      guard let mass = refusal.suspect, let corrected = try correct(trial.observations, mass, refusal) else {
        throw .refused(refusal)
      }
      trial.observations = corrected
    }
  }

  /// Asks whether to write the file; if there is a doubt, Enter means no.
  package func confirmsWriting(to path: String, inDoubt: Bool) -> Bool {
    switch dialog.ask("Write \(path)? \(inDoubt ? "[y/N]" : "[Y/n]") ")?.lowercased() {
    case "y", "yes": true
    case "": !inDoubt
    default: false
    }
  }

  // MARK: Steps

  private var observations: [CalibrationObservation] {
    zip(steps, results).compactMap { step, rest in
      rest.map { CalibrationObservation(mass: step.mass, rest: $0) }
    }
  }

  /// Measures the current step and proceeds to the next one if the result is kept.
  private func measureStep() throws(MeasurementError) {
    let step = steps[index]
    // The last load is still on the pad until it is changed, unless the same step is measured again.
    var before = rejected.map { [$0] } ?? latest.map { $0.index == index ? [] : [$0.rest] } ?? []
    if step.mass > .zero, let empty = results[0] { before.append(empty) }
    guard let rest = try measure(step, unlike: before) else { return }
    let isKept = try keeps(CalibrationObservation(mass: step.mass, rest: rest))
    if case .notEmpty? = lastError { rejected = rest } else { rejected = nil }
    latest = (index, rest)
    results[index] = isKept ? rest : nil
    if isKept { index += 1 }
  }

  /// Whether to keep an observation: it fits the earlier ones, or the user confirms it. Otherwise it is measured again.
  private func keeps(_ observation: CalibrationObservation) throws(MeasurementError) -> Bool {
    let trial = CalibrationTrial(
      observations: observations, capacity: session.settings.capacity, division: session.settings.division)
    let objection = trial.objection(
      to: observation, isBare: !session.hasPlatter && session.gauge.axis?.mayRestAboveZero == false,
      fullScale: session.gauge.axis?.fullScale ?? .zero)
    guard let objection else { return true }
    dialog.say("  Please check: \(objection).")
    // Which of the two masses is wrong can only be decided at the end, when all masses are known.
    if case .notRising = objection { return true }
    while true {
      switch dialog.ask("  Measure again? [Enter = measure, k = keep, q = quit] ")?.lowercased() {
      case nil, "q": throw .refused(objection)
      case "k": return true
      case "":
        lastError = objection
        return false
      default: dialog.say("  Press Enter, or type k or q.")
      }
    }
  }

  /// Measures the load on the pad; `nil` if it must be measured again.
  private func measure(
    _ step: CalibrationStep, unlike before: [LoadRest]
  ) throws(MeasurementError) -> LoadRest? {
    switch try session.measure(unlike: before, patience: Self.patience, on: dialog.progressBar) {
    case .stable(let rest) where rest.isAtMaximum:
      dialog.say("  Above the range of the pad. Type s to skip this mass, or use a lighter one.")
      return nil
    case .stable(let rest):
      lastError = nil
      dialog.say("  \(numberText(step.mass.value)) g: \(describe(rest))")
      return rest
    case .unstable(let rest):
      let gramsPerCount = 1 / max(session.gauge.counts(of: Grams(1), at: rest), .leastNormalMagnitude)
      let moved = Grams((rest.drift * rest.duration.seconds).magnitude * gramsPerCount)
      lastError = .unstable(mass: step.mass, moved: moved)
      dialog.say("  Unstable: \(describe(rest))")
      dialog.say("  Keep the table still, make sure that nothing touches the pad, and press Enter to measure again.")
      return nil
    case .unchanged(let rest):
      dialog.say("  The reading has not changed: \(DecimalText.fixed(rest.counts, decimals: 1)) counts.")
      dialog.say("  Change the load and press Enter.")
      return nil
    }
  }

  // MARK: Questions

  /// Asks the user to correct, repeat or leave out a mass that does not fit, so that the other measurements are kept; `nil`
  /// if the user quits.
  private func correct(
    _ observations: [CalibrationObservation], _ mass: Grams, _ refusal: CalibrationError
  ) throws(MeasurementError) -> [CalibrationObservation]? {
    dialog.say("\(refusal)")
    let name = mass == .zero ? "the empty pad" : "\(numberText(mass.value)) g"
    let correction = mass == .zero ? "" : "grams = the correct mass, "
    let question = "  Correct \(name)? [\(correction)m = measure again, s = leave out, q = quit] "
    while true {
      let answer = dialog.ask(question)?.lowercased()
      switch answer {
      case nil, "q": return nil
      case "s": return observations.filter { $0.mass != mass }
      case "m":
        let step = mass == .zero ? CalibrationStep.empty(isLast: false) : .mass(mass)
        dialog.say(step.instruction)
        guard dialog.ask("  Measure? [Enter] ") != nil else { return nil }
        if let rest = try measure(step, unlike: []) {
          return observations.filter { $0.mass != mass } + [CalibrationObservation(mass: mass, rest: rest)]
        }
      default:
        if let corrected = answer.flatMap({ MassList.mass($0) }), mass > .zero, corrected > .zero, corrected != mass {
          return observations.map { $0.mass == mass ? CalibrationObservation(mass: corrected, rest: $0.rest) : $0 }
        }
      }
    }
  }

  private func askForMasses() throws(MeasurementError) -> [Grams] {
    dialog.say("Which masses do you have? Use at least two, better five, with the heaviest near the capacity.")
    while true {
      let answer = dialog.ask("  Masses in grams, separated by spaces, for example 50 100 200 385: ")
      guard let answer, answer != "q" else { throw .cancelled }
      if let masses = MassList.parse(answer), masses.count >= 2 { return masses }
      dialog.say("  Enter at least two numbers above 0.")
    }
  }

  private func describe(_ rest: LoadRest) -> String {
    guard rest.counts > 0 || rest.spread > 0 else { return "the pad is empty" }
    func fixed(_ number: Double, _ decimals: Int) -> String { DecimalText.fixed(number, decimals: decimals) }
    return """
      \(fixed(rest.counts, 2)) counts, spread \(fixed(rest.spread, 2)), drift \(fixed(rest.drift, 3)) per second, \
      over \(fixed(rest.duration.seconds, 1)) s
      """
  }
}

extension MeasurementSession {
  /// Like `measure(unlike:patience:progress:)`, with a progress bar.
  func measure(
    unlike before: [LoadRest], patience: Interval, on bar: ProgressBar
  ) throws(MeasurementError) -> Result {
    defer { bar.clear() }
    return try measure(unlike: before, patience: patience) { rest in
      bar.show(
        rest.duration.seconds / gauge.time.seconds, "\(DecimalText.fixed(rest.counts, decimals: 1)) counts")
    }
  }
}
