extension Presses {
  /// Takes what happens to a key or button.
  mutating func change(_ change: ButtonChange, _ scene: Scene, _ outcomes: inout [Outcome]) {
    switch change.change {
    case .pressed:
      guard buttonsDown.insert(change.button).inserted else { return }
      // What grows on the pad and is no press yet is a load that somebody puts down before pressing the key.
      if case .added? = current?.way, !isAddedPastThreshold { cancel(scene, &outcomes) }
      guard buttonsDown.count == 1, current == nil, !areZonesSpent else { return cancel(scene, &outcomes) }
      begin(.held(button: change.button, since: scene.now, at: scene.now), change.action, scene.latch)
      hold(scene, &outcomes)
    case .released:
      guard buttonsDown.remove(change.button) != nil, isHeld(change.button) else { return }
      hold(scene, &outcomes)
      lift(scene, &outcomes)
    case .lost:
      guard buttonsDown.remove(change.button) != nil, isHeld(change.button) else { return }
      cancel(scene, &outcomes)
    }
  }

  /// Lets the ring fill with time.
  mutating func hold(_ scene: Scene, _ outcomes: inout [Outcome]) {
    guard case .held(let button, let since, _)? = current?.way else { return }
    let intention = (scene.now - since).seconds / scene.confirm.hold.seconds
    current?.way = .held(button: button, since: since, at: scene.now)
    current?.gesture.press(
      intention: intention, isInConfirmArea: intention >= 1, threshold: scene.confirm.threshold)
    tell(scene, &outcomes)
  }

  /// When the ring of a held key has moved since it was looked at: often while it fills, then when it is past the threshold
  /// and when it is full; `nil` from then on.
  func heldDeadline(since: Instant, at last: Instant, _ confirm: ConfirmSettings, interval: Interval) -> Instant? {
    let past = since + .seconds(confirm.hold.seconds * confirm.threshold) + Self.pastThreshold
    let full = since + confirm.hold
    guard last < full else { return nil }
    return [last + max(interval, Self.minimumStep), past, full].filter { $0 > last }.min()
  }

  /// A ring is not drawn more often than this.
  private static let minimumStep = Interval.milliseconds(10)
  /// The intention has to be above the threshold, not on it.
  private static let pastThreshold = Interval(nanoseconds: 1000)

  private func isHeld(_ button: Int) -> Bool {
    if case .held(button, _, _)? = current?.way { true } else { false }
  }
}
