extension Presses {
  /// A finger that came down in a zone.
  struct Touch: Sendable {
    /// Which one.
    var serial: UInt64
    /// The name of the zone's action.
    var action: String
    /// How far down the pad it is, a fraction of its height.
    var height: Double?
    /// How hard it presses; without end where the axis is at its own.
    var force: Grams
  }

  /// Takes the fingers in zones that one frame has.
  mutating func touch(_ touches: [Touch], followsGap: Bool, _ scene: Scene, _ outcomes: inout [Outcome]) {
    if touches.isEmpty { areZonesSpent = false }
    if followsGap, isOnPad { cancel(scene, &outcomes) }
    if followsGap, !touches.isEmpty { areZonesSpent = true }
    if case .zone(let serial, let from)? = current?.way {
      guard let touch = touches.first(where: { $0.serial == serial }) else {
        lift(scene, &outcomes)
        return self.touch(touches, followsGap: false, scene, &outcomes)
      }
      guard touches.count == 1 else {
        areZonesSpent = true
        return cancel(scene, &outcomes)
      }
      move(touch, from: from, scene, &outcomes)
    } else if let touch = touches.first, !areZonesSpent {
      guard touches.count == 1, current == nil else {
        areZonesSpent = true
        return cancel(scene, &outcomes)
      }
      begin(.zone(serial: touch.serial, from: touch.height), touch.action, scene.latch)
      move(touch, from: touch.height, scene, &outcomes)
    }
  }

  private var isOnPad: Bool {
    switch current?.way {
    case .zone, .added: true
    case .held, nil: first != nil
    }
  }

  private mutating func move(_ touch: Touch, from: Double?, _ scene: Scene, _ outcomes: inout [Outcome]) {
    let slid = from.flatMap { from in touch.height.map { from - $0 } } ?? 0
    current?.gesture.press(
      intention: touch.force.value / scene.confirm.full.value, isInConfirmArea: slid >= scene.confirm.slide,
      threshold: scene.confirm.threshold)
    tell(scene, &outcomes)
  }
}
