extension PressRecognizer {
  /// Evaluates a frame of a finger in the zone `history`.
  mutating func move(
    _ touch: HistoryTouch, intention: Double, height: Double?, _ context: Context, _ outcomes: inout [Outcome]
  ) {
    var touch = touch
    let isPopped = touch.move(
      intention: intention, height: height, slide: context.confirm.slide, at: context.now)
    current?.method = .history(touch)
    if isPopped, let weighing = touch.preview { outcomes.append(.recall(weighing)) }
  }

  /// Evaluates the time that has passed: a finger that moves no more is silent.
  mutating func advanceHistory(_ context: Context, _ outcomes: inout [Outcome]) {
    guard case .history(var touch)? = current?.method else { return }
    let isPopped = touch.evaluate(slide: context.confirm.slide, at: context.now)
    current?.method = .history(touch)
    if isPopped, let weighing = touch.preview { outcomes.append(.recall(weighing)) }
  }

  /// Reports the level of a control if it is due.
  mutating func reportControl(_ context: Context, _ outcomes: inout [Outcome]) {
    guard case .control(var touch)? = current?.method,
      let report = touch.dueReport(at: context.now, interval: context.interval)
    else { return }
    current?.method = .control(touch)
    outcomes.append(.control(report))
  }

  /// Ends the touch of a control with its last report.
  mutating func endControl(_ state: ControlReport.State, _ context: Context, _ outcomes: inout [Outcome]) {
    guard case .control(let touch)? = current?.method else { return }
    current = nil
    outcomes.append(.control(touch.report(state, at: context.now)))
  }
}
