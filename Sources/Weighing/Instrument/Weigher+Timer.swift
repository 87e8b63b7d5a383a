/// The timer, which follows the pours on the pad.
extension Weigher {
  /// Performs a request for the timer.
  mutating func runTimer(
    _ parameters: ActionArguments, at now: Instant, _ effects: inout [Effect]
  ) throws(Rejection) {
    guard case .timer(let command) = parameters else { throw .badPayload }
    if let change = instruments.timer.perform(command, at: now) { report(change, at: now, &effects) }
  }

  /// Starts or stops the timer with a pour; returns whether it has.
  @discardableResult
  mutating func followPour(at now: Instant, _ effects: inout [Effect]) -> Bool {
    guard instruments.timer.followsPours else { return false }
    // The reading is still that of the last frame; each is observed before the next one.
    let minimum = max(settings.scale.minimum, settings.scale.division.step)
    instruments.timer.observe(reading, gross: gross, minimum: minimum)
    guard pad?.isCalibrated != false,
      let change = instruments.timer.follow(meter.pour, settings.timer, at: now)
    else { return false }
    report(change, at: now, &effects)
    return true
  }

  /// When the flow has to be evaluated or the timer shows another second; `nil` while both stand still.
  var instrumentDeadline: Instant? {
    @inline(__always) get {
      var earliest = EarliestInstant()
      earliest.include(meter.flowDeadline)
      earliest.include(instruments.timer.nextDeadline(after: reading.time))
      return earliest.instant
    }
  }

  /// Evaluates flow and timer alone; returns whether the reading has to show them.
  mutating func advanceInstruments(to now: Instant, _ effects: inout [Effect]) -> Bool {
    let isSecondOver = instruments.timer.nextDeadline(after: reading.time).map { $0 <= now } ?? false
    let isFlowChanged = advanceFlow(to: now)
    return followPour(at: now, &effects) || isFlowChanged || isSecondOver
  }

  private func report(_ change: FlowTimer.Change, at now: Instant, _ effects: inout [Effect]) {
    let kind: ScaleEvent.Kind =
      switch change {
      case .started(let elapsed, let pour, let pause): .timerStarted(elapsed, pours: pour, pause: pause)
      case .stopped(let elapsed, let isAmended):
        .timerStopped(elapsed, pours: instruments.timer.pours, isAmended: isAmended)
      }
    effects.append(event(kind, at: now))
  }
}
