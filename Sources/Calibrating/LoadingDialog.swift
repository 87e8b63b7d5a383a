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
    try change("Put \(DecimalText.fixed(mass.value, decimals: 1)) g on the pad.", from: empty)
  }

  /// Asks the user to change the load, and waits until the reading is stable and differs from the last load.
  func change(_ instruction: String, from before: LoadRest?) throws(MeasurementError) -> LoadRest {
    dialog.say(instruction)
    let load = try measure(unlike: before)
    guard !load.isAtMaximum else { throw .aboveRange }
    return load
  }

  /// Samples a resting load about once a second.
  ///
  /// - Parameter grams: Converts a measurement to a mass.
  func observe(
    _ first: LoadRest, for time: Interval, _ grams: (LoadRest) -> Grams
  ) throws(MeasurementError) -> [SelfTest.Sample] {
    dialog.say("Leave it on the pad for \(DecimalText.fixed(time.seconds, decimals: 0)) s.")
    let bar = dialog.progressBar
    defer { bar.clear() }
    var samples: [SelfTest.Sample] = [.init(after: .zero, mass: grams(first))]
    try session.observe(for: time) { rest in
      let after = rest.end - first.end
      bar.show(after.seconds / time.seconds, "\(Int(after.seconds)) of \(Int(time.seconds)) s")
      let previous = samples.last?.after ?? .zero
      if after >= previous + .seconds(1) { samples.append(.init(after: after, mass: grams(rest))) }
    }
    return samples
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
