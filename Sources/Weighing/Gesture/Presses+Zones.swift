extension Presses {
  /// A finger that came down in a zone.
  struct Touch: Sendable {
    /// Which one.
    var serial: UInt64
    /// The name of the zone's action.
    var action: String
    /// How far down the pad it is, a fraction of its height.
    var height: Double?
    /// How hard it presses.
    var force: Grams
  }

  /// Takes the fingers in zones that one frame has.
  mutating func touch(_ touches: [Touch], followsGap: Bool, _ scene: Scene, _ outcomes: inout [Outcome]) {
    if followsGap, isInZone || !touches.isEmpty { spendZones(scene, &outcomes) }
    if touches.isEmpty { areZonesSpent = false }
    guard !areZonesSpent else { return }
    if case .zone(let serial, let from)? = current?.way {
      if touches.count == 1, touches[0].serial == serial { return move(touches[0], from: from, scene, &outcomes) }
      if !touches.contains(where: { $0.serial == serial }) { lift(scene, &outcomes) }
    }
    guard let touch = touches.first else { return }
    guard touches.count == 1, current == nil else { return spendZones(scene, &outcomes) }
    begin(.zone(serial: touch.serial, from: touch.height), touch.action, scene.latch)
    move(touch, from: touch.height, scene, &outcomes)
  }

  /// Cancels the press; fingers in zones count again when all are lifted.
  private mutating func spendZones(_ scene: Scene, _ outcomes: inout [Outcome]) {
    cancel(scene, &outcomes)
    areZonesSpent = true
  }

  /// Heights are fractions: 0.7 - 0.45 is a little under 0.25.
  private static let rounding = 1e-9

  private mutating func move(_ touch: Touch, from: Double?, _ scene: Scene, _ outcomes: inout [Outcome]) {
    let slid = from.flatMap { from in touch.height.map { from - $0 } } ?? 0
    current?.gesture.press(
      intention: touch.force.value / scene.confirm.full.value,
      isInConfirmArea: slid >= scene.confirm.slide - Self.rounding,
      threshold: scene.confirm.threshold)
    tell(scene, &outcomes)
  }
}
