import Languages
import Terminal
import Weighing

/// A guided calibration on a pad of this process.
package final class LocalCalibration: GuidedCalibration {
  private let session: MeasurementSession
  private var procedure: CalibrationProcedure
  private var settled: CalibrationTrial?
  /// The shape of the curve; `nil` for the best one.
  package var shape: CurveShape?

  /// Makes a calibration without masses.
  package init(_ session: MeasurementSession) {
    self.session = session
    procedure = CalibrationProcedure(
      masses: [], capacity: session.settings.scale.capacity, division: session.settings.scale.division)
  }

  package var padName: String? { session.gauge.description?.name }
  package var place: String { session.path }

  /// A pad of this process has no other dialog.
  package func other() -> OtherCalibration? { nil }
  package func takeOver(_ texts: Texts) -> GuidedAnswer { GuidedAnswer(lines: []) }

  package func start(_ masses: [Grams], replacing: Bool) {
    procedure = CalibrationProcedure(
      masses: masses, capacity: session.settings.scale.capacity, division: session.settings.scale.division)
  }

  package var step: GuidedStep? {
    procedure.step.map {
      GuidedStep(number: procedure.index + 1, count: procedure.steps.count, instruction: $0.instruction)
    }
  }

  package var lastRefusal: MeasurementError? { procedure.lastError.map { .refused($0) } }

  package func measure(_ dialog: TerminalDialog) throws(MeasurementError) -> GuidedAnswer {
    guard let step = procedure.step else { return GuidedAnswer(lines: []) }
    let result = try session.measure(
      unlike: procedure.earlierLoads, patience: CalibrationSession.measurementTime, instruction: step.instruction,
      on: dialog)
    return Self.answer(procedure.record(result, on: session.gauge), at: step.mass, dialog.texts)
  }

  package func keep() { procedure.keep() }
  package func repeatStep() { procedure.repeatStep() }
  package func skip() { procedure.skip() }
  package func goBack() { procedure.goBack() }

  // MARK: Fit

  /// What was measured and corrected.
  package var trial: CalibrationTrial {
    get {
      var trial = settled ?? procedure.trial
      trial.shape = shape
      return trial
    }
    set { settled = newValue }
  }

  package var fitRefusal: FitRefusal? {
    do throws(CalibrationError) {
      _ = try trial.outcome()
      return nil
    } catch {
      return FitRefusal(error: .refused(error), reason: error.sentence, suspect: error.suspect)
    }
  }

  package func correct(_ mass: Grams, to correct: Grams) {
    trial.observations = trial.observations.map {
      $0.mass == mass ? CalibrationObservation(mass: correct, rest: $0.rest) : $0
    }
  }

  package func leaveOut(_ mass: Grams) { trial.observations.removeAll { $0.mass == mass } }

  package func measureAgain(_ mass: Grams, _ dialog: TerminalDialog) throws(MeasurementError) -> GuidedAnswer {
    // A procedure of its own: that of the other masses is complete.
    var repetition = CalibrationProcedure(
      repeating: mass == .zero ? .empty(isLast: false) : .mass(mass), capacity: session.settings.scale.capacity,
      division: session.settings.scale.division)
    let result = try session.measure(unlike: [], patience: CalibrationSession.measurementTime, on: dialog)
    let answer = repetition.record(result, on: session.gauge)
    switch answer {
    case .kept(let rest), .doubtful(let rest, _), .implausible(let rest, _):
      leaveOut(mass)
      trial.observations.append(CalibrationObservation(mass: mass, rest: rest))
    case .aboveRange, .unstable, .unchanged: break
    }
    return Self.answer(answer, at: mass, dialog.texts)
  }

  // MARK: Texts

  private static func answer(
    _ answer: CalibrationProcedure.Answer, at mass: Grams, _ texts: Texts
  ) -> GuidedAnswer {
    let name = numberText(mass.value)
    switch answer {
    case .kept(let rest): return GuidedAnswer(lines: ["\(name) g: \(describe(rest, texts))"])
    case .doubtful(let rest, let error), .implausible(let rest, let error):
      let lines = [
        "\(name) g: \(describe(rest, texts))", texts(Sentence(.calibrationCheck, ["reason": error.sentence])),
      ]
      guard case .implausible = answer else { return GuidedAnswer(lines: lines) }
      return GuidedAnswer(lines: lines, objection: .refused(error))
    case .aboveRange: return GuidedAnswer(lines: [texts(.calibrationAboveRange)])
    case .unstable(let rest, _):
      return GuidedAnswer(lines: [
        texts(.calibrationUnstable, ["reading": describe(rest, texts)]), texts(.calibrationKeepStill),
      ])
    case .unchanged(let rest):
      return GuidedAnswer(lines: [
        texts(.calibrationUnchanged, ["counts": DecimalText.fixed(rest.counts, decimals: 1)]),
        texts(.calibrationChangeLoad),
      ])
    }
  }

  private static func describe(_ rest: LoadRest, _ texts: Texts) -> String {
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
  /// Like `measure(unlike:patience:progress:)`, with the progress bar of a dialog. The instruction is repeated while the load is
  /// still one of those before.
  func measure(
    unlike before: [LoadRest], patience: Interval, instruction: Sentence? = nil, on dialog: TerminalDialog
  ) throws(MeasurementError) -> LoadMeasurement.Result {
    let bar = dialog.progressBar
    defer { bar.clear() }
    var hint = ChangeHint()
    return try measure(unlike: before, patience: patience) { rest, isUnchanged in
      if isUnchanged, let instruction { hint.show(instruction, on: dialog) }
      bar.show(rest.duration.seconds / gauge.time.seconds, counts: rest.counts, dialog.texts)
    }
  }
}

extension ProgressBar {
  /// Shows a load.
  func show(_ part: Double, counts: Double, _ texts: Texts) {
    show(part, texts(.calibrationCounts, ["counts": DecimalText.fixed(counts, decimals: 1)]))
  }
}
