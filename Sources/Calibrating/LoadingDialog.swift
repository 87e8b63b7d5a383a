import Terminal
import Weighing

/// Asks the user to load and unload the pad, and measures each load. There is no key to press: the pad shows when the load has
/// changed.
struct LoadingDialog {
  private let session: MeasurementSession
  private let dialog: TerminalDialog
  /// The empty pad.
  private var empty = LoadRest(counts: 0)

  /// Longer than in the guide, because there is no key to press when the load is ready.
  private static let patience = Interval.seconds(120)

  /// Makes a dialog about a pad.
  init(_ session: MeasurementSession, dialog: TerminalDialog) {
    (self.session, self.dialog) = (session, dialog)
  }

  /// Asks the user to empty the pad, and waits until the reading is stable and differs from the last load.
  mutating func unload(after load: LoadRest?) throws(MeasurementError) -> LoadRest {
    dialog.say("Take everything off the pad.")
    empty = try measure(unlike: load)
    return empty
  }

  /// Asks for a mass, and waits until its reading is stable.
  func load(_ mass: Grams) throws(MeasurementError) -> LoadRest {
    dialog.say("Put \(DecimalText.fixed(mass.value, decimals: 1)) g on the pad.")
    let load = try measure(unlike: empty)
    guard !load.isAtMaximum else { throw .aboveRange }
    return load
  }

  private func measure(unlike before: LoadRest?) throws(MeasurementError) -> LoadRest {
    let before = before.map { [$0] } ?? []
    switch try session.measure(unlike: before, patience: Self.patience, on: dialog.progressBar) {
    case .stable(let rest): return rest
    case .unchanged: throw .unchanged(within: Self.patience)
    case .unstable: throw .unstable(within: Self.patience)
    }
  }
}
