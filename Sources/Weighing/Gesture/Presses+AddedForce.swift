extension Presses {
  /// Takes what the axis says of a pad on which force is added to the load: the gross with the press in it.
  ///
  /// `counts` is the same as the axis says it; `nil` at its end.
  mutating func load(_ gross: Grams, counts: Double?, _ scene: Scene, _ outcomes: inout [Outcome]) {
    if scene.reading.isStable { restedAt = scene.now }
    noticeLift(gross, scene, &outcomes)
    if current == nil { beginAdding(gross, scene) }
    guard case .added(var force)? = current?.way else { return }
    let added = gross - force.base
    force.observe(counts, at: scene.now)
    current?.gesture.press(
      intention: added.value / force.room.full.value, isInConfirmArea: force.hasDwelt,
      threshold: scene.confirm.threshold)
    // Force that comes and goes a third time is kneading or stirring.
    if isAddedPastThreshold, released?.action == .tare {
      released = nil
      return cancel(scene, &outcomes)
    }
    force.backSince = added.magnitude <= force.room.slack ? force.backSince ?? scene.now : nil
    if !force.hasDwelt { force.aboveSince = isAddedPastThreshold ? force.aboveSince ?? scene.now : nil }
    current?.way = .added(force)
    dwell(scene, &outcomes)
  }

  /// Nothing lies on the pad any more, or what does is not known.
  mutating func unload(_ scene: Scene, _ outcomes: inout [Outcome]) {
    rest = nil
    if case .added? = current?.way { current = nil }
    fireReleased(at: scene.now, &outcomes)
    tell(scene, &outcomes)
  }

  /// Lets time pass over a press of added force.
  mutating func dwell(_ scene: Scene, _ outcomes: inout [Outcome]) {
    guard case .added(var force)? = current?.way else { return }
    while let due = force.nextDeadline(scene.confirm), due <= scene.now {
      if force.backSince != nil { return comeBack(scene, &outcomes) }
      // The force does not come back, or rises too slowly: it is a load.
      if force.hasDwelt || force.aboveSince == nil { return cancel(scene, &outcomes) }
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
      fireReleased(at: scene.now, &outcomes)
    }
    rest = rest?.following(latch, limit: limit, scene) ?? RestingLoad(latch, limit: limit, scene)
    restedAt = scene.now
  }

  /// A press begins on a load at rest; the second of two may begin before the load has come to rest again.
  private mutating func beginAdding(_ gross: Grams, _ scene: Scene) {
    guard let rest, let room = rest.room, buttonsDown.isEmpty, gross - rest.latch.gross >= room.minimum else { return }
    guard released != nil || restedAt.map({ scene.now - $0 <= AddedForce.longestOnset }) ?? false else { return }
    begin(
      .added(
        AddedForce(base: rest.latch.gross, room: room, steadiness: scene.steadiness(full: room.full), since: scene.now)),
      (released == nil ? Action.commit : .tare).rawValue, rest.latch)
  }

  /// The force is back at the load: a confirmed press waits for a second one, and two of them for the load to rest.
  private mutating func comeBack(_ scene: Scene, _ outcomes: inout [Outcome]) {
    guard let press = current, case .added(let force) = press.way, press.gesture.state == .confirmed else {
      current = nil
      fireReleased(at: scene.now, &outcomes)
      return tell(scene, &outcomes)
    }
    current = nil
    released = ReleasedPress(
      action: released == nil ? .commit : .tare, latch: press.latch,
      until: (force.backSince ?? scene.now) + scene.confirm.double)
    tell(scene, &outcomes)
  }

  // MARK: What is let go and has not fired yet

  /// Fires what is let go.
  mutating func fireReleased(at time: Instant, _ outcomes: inout [Outcome]) {
    guard let press = released else { return }
    released = nil
    outcomes.append(
      .fire(action: press.action.rawValue, source: .pad, press.latch, wasSeen: press.isLeaving(at: time)))
  }

  /// Fires what is let go when its time is over. A load that may be being lifted gets the time that a lift takes.
  mutating func expireReleased(_ scene: Scene, _ outcomes: inout [Outcome]) {
    guard let press = released, press.until <= scene.now else { return }
    if let since = press.leavingSince, scene.now < since + ReleasedPress.longestLift {
      released?.until = since + ReleasedPress.longestLift
    } else {
      if press.leavingSince != nil { released?.isInPlace = false }
      fireReleased(at: scene.now, &outcomes)
    }
  }

  /// The load cannot be looked at any more: it counts as it was in the last reading.
  mutating func loseSightOfReleased(_ scene: Scene) {
    if released?.leavingSince == nil { released?.leavingSince = scene.now }
  }

  /// Follows the load under a press that is let go: two presses fire as soon as it is at rest again.
  mutating func watchReleased(_ scene: Scene, _ outcomes: inout [Outcome]) {
    guard let press = released, current == nil else { return }
    if let gross = scene.gross, press.leavingSince == nil {
      released?.isInPlace = press.latch?.holds(for: gross) ?? false
    }
    if press.action == .tare, scene.latch != nil { fireReleased(at: scene.now, &outcomes) }
  }

  /// A load that is lifted right after the press fires at once, as it was: a second press cannot follow.
  private mutating func noticeLift(_ gross: Grams, _ scene: Scene, _ outcomes: inout [Outcome]) {
    guard let press = released, current == nil, let latch = press.latch else { return }
    guard gross.value < latch.gross.value - latch.tolerance.value - 5 * scene.noise.value else {
      released?.leavingSince = nil
      return
    }
    guard let since = press.leavingSince else {
      released?.leavingSince = scene.now
      return
    }
    // One frame may be a spike; a pad that is empty says so itself. What stays above half of the load is not lifted, but
    // swapped or partly taken away.
    if since < scene.now, gross.value < latch.gross.value / 2 {
      fireReleased(at: scene.now, &outcomes)
      tell(scene, &outcomes)
    }
  }
}
