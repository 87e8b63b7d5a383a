extension PressRecognizer {
  /// A contact whose touch-down was in a zone.
  struct Touch: Sendable {
    /// The serial number of the contact.
    var serial: UInt64
    /// The zone.
    var zone: Zones.Zone
    /// The position, 0...1.
    var position: Position?
    /// The force.
    var force: Grams
    /// The same force in counts; `nil` at the end of the axis.
    var counts: Double?

    /// The vertical position, 0 at the upper edge to 1.
    var height: Double? { position?.y }
    /// Whether the finger has left the zone to the left or right.
    var isBeside: Bool {
      guard let x = position?.x else { return false }
      let distance = max(zone.area.x.lowerBound - x, x - zone.area.x.upperBound)
      return distance > ZonePress.maximumSidewaysShift + UpwardSlide.rounding
    }
  }

  /// Evaluates the contacts in zones of one frame.
  mutating func touch(_ touches: [Touch], followsGap: Bool, _ context: Context, _ outcomes: inout [Outcome]) {
    if followsGap, isInZone || !touches.isEmpty { blockZones(.eventsLost, context, &outcomes) }
    if touches.isEmpty { areZonesBlocked = false }
    guard !areZonesBlocked else { return }
    if let serial = current?.serial {
      if touches.count == 1, touches[0].serial == serial { return move(touches[0], context, &outcomes) }
      if !touches.contains(where: { $0.serial == serial }) { finishTouch(context, &outcomes) }
    }
    guard let touch = touches.first else { return }
    guard touches.count == 1, current == nil else { return blockZones(.interrupted, context, &outcomes) }
    begin(touch, context)
    move(touch, context, &outcomes)
  }

  private mutating func begin(_ touch: Touch, _ context: Context) {
    switch touch.zone.purpose {
    case .action(let action):
      let press = ZonePress(
        serial: touch.serial, height: touch.height, steadiness: context.steadiness(full: context.confirm.full),
        at: context.now)
      begin(.zone(press), action, context.latch, at: context.now)
    case .history:
      let touch = HistoryTouch(
        serial: touch.serial, height: touch.height, weighings: weighings, depth: context.historyDepth, at: context.now)
      begin(.history(touch), "history", nil, at: context.now)
    case .control(let name):
      begin(.control(ControlTouch(serial: touch.serial, name: name, at: context.now)), "", nil, at: context.now)
    }
  }

  /// Cancels a press that lasts longer than the timeout.
  mutating func timeOutZone(_ context: Context, _ outcomes: inout [Outcome]) {
    guard case .zone(let press)? = current?.method, press.since + context.confirm.timeout <= context.now else { return }
    cancel(.tooLong(context.confirm.timeout), context, &outcomes)
  }

  /// Cancels the press and ignores fingers in zones until all are lifted.
  private mutating func blockZones(_ failure: PressFailure, _ context: Context, _ outcomes: inout [Outcome]) {
    cancel(failure, context, &outcomes)
    areZonesBlocked = true
  }

  private mutating func move(_ touch: Touch, _ context: Context, _ outcomes: inout [Outcome]) {
    let intention = touch.force.value / context.confirm.full.value
    switch current?.method {
    case .zone(var press):
      if touch.isBeside { return blockZones(.leftZone, context, &outcomes) }
      let isForceOfPress = intention > ZonePress.minimumIntention * context.confirm.threshold
      let isInside = press.move(
        to: touch.height, force: isForceOfPress ? touch.counts : nil, slide: context.confirm.slide, at: context.now)
      current?.method = .zone(press)
      current?.gesture.press(intention: intention, isInConfirmArea: isInside, threshold: context.confirm.threshold)
    case .history(let scrub):
      if touch.isBeside { return blockZones(.leftZone, context, &outcomes) }
      move(scrub, intention: intention, height: touch.height, context, &outcomes)
    case .control(var control):
      control.move(intention: intention, to: touch.position, in: touch.zone)
      current?.method = .control(control)
      reportControl(context, &outcomes)
    case .added, .held, nil: return
    }
    reportState(context, &outcomes)
  }

  /// Ends the touch of a finger that has left the pad.
  private mutating func finishTouch(_ context: Context, _ outcomes: inout [Outcome]) {
    switch current?.method {
    case .zone(let press): finishZonePress(press, context, &outcomes)
    case .control: endControl(.ended, context, &outcomes)
    // A weighing that was not popped is not recalled.
    case .history: current = nil
    case .added, .held, nil: return
    }
    reportState(context, &outcomes)
  }

  /// Ends the press of a finger that has left the pad: a confirmed press fires if the finger was lifted, not dragged
  /// away.
  private mutating func finishZonePress(_ press: ZonePress, _ context: Context, _ outcomes: inout [Outcome]) {
    guard let failure = press.failure(at: context.now, slide: context.confirm.slide) else {
      return lift(context, &outcomes)
    }
    fail(failure, &outcomes)
    reportState(context, &outcomes)
  }
}
