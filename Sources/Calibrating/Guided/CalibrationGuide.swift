import Configuration
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

  /// Makes a guide for a calibration.
  package init(_ calibration: any GuidedCalibration, dialog: TerminalDialog = TerminalDialog()) {
    (self.calibration, self.dialog) = (calibration, dialog)
  }

  /// Measures all masses; asks for them if none are given.
  ///
  /// - Throws: `.cancelled` or `.refused` if the user quits, `.noPad` if the pad is disconnected.
  package func observe(_ masses: [Grams]) throws(MeasurementError) {
    try calibration.start(masses.isEmpty ? try askForMasses() : masses)
    dialog.say("Calibrating \(calibration.title). Nothing is written until you confirm at the end.")
    while let step = calibration.step {
      dialog.say("\(step.number) of \(step.count): \(step.instruction)")
      switch dialog.ask("  Measure? [Enter = measure, s = skip, b = back, q = quit] ")?.lowercased() {
      case nil, "q": throw calibration.lastRefusal ?? .cancelled
      case "s": try calibration.skip()
      case "b": try calibration.goBack()
      case "":
        let answer = try calibration.measure(dialog.progressBar)
        say(answer)
        if let objection = answer.objection { try decide(objection) }
      default: dialog.say("  Press Enter, or type s, b or q.")
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
    confirms("Write \(path)?", inDoubt: inDoubt)
  }

  /// Asks a question; if there is a doubt, Enter means no.
  package func confirms(_ question: String, inDoubt: Bool) -> Bool {
    switch dialog.ask("\(question) \(inDoubt ? "[y/N]" : "[Y/n]") ")?.lowercased() {
    case "y", "yes": true
    case "": !inDoubt
    default: false
    }
  }

  private func say(_ answer: GuidedAnswer) {
    for line in answer.lines { dialog.say("  \(line)") }
  }

  /// Asks the user whether to keep a measurement that is probably wrong.
  private func decide(_ objection: MeasurementError) throws(MeasurementError) {
    while true {
      switch dialog.ask("  Measure again? [Enter = measure, k = keep, q = quit] ")?.lowercased() {
      case nil, "q": throw objection
      case "k": return try calibration.keep()
      case "": return try calibration.repeatStep()
      default: dialog.say("  Press Enter, or type k or q.")
      }
    }
  }

  // MARK: Questions

  /// Asks the user to correct, repeat or leave out a mass that does not fit, so that the other measurements are kept;
  /// returns `false` if the user quits.
  private func correct(_ mass: Grams, _ refusal: FitRefusal) throws(MeasurementError) -> Bool {
    dialog.say(refusal.text)
    let name = mass == .zero ? "the empty pad" : "\(numberText(mass.value)) g"
    let correction = mass == .zero ? "" : "grams = the correct mass, "
    let question = "  Correct \(name)? [\(correction)m = measure again, s = leave out, q = quit] "
    while true {
      let answer = dialog.ask(question)?.lowercased()
      switch answer {
      case nil, "q": return false
      case "s":
        try calibration.leaveOut(mass)
        return true
      case "m":
        dialog.say((mass == .zero ? CalibrationStep.empty(isLast: false) : .mass(mass)).instruction)
        guard dialog.ask("  Measure? [Enter] ") != nil else { return false }
        say(try calibration.measureAgain(mass, dialog.progressBar))
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
    dialog.say("Which masses do you have? Use at least two, better five, with the heaviest near the capacity.")
    while true {
      let answer = dialog.ask("  Masses in grams, separated by spaces, for example 50 100 200 385: ")
      guard let answer, answer != "q" else { throw .cancelled }
      if let masses = MassList.parse(answer), masses.count >= 2 { return masses }
      dialog.say("  Enter at least two numbers above 0.")
    }
  }
}
