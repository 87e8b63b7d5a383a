import Languages
import Terminal
import Weighing

/// Asks the user to load and unload the pad, and measures each load. There is no key to press: the pad shows when the load has
/// changed.
struct LoadingDialog {
  private let session: MeasurementSession
  private let dialog: TerminalDialog

  /// Makes a dialog about a pad.
  init(_ session: MeasurementSession, dialog: TerminalDialog) { (self.session, self.dialog) = (session, dialog) }

  /// Performs a procedure with the user.
  func run(_ procedure: inout LoadingProcedure) throws(MeasurementError) {
    let bar = dialog.progressBar
    defer { bar.clear() }
    try session.run(&procedure) { procedure in
      bar.clear()
      if let round = procedure.round {
        dialog.say(dialog.texts(.calibrationProgress, ["number": "\(round.number)", "count": "\(round.count)"]))
      }
      if let task = procedure.task { dialog.say(dialog.texts(task.instruction)) }
    } progress: { procedure, load, now in
      if case .observe(let time)? = procedure.task, let part = procedure.observed(at: now) {
        bar.show(part, seconds(Int(part * time.seconds), of: time))
      } else {
        bar.show(load.duration.seconds / session.gauge.time.seconds, counts: load.counts, dialog.texts)
      }
    }
  }

  /// Asks the user to empty the pad, and waits until the reading is stable and differs from the last load.
  func unload(after load: LoadRest?) throws(MeasurementError) -> LoadRest {
    dialog.say(dialog.texts(LoadingProcedure.Task.unload.instruction))
    return try measure(unlike: load)
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
    dialog.say(dialog.texts(LoadingProcedure.Task.observe(time).instruction))
    let bar = dialog.progressBar
    defer { bar.clear() }
    var samples: [SelfTest.Sample] = [.init(after: .zero, mass: grams(first))]
    try session.observe(for: time) { rest in
      let after = rest.end - first.end
      bar.show(after.seconds / time.seconds, seconds(Int(after.seconds), of: time))
      let previous = samples.last?.after ?? .zero
      if after >= previous + .seconds(1) { samples.append(.init(after: after, mass: grams(rest))) }
    }
    return samples
  }

  private func seconds(_ number: Int, of time: Interval) -> String {
    dialog.texts(.calibrationSeconds, ["number": "\(number)", "count": "\(Int(time.seconds))"])
  }

  private func measure(unlike before: LoadRest?) throws(MeasurementError) -> LoadRest {
    let before = before.map { [$0] } ?? []
    switch try session.measure(unlike: before, patience: LoadingProcedure.patience, on: dialog) {
    case .stable(let rest): return rest
    case .unchanged: throw .unchanged(within: LoadingProcedure.patience)
    case .unstable: throw .unstable(within: LoadingProcedure.patience)
    }
  }
}
