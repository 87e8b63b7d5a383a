extension Presses {
  /// Takes what the axis says of a pad on which force is added to the load: the gross with the press in it.
  ///
  /// - Parameter limit: The most that can be weighed.
  mutating func load(_ gross: Grams, limit: Grams, _ scene: Scene, _ outcomes: inout [Outcome]) {
    if current == nil { beginAdding(gross, limit: limit, scene) }
    guard case .added(var force)? = current?.way, let base = current?.latch else { return }
    let added = gross - base.gross
    if added.magnitude <= force.slack {
      force.backSince = force.backSince ?? scene.now
    } else {
      force.backSince = nil
    }
    let intention = added.value / force.full.value
    let isAbove = intention > scene.confirm.threshold || intention >= 1
    if !force.hasDwelt { force.aboveSince = isAbove ? force.aboveSince ?? scene.now : nil }
    current?.way = .added(force)
    current?.gesture.press(
      intention: intention, isInConfirmArea: force.hasDwelt, threshold: scene.confirm.threshold)
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
    if let above = force.aboveSince {
      if above + scene.confirm.dwell <= scene.now, !force.hasDwelt {
        force.hasDwelt = true
        current?.way = .added(force)
        let intention = current?.gesture.intention ?? 0
        current?.gesture.press(intention: intention, isInConfirmArea: true, threshold: scene.confirm.threshold)
      }
      if force.hasDwelt, above + scene.confirm.dwell + AddedForce.longestConfirmed <= scene.now {
        return abandon(scene, &outcomes)
      }
    }
    if let back = force.backSince, back + AddedForce.back <= scene.now { return comeBack(scene, &outcomes) }
    tell(scene, &outcomes)
  }

  /// Takes a load that has come to rest: force can be added to it from now on, and what was added was a load.
  mutating func restOn(_ latch: Latch, _ scene: Scene, _ outcomes: inout [Outcome]) {
    if case .added(let force)? = current?.way {
      // The press is younger than the reading, or on its way back.
      if let base = current?.latch, (latch.gross - base.gross).magnitude <= force.slack { return }
      abandon(scene, &outcomes)
    }
    if current == nil { rest = latch }
  }

  private mutating func beginAdding(_ gross: Grams, limit: Grams, _ scene: Scene) {
    guard let rest, !isUnavailable, buttonsDown.isEmpty,
      let force = AddedForce(headroom: limit - rest.gross, full: scene.confirm.full, motion: scene.motion),
      gross - rest.gross >= force.least
    else { return }
    begin(.added(force), (first == nil ? Action.commit : .tare).rawValue, rest)
  }

  /// The force is back at the load: a confirmed press fires, or waits for a second one.
  private mutating func comeBack(_ scene: Scene, _ outcomes: inout [Outcome]) {
    guard let press = current, case .added(let force) = press.way else { return }
    if press.gesture.state == .confirmed, first == nil {
      current = nil
      first = FirstPress(latch: press.latch, until: (force.backSince ?? scene.now) + scene.confirm.double)
      tell(scene, &outcomes)
    } else if press.gesture.state == .confirmed {
      first = nil
      lift(scene, &outcomes)
    } else {
      cancel(scene, &outcomes)
    }
  }

  /// The force does not come back: it was a load.
  private mutating func abandon(_ scene: Scene, _ outcomes: inout [Outcome]) {
    rest = nil
    cancel(scene, &outcomes)
  }
}
