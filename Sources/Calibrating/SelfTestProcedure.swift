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
    var test = SelfTest(limits: SelfTest.Limits(division: division))
    var loading = LoadingDialog(session, dialog: dialog)
    var last: LoadRest?
    func grams(_ rest: LoadRest) -> Grams { session.calibration?.mass(atCounts: rest.counts) ?? .zero }
    for round in 1...rounds {
      dialog.say("\(round) of \(rounds)")
      let zero = try loading.unload(after: last)
      let load = try loading.load(mass)
      test.zeros.append(grams(zero))
      test.loads.append(grams(load) - grams(zero))
      last = load
    }
    guard let first = last else { return test }
    test.creep = try loading.observe(first, for: creepTime, grams)
    test.zeros.append(grams(try loading.unload(after: last)))
    return test
  }
}
