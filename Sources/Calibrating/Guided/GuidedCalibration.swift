import Languages
import Terminal
import Weighing

/// A calibration that a guide performs with the user: on a pad of this process, or on that of a running appliance.
///
/// Used by one thread.
package protocol GuidedCalibration: AnyObject {
  /// The name of the pad; `nil` if it has none.
  var padName: String? { get }

  /// Where the pad is, as shown to the user.
  var place: String { get }

  /// A calibration of the pad that is under way elsewhere; `nil` without one.
  func other() throws(MeasurementError) -> OtherCalibration?

  /// Starts with masses.
  ///
  /// - Parameter replacing: Whether one that is under way elsewhere ends.
  func start(_ masses: [Grams], replacing: Bool) throws(MeasurementError)

  /// Continues the one that is under way elsewhere; returns what was measured, in the language of the user.
  func takeOver(_ texts: Texts) throws(MeasurementError) -> GuidedAnswer

  /// The current step; `nil` if all are done.
  var step: GuidedStep? { get }

  /// The error of a user who quits now, because of a measurement that was not kept; `nil` without one.
  var lastRefusal: MeasurementError? { get }

  /// Measures the current step.
  func measure(_ dialog: TerminalDialog) throws(MeasurementError) -> GuidedAnswer

  /// Keeps a measurement that is probably wrong.
  func keep() throws(MeasurementError)

  /// Discards it; the step is measured again.
  func repeatStep() throws(MeasurementError)

  /// Leaves out the current step.
  func skip() throws(MeasurementError)

  /// Returns to the previous step.
  func goBack() throws(MeasurementError)

  /// Why all measurements together make no calibration; `nil` if they do.
  var fitRefusal: FitRefusal? { get }

  /// Corrects a mass that was mistyped.
  func correct(_ mass: Grams, to correct: Grams) throws(MeasurementError)

  /// Measures a mass once more, after all steps, instead of its other measurements.
  func measureAgain(_ mass: Grams, _ dialog: TerminalDialog) throws(MeasurementError) -> GuidedAnswer

  /// Leaves out all measurements of a mass.
  func leaveOut(_ mass: Grams) throws(MeasurementError)
}

/// A calibration that is under way in another dialog or in a page.
package struct OtherCalibration: Hashable, Sendable {
  /// Its masses; empty for a verification or a self-test.
  package var masses: [Grams]
  /// The number of steps that are measured.
  package var measured: Int
  /// The number of steps.
  package var count: Int
  /// The error of a user who leaves it alone.
  package var error: MeasurementError
}

/// Says once, while a load is measured, that it has not changed: the pad still waits for it.
struct ChangeHint {
  private var isShown = false

  /// Shows what the user has to do.
  mutating func show(_ instruction: Sentence, on dialog: TerminalDialog) {
    if isShown { return }
    isShown = true
    dialog.progressBar.clear()
    dialog.say("  " + dialog.texts(.calibrationWaiting, ["instruction": dialog.texts(instruction)]))
  }
}

/// A step of a guided calibration.
package struct GuidedStep: Hashable, Sendable {
  /// Its number, from 1.
  package var number: Int
  /// The number of steps.
  package var count: Int
  /// What the user has to do.
  package var instruction: Sentence
}

/// What became of a measurement.
package struct GuidedAnswer: Hashable, Sendable {
  /// What the user is told.
  package var lines: [String]
  /// Why it is probably wrong; the user decides: `keep` or `repeatStep`.
  package var objection: MeasurementError?
}

/// Why measurements make no calibration.
package struct FitRefusal: Hashable, Sendable {
  /// The error that ends the calibration if it is not corrected.
  package var error: MeasurementError
  /// The reason.
  package var reason: Sentence
  /// The mass to check first; `nil` if no single mass is to blame.
  package var suspect: Grams?
}
