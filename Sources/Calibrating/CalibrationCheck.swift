import Configuration
import Languages
import Messages
import Terminal
import Weighing

/// The error of a calibration at one known mass.
package struct CalibrationCheck: Hashable, Sendable {
  private let mass: Grams
  private let reading: Grams
  private let division: Grams
  private let tolerance: Grams
  private let origin: Calibration.Origin

  /// Makes the result for a mass and its reading.
  ///
  /// - Parameter tolerance: The maximum permitted error; one division if `nil`.
  package init(
    mass: Grams, reading: Grams, division: Grams, tolerance: Grams?, origin: Calibration.Origin
  ) {
    (self.mass, self.reading, self.division) = (mass, reading, division)
    self.tolerance = tolerance ?? division
    self.origin = origin
  }

  /// Asks for a mass and weighs it.
  ///
  /// - Throws: `.noPad`, `.unchanged`, `.unstable`, `.aboveRange`.
  package static func measure(
    _ mass: Grams, tolerance: Grams?, on session: MeasurementSession, configuration: Configuration,
    dialog: TerminalDialog = TerminalDialog()
  ) throws(MeasurementError) -> CalibrationCheck {
    var procedure = LoadingProcedure.verification(of: mass, hasPlatter: session.hasPlatter)
    try LoadingDialog(session, dialog: dialog).run(&procedure)
    guard let calibration = session.calibration else { throw .noPad(Sentence(.padDisconnected)) }
    return CalibrationCheck(
      mass: mass, reading: procedure.reading(calibration), division: configuration.scale.division.step,
      tolerance: tolerance, origin: calibration.origin)
  }

  /// Whether the error is within the tolerance.
  package var isWithinTolerance: Bool { error.magnitude <= tolerance.value }

  /// The result as a line.
  package func text(_ texts: Texts) -> String {
    let sign = error < 0 ? "" : "+"
    return texts(
      .calibrationVerified,
      [
        "mass": fixed(mass.value), "reading": fixed(reading.value), "error": sign + fixed(error),
        "divisions": sign + fixed(divisions), "origin": origin.rawValue,
      ]) + "\n"
  }

  /// The result as a JSON object on a line.
  package var json: String {
    let json = JSONWriter.object { json in
      json.field("mass_g", mass.value, decimals: 3)
      json.field("reads_g", reading.value, decimals: 3)
      json.field("error_g", error, decimals: 3)
      json.field("error_divisions", divisions, decimals: 3)
      json.fields(("calibration", origin.rawValue), ("ok", isWithinTolerance))
    }
    return String(decoding: json, as: UTF8.self) + "\n"
  }

  /// What to do if the error is not within the tolerance.
  package func advice(_ texts: Texts) -> String { texts(.calibrationExceeds, ["mass": fixed(tolerance.value)]) }

  private var error: Double { reading.value - mass.value }
  private var divisions: Double { error / division.value }

  private func fixed(_ number: Double) -> String { DecimalText.fixed(number, decimals: 2) }
}
