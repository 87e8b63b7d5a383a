import Configuration
import Languages
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
  private let texts: Texts
  private var procedure: CalibrationProcedure

  /// Makes a guide for a pad.
  package init(_ session: MeasurementSession, dialog: TerminalDialog = TerminalDialog()) {
    (self.session, self.dialog, texts) = (session, dialog, dialog.texts)
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
    let name = session.gauge.description?.name ?? texts(.calibrationPad)
    dialog.say(texts(.calibrating, ["pad": name, "path": session.path]))
    procedure = Self.procedure(masses.isEmpty ? try askForMasses() : masses, session)
    while let step = procedure.step {
      dialog.say(
        texts(
          .calibrationStep,
          [
            "number": "\(procedure.index + 1)", "count": "\(procedure.steps.count)",
            "instruction": texts.instruction(step.instruction),
          ]))
      switch dialog.ask("  \(texts(.calibrationMeasure)) ")?.lowercased() {
      case nil, "q": throw procedure.lastError.map { .refused($0) } ?? .cancelled
      case "s": procedure.skip()
      case "b": procedure.goBack()
      case "": try measureStep()
      default: dialog.say("  " + texts(.calibrationMeasureHint))
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
    dialog.confirms(texts(.calibrationWrite, ["path": path]), standard: !inDoubt)
  }

  // MARK: Steps

  /// Measures the current step.
  private func measureStep() throws(MeasurementError) {
    guard let step = procedure.step else { return }
    let result = try session.measure(
      unlike: procedure.earlierLoads, patience: CalibrationSession.measurementTime, on: dialog)
    let answer = procedure.record(result, on: session.gauge)
    describe(answer, at: step.mass)
    if case .implausible(_, let objection) = answer { try decide(objection) }
  }

  /// Asks the user whether to keep a measurement that is probably wrong.
  private func decide(_ objection: CalibrationError) throws(MeasurementError) {
    while true {
      switch dialog.ask("  \(texts(.calibrationAgain)) ")?.lowercased() {
      case nil, "q": throw .refused(objection)
      case "k": return procedure.keep()
      case "": return procedure.repeatStep()
      default: dialog.say("  " + texts(.calibrationAgainHint))
      }
    }
  }

  /// Tells what became of the measurement of a mass.
  private func describe(_ answer: CalibrationProcedure.Answer, at mass: Grams) {
    switch answer {
    case .kept(let rest): dialog.say("  \(numberText(mass.value)) g: \(describe(rest))")
    case .doubtful(let rest, let error), .implausible(let rest, let error):
      dialog.say("  \(numberText(mass.value)) g: \(describe(rest))")
      dialog.say("  " + texts(.calibrationCheck, ["reason": texts.fault(error)]))
    case .aboveRange: dialog.say("  " + texts(.calibrationAboveRange))
    case .unstable(let rest, _):
      dialog.say("  " + texts(.calibrationUnstable, ["reading": describe(rest)]))
      dialog.say("  " + texts(.calibrationKeepStill))
    case .unchanged(let rest):
      dialog.say("  " + texts(.calibrationUnchanged, ["counts": DecimalText.fixed(rest.counts, decimals: 1)]))
      dialog.say("  " + texts(.calibrationChangeLoad))
    }
  }

  // MARK: Questions

  /// Asks the user to correct, repeat or leave out a mass that does not fit, so that the other measurements are kept; `nil`
  /// if the user quits.
  private func correct(
    _ observations: [CalibrationObservation], _ mass: Grams, _ refusal: CalibrationError
  ) throws(MeasurementError) -> [CalibrationObservation]? {
    dialog.say(texts.fault(refusal))
    let name = mass == .zero ? texts(.calibrationEmptyPad) : "\(numberText(mass.value)) g"
    let correction = mass == .zero ? "" : texts(.calibrationGrams) + " "
    let question = "  \(texts(.calibrationCorrect, ["mass": name, "correction": correction])) "
    while true {
      let answer = dialog.ask(question)?.lowercased()
      switch answer {
      case nil, "q": return nil
      case "s": return observations.filter { $0.mass != mass }
      case "m":
        let step = mass == .zero ? CalibrationStep.empty(isLast: false) : .mass(mass)
        dialog.say(texts.instruction(step.instruction))
        guard dialog.ask("  \(texts(.calibrationRepeat)) ") != nil else { return nil }
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
      unlike: [], patience: CalibrationSession.measurementTime, on: dialog)
    let answer = repetition.record(result, on: session.gauge)
    describe(answer, at: step.mass)
    switch answer {
    case .kept(let rest), .doubtful(let rest, _), .implausible(let rest, _): return rest
    case .aboveRange, .unstable, .unchanged: return nil
    }
  }

  private func askForMasses() throws(MeasurementError) -> [Grams] {
    dialog.say(texts(.calibrationMasses))
    while true {
      let answer = dialog.ask("  \(texts(.calibrationMassesAsk)) ")
      guard let answer, answer != "q" else { throw .cancelled }
      if let masses = MassList.parse(answer), masses.count >= 2 { return masses }
      dialog.say("  " + texts(.calibrationMassesHint))
    }
  }

  private func describe(_ rest: LoadRest) -> String {
    guard rest.counts > 0 || rest.spread > 0 else { return texts(.calibrationPadEmpty) }
    func fixed(_ number: Double, _ decimals: Int) -> String { DecimalText.fixed(number, decimals: decimals) }
    return texts(
      .calibrationReading,
      [
        "counts": fixed(rest.counts, 2), "spread": fixed(rest.spread, 2), "drift": fixed(rest.drift, 3),
        "seconds": fixed(rest.duration.seconds, 1),
      ])
  }
}

extension MeasurementSession {
  /// Like `measure(unlike:patience:progress:)`, with the progress bar of a dialog.
  func measure(
    unlike before: [LoadRest], patience: Interval, on dialog: TerminalDialog
  ) throws(MeasurementError) -> LoadMeasurement.Result {
    let bar = dialog.progressBar
    defer { bar.clear() }
    return try measure(unlike: before, patience: patience) { rest in
      bar.show(rest.duration.seconds / gauge.time.seconds, rest, dialog.texts)
    }
  }
}

extension ProgressBar {
  /// Shows a load.
  func show(_ part: Double, _ rest: LoadRest, _ texts: Texts) {
    show(part, texts(.calibrationCounts, ["counts": DecimalText.fixed(rest.counts, decimals: 1)]))
  }
}
