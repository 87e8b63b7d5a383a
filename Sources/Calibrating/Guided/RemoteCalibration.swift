import Languages
import Linux
import Messages
import Terminal
import Weighing

/// A guided calibration on the pad of a running appliance, which measures, fits and decides.
package final class RemoteCalibration: GuidedCalibration {
  /// Its session, which a signal may end.
  package let session: RemoteSession
  private let address: String
  private let rest: Interval
  private let shape: CurveShape?
  private var state = RemoteState(.null)
  package private(set) var lastRefusal: MeasurementError?

  /// The interval between two looks at the load.
  private static let interval = Int32(200)
  /// How often the name of the pad is asked for after the start.
  private static let attempts = 20

  /// Makes a calibration that is not started.
  ///
  /// - Parameters:
  ///   - shape: The shape of the curve; `nil` for the best one.
  ///   - address: The appliance, as shown to the user.
  ///   - rest: How long a load must be stable.
  package init(
    shape: CurveShape? = nil, at address: String, rest: Interval, request: @escaping RemoteSession.Request
  ) {
    session = RemoteSession(request: request)
    (self.address, self.rest, self.shape) = (address, rest, shape)
  }

  deinit { session.end() }

  /// Starts a session; without masses for a verification or a self-test.
  ///
  /// - Throws: `MeasurementError`; `.appliance` if another session is under way and not replaced.
  package func start(_ masses: [Grams], replacing: Bool = false) throws(MeasurementError) {
    var fields: [(String, JSONValue)] = [
      ("masses_g", .array(masses.map { .number($0.value) })), ("rest_s", .number(rest.seconds)),
      ("replace", .boolean(replacing)),
    ]
    if let shape { fields.append(("curve", .string(shape.rawValue))) }
    try open(session.perform("start", fields))
    for _ in 0..<Self.attempts where state.pad == nil {
      pause()
      try accept(session.progress())
    }
  }

  package func other() throws(MeasurementError) -> OtherCalibration? {
    let state = RemoteState(try session.progress())
    guard state.isActive else { return nil }
    return OtherCalibration(
      masses: state.masses, measured: state.steps.count { $0.counts != nil }, count: state.steps.count,
      error: .appliance(Sentence(.remoteOther).about(address)))
  }

  package func takeOver(_ texts: Texts) throws(MeasurementError) -> GuidedAnswer {
    try open(session.perform("take_over"))
    if let shape { try perform("fit", [("curve", .string(shape.rawValue))]) }
    var lines: [String] = state.steps.compactMap { step in
      step.counts.map { counts in
        let counts = texts(.calibrationCounts, ["counts": DecimalText.fixed(counts, decimals: 1)])
        return "\(numberText(step.mass.value)) g: \(counts)"
      }
    }
    if let question = state.question { lines.append(texts(Sentence(.calibrationCheck, ["reason": question]))) }
    return GuidedAnswer(lines: lines, objection: objection)
  }

  /// Opens the session that the appliance has given to this dialog.
  private func open(_ answer: JSONValue) throws(MeasurementError) {
    guard let identifier = answer["session"]?.text else { throw .appliance(Sentence(.remoteUnexpected).about(address)) }
    session.open(identifier)
    try accept(answer)
  }

  /// Why the last measurement is probably wrong.
  private var objection: MeasurementError? { state.question.map { .declined(Sentence(.refused, ["reason": $0])) } }

  // MARK: Commands

  private func perform(_ verb: String, _ fields: [(String, JSONValue)] = []) throws(MeasurementError) {
    try accept(session.perform(verb, fields))
  }

  private func accept(_ answer: JSONValue) throws(MeasurementError) {
    state = RemoteState(answer)
    if let end = state.end { throw end.reason == "pad_lost" ? .noPad(end.detail) : .appliance(end.detail) }
  }

  /// Waits until the appliance has nothing to measure any more.
  private func wait(_ body: (RemoteState) -> Void) throws(MeasurementError) {
    while !state.isReady {
      body(state)
      pause()
      try accept(session.progress())
    }
  }

  private func pause() { _ = Signal().wait(milliseconds: Self.interval) }

  // MARK: Steps

  package var padName: String? { state.pad }
  package var place: String { address }

  /// The file in which the calibration is stored; `nil` if it cannot be stored.
  package var storage: String? { state.storage }

  package var step: GuidedStep? {
    state.step.map {
      GuidedStep(number: $0 + 1, count: state.steps.count, instruction: state.instruction ?? .verbatim(""))
    }
  }

  package func measure(_ dialog: TerminalDialog) throws(MeasurementError) -> GuidedAnswer {
    let bar = dialog.progressBar
    defer { bar.clear() }
    try perform("measure")
    var hint = ChangeHint()
    try wait { state in
      if state.awaitsChange, let instruction = state.instruction { hint.show(instruction, on: dialog) }
      if let load = state.load { bar.show(load.progress, counts: load.counts, dialog.texts) }
    }
    lastRefusal =
      objection
      ?? state.note.flatMap { $0.reason == "unstable" ? .declined(Sentence(.refused, ["reason": $0.detail])) : nil }
    return GuidedAnswer(lines: state.note.map { [dialog.texts($0.detail)] } ?? [], objection: objection)
  }

  package func keep() throws(MeasurementError) { try perform("keep") }
  package func repeatStep() throws(MeasurementError) { try perform("repeat") }
  package func skip() throws(MeasurementError) { try perform("skip") }

  package func goBack() throws(MeasurementError) {
    if let step = state.step, step > 0 { try perform("select", [("step", .number(Double(step - 1)))]) }
  }

  // MARK: Fit

  package var fitRefusal: FitRefusal? {
    guard let fit = state.fit, fit["ok"]?.isTrue == false, let reason = Sentence(fit, "detail") else { return nil }
    return FitRefusal(
      error: .declined(Sentence(.refused, ["reason": reason])), reason: reason,
      suspect: fit["suspect_g"]?.value.map { Grams($0) })
  }

  package func correct(_ mass: Grams, to correct: Grams) throws(MeasurementError) {
    guard let index = indices(of: mass).first else { return }
    try perform("correct", [("step", .number(Double(index))), ("mass_g", .number(correct.value))])
  }

  package func leaveOut(_ mass: Grams) throws(MeasurementError) {
    for index in indices(of: mass) {
      try perform("select", [("step", .number(Double(index)))])
      try perform("skip")
    }
  }

  package func measureAgain(_ mass: Grams, _ dialog: TerminalDialog) throws(MeasurementError) -> GuidedAnswer {
    guard let index = indices(of: mass).first else { return GuidedAnswer(lines: []) }
    try leaveOut(mass)
    try perform("select", [("step", .number(Double(index)))])
    var answer = try measure(dialog)
    if answer.objection != nil {
      try keep()
      answer.objection = nil
    }
    if state.step != nil { try perform("select", [("step", .number(Double(state.steps.count)))]) }
    return answer
  }

  private func indices(of mass: Grams) -> [Int] { state.steps.indices.filter { state.steps[$0].mass == mass } }

  // MARK: Result

  /// The fit as it is stored and as a curve, with its explanation and what is in doubt; `nil` without one.
  package var result: RemoteFit? { state.fit.flatMap { RemoteFit($0, steps: state.steps) } }

  /// Puts the calibration in use.
  package func apply(acceptingDoubt: Bool) throws(MeasurementError) {
    try perform("apply", acceptingDoubt ? [("accept_doubt", .boolean(true))] : [])
  }

  // MARK: Verification and self-test

  /// Weighs a known mass.
  package func verify(
    _ mass: Grams, tolerance: Grams?, dialog: TerminalDialog
  ) throws(MeasurementError) -> CalibrationCheck {
    try start([])
    var fields: [(String, JSONValue)] = [("mass_g", .number(mass.value))]
    if let tolerance { fields.append(("tolerance_g", .number(tolerance.value))) }
    try load("verify", fields, dialog)
    guard let reading = state.verification?["reads_g"]?.value else { throw failure }
    return CalibrationCheck(
      mass: mass, reading: Grams(reading), division: state.division, tolerance: tolerance, origin: state.origin)
  }

  /// Performs a self-test; returns whether it is passed.
  package func test(
    _ mass: Grams, rounds: Int, creepTime: Interval, conditions: String?, dialog: TerminalDialog
  ) throws(MeasurementError) -> Bool {
    var fields: [(String, JSONValue)] = [
      ("mass_g", .number(mass.value)), ("times", .number(Double(rounds))), ("creep_s", .number(creepTime.seconds)),
    ]
    if let conditions { fields.append(("conditions", .string(conditions))) }
    try start([])
    try load("self_test", fields, dialog)
    guard let passes = state.selfTestPasses else { throw failure }
    return passes
  }

  private var failure: MeasurementError { .declined(state.note?.detail ?? Sentence(.remoteNoResult)) }

  private func load(
    _ verb: String, _ fields: [(String, JSONValue)], _ dialog: TerminalDialog
  ) throws(MeasurementError) {
    let bar = dialog.progressBar
    defer { bar.clear() }
    try perform(verb, fields)
    var shown = 0
    try wait { state in
      guard let task = state.task else { return }
      if task.number != shown {
        bar.clear()
        if let instruction = state.instruction { dialog.say(dialog.texts(instruction)) }
        shown = task.number
      }
      if let part = task.progress {
        bar.show(part, "")
      } else if let load = state.load {
        bar.show(load.progress, counts: load.counts, dialog.texts)
      }
    }
  }
}
