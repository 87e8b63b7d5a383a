extension Presses {
  /// A finger that came down in a zone.
  struct Touch: Sendable {
    /// Which one.
    var serial: UInt64
    /// The name of the zone's action.
    var action: String
    /// How far down the pad it is, a fraction of its height.
    var height: Double?
    /// How far it is outside the zone to the left or right, a fraction of the pad's width.
    var sideways: Double
    /// How hard it presses.
    var force: Grams
    /// The same in counts; `nil` at the end of the axis.
    var counts: Double?
  }

  /// Takes the fingers in zones that one frame has.
  mutating func touch(_ touches: [Touch], followsGap: Bool, _ scene: Scene, _ outcomes: inout [Outcome]) {
    if followsGap, isInZone || !touches.isEmpty { spendZones(scene, &outcomes) }
    if touches.isEmpty { areZonesSpent = false }
    guard !areZonesSpent else { return }
    if case .zone(let press)? = current?.way {
      if touches.count == 1, touches[0].serial == press.serial { return move(touches[0], press, scene, &outcomes) }
      if !touches.contains(where: { $0.serial == press.serial }) { letGo(press, scene, &outcomes) }
    }
    guard let touch = touches.first else { return }
    guard touches.count == 1, current == nil else { return spendZones(scene, &outcomes) }
    let press = ZonePress(
      serial: touch.serial, height: touch.height, steadiness: scene.steadiness(full: scene.confirm.full), at: scene.now)
    begin(.zone(press), touch.action, scene.latch)
    move(touch, press, scene, &outcomes)
  }

  /// Cancels a press that lasts longer than the timeout.
  mutating func timeOutZone(_ scene: Scene, _ outcomes: inout [Outcome]) {
    guard case .zone(let press)? = current?.way, press.since + scene.confirm.timeout <= scene.now else { return }
    cancel(scene, &outcomes)
  }

  /// Cancels the press; fingers in zones count again when all are lifted.
  private mutating func spendZones(_ scene: Scene, _ outcomes: inout [Outcome]) {
    cancel(scene, &outcomes)
    areZonesSpent = true
  }

  private mutating func move(_ touch: Touch, _ press: ZonePress, _ scene: Scene, _ outcomes: inout [Outcome]) {
    if touch.sideways > ZonePress.maximumSidewaysShift + ZonePress.rounding { return spendZones(scene, &outcomes) }
    var press = press
    let intention = touch.force.value / scene.confirm.full.value
    let isInside = press.move(
      to: touch.height, force: intention > ZonePress.minimumIntention * scene.confirm.threshold ? touch.counts : nil,
      slide: scene.confirm.slide, at: scene.now)
    current?.way = .zone(press)
    current?.gesture.press(
      intention: intention, isInConfirmArea: isInside, threshold: scene.confirm.threshold)
    tell(scene, &outcomes)
  }

  /// The finger is off the pad: a confirmed press fires if the finger was lifted, not dragged away.
  private mutating func letGo(_ press: ZonePress, _ scene: Scene, _ outcomes: inout [Outcome]) {
    if !press.isLetGo(at: scene.now, slide: scene.confirm.slide) {
      current = nil
      tell(scene, &outcomes)
    } else {
      lift(scene, &outcomes)
    }
  }
}
