import Languages
import Terminal
import Weighing

/// Guides the user through a calibration: asks for each mass, has it measured, and reports the result line by line.
///
/// The steps and what follows from a measurement are in `CalibrationProcedure`, here or in a running appliance.
///
/// Used by one thread.
package final class CalibrationGuide {
  private let calibration: any GuidedCalibration
  private let dialog: TerminalDialog
  private let texts: Texts

  /// Makes a guide for a calibration.
  package init(_ calibration: any GuidedCalibration, dialog: TerminalDialog = TerminalDialog()) {
    (self.calibration, self.dialog, texts) = (calibration, dialog, dialog.texts)
  }

  /// Measures all masses; asks for them if none are given. A calibration that is under way elsewhere, as after the loss of a
  /// terminal, can be continued.
  ///
  /// - Throws: `.cancelled` or `.refused` if the user quits, `.noPad` if the pad is disconnected.
  package func observe(_ masses: [Grams]) throws(MeasurementError) {
    let other = try calibration.other()
    if let other, try continues(other) {
      try conclude(calibration.takeOver(texts))
    } else {
      try calibration.start(masses.isEmpty ? try askForMasses() : masses, replacing: other != nil)
    }
    let pad = calibration.padName ?? texts(.calibrationPad)
    dialog.say(texts(.calibrating, ["pad": pad, "path": calibration.place]))
    while let step = calibration.step {
      dialog.say(
        texts(
          .calibrationStep,
          ["number": "\(step.number)", "count": "\(step.count)", "instruction": texts(step.instruction)]))
      switch dialog.ask("  \(texts(.calibrationMeasure)) ")?.lowercased() {
      case nil, "q": throw calibration.lastRefusal ?? .cancelled
      case "s": try calibration.skip()
      case "b": try calibration.goBack()
      case "":
        try conclude(calibration.measure(dialog))
      default: dialog.say("  " + texts(.calibrationMeasureHint))
      }
    }
  }

  /// Asks the user to correct a mass that does not fit, to measure it again or to leave it out, until the measurements make a
  /// calibration.
  ///
  /// - Throws: `.refused` if the user quits or no mass is to blame.
  package func settle() throws(MeasurementError) {
    while let refusal = calibration.fitRefusal {
      guard let mass = refusal.suspect, try correct(mass, refusal) else { throw refusal.error }
    }
  }

  /// Asks whether to write the file; if there is a doubt, Enter means no.
  package func confirmsWriting(to path: String, inDoubt: Bool) -> Bool {
    confirms(texts(.calibrationWrite, ["path": path]), inDoubt: inDoubt)
  }

  /// Asks a question; if there is a doubt, Enter means no.
  package func confirms(_ question: String, inDoubt: Bool) -> Bool { dialog.confirms(question, standard: !inDoubt) }

  private func say(_ answer: GuidedAnswer) { for line in answer.lines { dialog.say("  \(line)") } }

  private func conclude(_ answer: GuidedAnswer) throws(MeasurementError) {
    say(answer)
    if let objection = answer.objection { try decide(objection) }
  }

  /// Asks the user whether to keep a measurement that is probably wrong.
  private func decide(_ objection: MeasurementError) throws(MeasurementError) {
    while true {
      switch dialog.ask("  \(texts(.calibrationAgain)) ")?.lowercased() {
      case nil, "q": throw objection
      case "k": return try calibration.keep()
      case "": return try calibration.repeatStep()
      default: dialog.say("  " + texts(.calibrationAgainHint))
      }
    }
  }

  // MARK: Questions

  /// Asks whether to continue a calibration that is under way elsewhere; if not, it ends.
  ///
  /// - Throws: The error if there is no answer, `.cancelled` if the user quits.
  private func continues(_ other: OtherCalibration) throws(MeasurementError) -> Bool {
    let masses = other.masses.map { "\(numberText($0.value)) g" }.joined(separator: ", ")
    let canContinue = !masses.isEmpty
    dialog.say(
      canContinue
        ? texts(
          .calibrationOther, ["masses": masses, "measured": "\(other.measured)", "count": "\(other.count)"])
        : texts(.calibrationOtherTest))
    while true {
      let question = texts(canContinue ? .calibrationOtherAsk : .calibrationOtherEnd)
      switch dialog.ask("  \(question) ")?.lowercased() {
      case nil: throw other.error
      case "q": throw .cancelled
      case "n": return false
      case "" where canContinue: return true
      default: break
      }
    }
  }

  /// Asks the user to correct, repeat or leave out a mass that does not fit, so that the other measurements are kept;
  /// returns `false` if the user quits.
  private func correct(_ mass: Grams, _ refusal: FitRefusal) throws(MeasurementError) -> Bool {
    dialog.say(texts(refusal.reason))
    let name = mass == .zero ? texts(.calibrationEmptyPad) : "\(numberText(mass.value)) g"
    let correction = mass == .zero ? "" : texts(.calibrationGrams) + " "
    let question = "  \(texts(.calibrationCorrect, ["mass": name, "correction": correction])) "
    while true {
      let answer = dialog.ask(question)?.lowercased()
      switch answer {
      case nil, "q": return false
      case "s":
        try calibration.leaveOut(mass)
        return true
      case "m":
        let step = mass == .zero ? CalibrationStep.empty(isLast: false) : .mass(mass)
        dialog.say(texts(step.instruction))
        guard dialog.ask("  \(texts(.calibrationRepeat)) ") != nil else { return false }
        say(try calibration.measureAgain(mass, dialog))
        return true
      default:
        if let corrected = answer.flatMap({ MassList.mass($0) }), mass > .zero, corrected > .zero, corrected != mass {
          try calibration.correct(mass, to: corrected)
          return true
        }
      }
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
}
