extension PressRecognizer {
  /// Evaluates a change of a key or button.
  mutating func change(_ change: ButtonChange, _ context: Context, _ outcomes: inout [Outcome]) {
    switch change.change {
    case .pressed:
      guard buttonsDown.insert(change.button).inserted else { return }
      // Force that grows and is no press yet is a load that the user puts down before pressing the key.
      if case .added? = current?.method, !isAddedPastThreshold || current?.isShown == false {
        cancel(.interrupted, context, &outcomes)
      }
      guard buttonsDown.count == 1, current == nil, !areZonesBlocked else {
        return cancel(.interrupted, context, &outcomes)
      }
      begin(
        .held(button: change.button, since: context.now, at: context.now), change.action, context.latch,
        at: context.now)
      hold(context, &outcomes)
    case .released:
      guard buttonsDown.remove(change.button) != nil, isHeld(change.button) else { return }
      hold(context, &outcomes)
      lift(context, &outcomes)
    case .lost:
      guard buttonsDown.remove(change.button) != nil, isHeld(change.button) else { return }
      cancel(.eventsLost, context, &outcomes)
    }
  }

  /// Fills the ring with the time that has passed.
  mutating func hold(_ context: Context, _ outcomes: inout [Outcome]) {
    guard case .held(let button, let since, _)? = current?.method else { return }
    let intention = (context.now - since).seconds / context.confirm.hold.seconds
    current?.method = .held(button: button, since: since, at: context.now)
    current?.gesture.press(intention: intention, isInConfirmArea: intention >= 1, threshold: context.confirm.threshold)
    reportState(context, &outcomes)
  }

  /// When the ring of a held key is updated next: at short intervals while it fills, at the threshold and when it is
  /// full; `nil` from then on.
  func heldDeadline(since: Instant, at last: Instant, _ confirm: ScaleSettings.Confirm, interval: Interval) -> Instant?
  {
    let past = since + .seconds(confirm.hold.seconds * confirm.threshold) + Self.pastThreshold
    let full = since + confirm.hold
    guard last < full else { return nil }
    return [last + max(interval, Self.minimumStep), past, full].filter { $0 > last }.min()
  }

  /// The least time between two updates of a ring.
  private static let minimumStep = Interval.milliseconds(10)
  /// Added to the time of the threshold, because the intention has to be above it.
  private static let pastThreshold = Interval(nanoseconds: 1000)

  private func isHeld(_ button: Int) -> Bool { if case .held(button, _, _)? = current?.method { true } else { false } }
}
