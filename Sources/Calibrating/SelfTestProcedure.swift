import Languages
import Terminal
import Weighing

/// Performs a self-test: the user puts one mass on and takes it off several times, then leaves it on the pad for the creep test.
package struct SelfTestProcedure {
  private let mass: Grams
  private let rounds: Int
  private let creepTime: Interval

  /// Makes a procedure.
  ///
  /// - Parameters:
  ///   - rounds: How often the mass is put on.
  ///   - creepTime: The duration of the creep test.
  package init(mass: Grams, rounds: Int, creepTime: Interval) {
    (self.mass, self.rounds, self.creepTime) = (mass, rounds, creepTime)
  }

  /// Performs the test with the user.
  ///
  /// - Throws: `.noPad`, `.unchanged`, `.unstable`, `.aboveRange`.
  package func run(
    on session: MeasurementSession, division: Division, dialog: TerminalDialog = TerminalDialog()
  ) throws(MeasurementError) -> SelfTest {
    var procedure = LoadingProcedure.selfTest(of: mass, rounds: rounds, creepTime: creepTime)
    try LoadingDialog(session, dialog: dialog).run(&procedure)
    guard let calibration = session.calibration else { throw .noPad(Sentence(.padDisconnected)) }
    return procedure.selfTest(calibration, limits: SelfTest.Limits(division: division))
  }
}
