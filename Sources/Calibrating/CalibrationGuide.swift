import Configuration
import Terminal
import Weighing

/// Guides the user through a calibration: asks for each mass, measures it, and reports the result line by line.
///
/// The steps and what follows from a measurement are in `CalibrationProcedure`.
///
/// Used by one thread.
package final class CalibrationGuide {
  private let session: MeasurementSession
  private let dialog: TerminalDialog
  private var procedure: CalibrationProcedure

  /// Makes a guide for a pad.
  package init(_ session: MeasurementSession, dialog: TerminalDialog = TerminalDialog()) {
    (self.session, self.dialog) = (session, dialog)
    procedure = Self.procedure([], session)
  }

  private static func procedure(_ masses: [Grams], _ session: MeasurementSession) -> CalibrationProcedure {
    CalibrationProcedure(
      masses: masses, capacity: session.settings.capacity, division: session.settings.division)
  }

  /// Measures all masses; asks for them if none are given.
  ///
  /// - Throws: `.cancelled` or `.refused` if the user quits, `.noPad` if the pad is disconnected.
  package func observe(_ masses: [Grams]) throws(MeasurementError) -> [CalibrationObservation] {
    let name = session.gauge.description?.name ?? "the pad"
    dialog.say("Calibrating \(name) (\(session.path)). Nothing is written until you confirm at the end.")
    procedure = Self.procedure(masses.isEmpty ? try askForMasses() : masses, session)
    while let step = procedure.step {
      dialog.say("\(procedure.index + 1) of \(procedure.steps.count): \(step.instruction)")
      switch dialog.ask("  Measure? [Enter = measure, s = skip, b = back, q = quit] ")?.lowercased() {
      case nil, "q": throw procedure.lastError.map { .refused($0) } ?? .cancelled
      case "s": procedure.skip()
      case "b": procedure.goBack()
      case "": try measureStep()
      default: dialog.say("  Press Enter, or type s, b or q.")
      }
    }
    return procedure.trial.observations
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

  /// Measures the current step.
  private func measureStep() throws(MeasurementError) {
    guard let step = procedure.step else { return }
    let result = try session.measure(
      unlike: procedure.earlierLoads, patience: CalibrationSession.measurementTime, on: dialog.progressBar)
    let answer = procedure.record(result, on: session.gauge)
    describe(answer, at: step.mass)
    if case .implausible(_, let objection) = answer { try decide(objection) }
  }

  /// Asks the user whether to keep a measurement that is probably wrong.
  private func decide(_ objection: CalibrationError) throws(MeasurementError) {
    while true {
      switch dialog.ask("  Measure again? [Enter = measure, k = keep, q = quit] ")?.lowercased() {
      case nil, "q": throw .refused(objection)
      case "k": return procedure.keep()
      case "": return procedure.repeatStep()
      default: dialog.say("  Press Enter, or type k or q.")
      }
    }
  }

  /// Tells what became of the measurement of a mass.
  private func describe(_ answer: CalibrationProcedure.Answer, at mass: Grams) {
    switch answer {
    case .kept(let rest): dialog.say("  \(numberText(mass.value)) g: \(describe(rest))")
    case .doubtful(let rest, let error), .implausible(let rest, let error):
      dialog.say("  \(numberText(mass.value)) g: \(describe(rest))")
      dialog.say("  Please check: \(error).")
    case .aboveRange: dialog.say("  Above the range of the pad. Type s to skip this mass, or use a lighter one.")
    case .unstable(let rest, _):
      dialog.say("  Unstable: \(describe(rest))")
      dialog.say("  Keep the table still, make sure that nothing touches the pad, and press Enter to measure again.")
    case .unchanged(let rest):
      dialog.say("  The reading has not changed: \(DecimalText.fixed(rest.counts, decimals: 1)) counts.")
      dialog.say("  Change the load and press Enter.")
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
        if let rest = try measure(step) {
          return observations.filter { $0.mass != mass } + [CalibrationObservation(mass: mass, rest: rest)]
        }
      default:
        if let corrected = answer.flatMap({ MassList.mass($0) }), mass > .zero, corrected > .zero, corrected != mass {
          return observations.map { $0.mass == mass ? CalibrationObservation(mass: corrected, rest: $0.rest) : $0 }
        }
      }
    }
  }

  /// Measures a load once more; `nil` if it could not be measured.
  private func measure(_ step: CalibrationStep) throws(MeasurementError) -> LoadRest? {
    // A procedure of its own: that of the other masses is complete.
    var repetition = CalibrationProcedure(
      repeating: step, capacity: session.settings.capacity, division: session.settings.division)
    let result = try session.measure(
      unlike: [], patience: CalibrationSession.measurementTime, on: dialog.progressBar)
    let answer = repetition.record(result, on: session.gauge)
    describe(answer, at: step.mass)
    switch answer {
    case .kept(let rest), .doubtful(let rest, _), .implausible(let rest, _): return rest
    case .aboveRange, .unstable, .unchanged: return nil
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
  ) throws(MeasurementError) -> LoadMeasurement.Result {
    defer { bar.clear() }
    return try measure(unlike: before, patience: patience) { rest in
      bar.show(rest.duration.seconds / gauge.time.seconds, rest)
    }
  }
}

extension ProgressBar {
  /// Shows a load.
  func show(_ part: Double, _ rest: LoadRest) {
    show(part, "\(DecimalText.fixed(rest.counts, decimals: 1)) counts")
  }
}
