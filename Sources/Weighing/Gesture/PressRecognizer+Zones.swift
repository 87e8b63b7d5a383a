extension PressRecognizer {
  /// A contact whose touch-down was in a zone.
  struct Touch: Sendable {
    /// The serial number of the contact.
    var serial: UInt64
    /// The name of the zone's action.
    var action: String
    /// The vertical position, 0 at the upper edge to 1.
    var height: Double?
    /// The distance from the zone to the left or right, as a fraction of the pad's width.
    var sideways: Double
    /// The force.
    var force: Grams
    /// The same force in counts; `nil` at the end of the axis.
    var counts: Double?
  }

  /// Evaluates the contacts in zones of one frame.
  mutating func touch(_ touches: [Touch], followsGap: Bool, _ context: Context, _ outcomes: inout [Outcome]) {
    if followsGap, isInZone || !touches.isEmpty { blockZones(context, &outcomes) }
    if touches.isEmpty { areZonesBlocked = false }
    guard !areZonesBlocked else { return }
    if case .zone(let press)? = current?.method {
      if touches.count == 1, touches[0].serial == press.serial { return move(touches[0], press, context, &outcomes) }
      if !touches.contains(where: { $0.serial == press.serial }) { finishZonePress(press, context, &outcomes) }
    }
    guard let touch = touches.first else { return }
    guard touches.count == 1, current == nil else { return blockZones(context, &outcomes) }
    let press = ZonePress(
      serial: touch.serial, height: touch.height, steadiness: context.steadiness(full: context.confirm.full),
      at: context.now)
    begin(.zone(press), touch.action, context.latch)
    move(touch, press, context, &outcomes)
  }

  /// Cancels a press that lasts longer than the timeout.
  mutating func timeOutZone(_ context: Context, _ outcomes: inout [Outcome]) {
    guard case .zone(let press)? = current?.method, press.since + context.confirm.timeout <= context.now else { return }
    cancel(context, &outcomes)
  }

  /// Cancels the press and ignores fingers in zones until all are lifted.
  private mutating func blockZones(_ context: Context, _ outcomes: inout [Outcome]) {
    cancel(context, &outcomes)
    areZonesBlocked = true
  }

  private mutating func move(_ touch: Touch, _ press: ZonePress, _ context: Context, _ outcomes: inout [Outcome]) {
    if touch.sideways > ZonePress.maximumSidewaysShift + ZonePress.rounding { return blockZones(context, &outcomes) }
    var press = press
    let intention = touch.force.value / context.confirm.full.value
    let isInside = press.move(
      to: touch.height, force: intention > ZonePress.minimumIntention * context.confirm.threshold ? touch.counts : nil,
      slide: context.confirm.slide, at: context.now)
    current?.method = .zone(press)
    current?.gesture.press(
      intention: intention, isInConfirmArea: isInside, threshold: context.confirm.threshold)
    reportState(context, &outcomes)
  }

  /// Ends the press of a finger that has left the pad: a confirmed press fires if the finger was lifted, not dragged
  /// away.
  private mutating func finishZonePress(_ press: ZonePress, _ context: Context, _ outcomes: inout [Outcome]) {
    if !press.isReleasedByFinger(at: context.now, slide: context.confirm.slide) {
      current = nil
      reportState(context, &outcomes)
    } else {
      lift(context, &outcomes)
    }
  }
}
