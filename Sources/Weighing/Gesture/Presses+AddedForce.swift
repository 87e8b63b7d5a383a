extension Presses {
  /// Takes what the axis says of a pad on which force is added to the load: the gross with the press in it.
  mutating func load(_ gross: Grams, _ scene: Scene, _ outcomes: inout [Outcome]) {
    if current == nil { beginAdding(gross) }
    guard case .added(var force)? = current?.way else { return }
    let added = gross - force.base
    current?.gesture.press(
      intention: added.value / force.room.full.value, isInConfirmArea: force.hasDwelt,
      threshold: scene.confirm.threshold)
    force.backSince = added.magnitude <= force.room.slack ? force.backSince ?? scene.now : nil
    if !force.hasDwelt { force.aboveSince = isAddedPastThreshold ? force.aboveSince ?? scene.now : nil }
    current?.way = .added(force)
    dwell(scene, &outcomes)
  }

  /// Nothing lies on the pad any more, or nobody knows what does.
  mutating func unload(_ scene: Scene, _ outcomes: inout [Outcome]) {
    rest = nil
    if case .added? = current?.way { current = nil }
    fireFirst(&outcomes)
    tell(scene, &outcomes)
  }

  /// Lets time pass over a press of added force.
  mutating func dwell(_ scene: Scene, _ outcomes: inout [Outcome]) {
    guard case .added(var force)? = current?.way else { return }
    while let due = force.nextDeadline(scene.confirm), due <= scene.now {
      if force.backSince != nil { return comeBack(scene, &outcomes) }
      // The force does not come back: it was a load.
      if force.hasDwelt { return cancel(scene, &outcomes) }
      force.hasDwelt = true
      current?.way = .added(force)
      let intention = current?.gesture.intention ?? 0
      current?.gesture.press(intention: intention, isInConfirmArea: true, threshold: scene.confirm.threshold)
    }
    tell(scene, &outcomes)
  }

  /// Takes a load that has come to rest: force can be added to it from now on, and what was added was a load.
  mutating func restOn(_ latch: Latch, limit: Grams, _ scene: Scene, _ outcomes: inout [Outcome]) {
    if case .added(let force)? = current?.way {
      // The press is younger than the reading, or on its way back.
      if (latch.gross - force.base).magnitude <= force.room.slack { return }
      current = nil
      fireFirst(&outcomes)
    }
    rest = rest?.following(latch, limit: limit, scene) ?? RestingLoad(latch, limit: limit, scene)
  }

  private mutating func beginAdding(_ gross: Grams) {
    guard let rest, let room = rest.room, buttonsDown.isEmpty, gross - rest.latch.gross >= room.least else { return }
    begin(
      .added(AddedForce(base: rest.latch.gross, room: room)), (first == nil ? Action.commit : .tare).rawValue,
      rest.latch)
  }

  /// The force is back at the load: a confirmed press waits for a second one, and as the second one fires.
  private mutating func comeBack(_ scene: Scene, _ outcomes: inout [Outcome]) {
    guard let press = current, case .added(let force) = press.way, press.gesture.state == .confirmed else {
      current = nil
      fireFirst(&outcomes)
      return tell(scene, &outcomes)
    }
    if first == nil {
      current = nil
      first = FirstPress(latch: press.latch, until: (force.backSince ?? scene.now) + scene.confirm.double)
      tell(scene, &outcomes)
    } else {
      first = nil
      lift(scene, &outcomes)
    }
  }
}
