extension PressRecognizer {
  /// Evaluates the force on a pad where presses are added to the load: the gross with the press in it.
  ///
  /// `counts` is the same force in counts; `nil` at the end of the axis.
  mutating func load(_ gross: Grams, counts: Double?, _ context: Context, _ outcomes: inout [Outcome]) {
    if context.reading.isStable { restedAt = context.now }
    let sample = ForceSample(gross: gross, time: context.now)
    defer { lastForce = sample }
    detectLift(gross, context, &outcomes)
    detectLateRelease(gross, context, &outcomes)
    if case .added(let force)? = current?.method, let end = force.end(before: sample) {
      finishAddedForce(at: end, context, &outcomes)
    }
    if current == nil { beginAdding(gross, context) }
    guard case .added(var force)? = current?.method else { return }
    current?.gesture.press(
      intention: (gross - force.base).value / force.room.full.value, isInConfirmArea: force.hasDwelt,
      threshold: context.confirm.threshold)
    force.observe(
      sample, after: lastForce, counts: counts, threshold: context.confirm.threshold, isAbove: isAddedPastThreshold)
    current?.method = .added(force)
    current?.isShown = force.isSeen
    // A third press right after two is kneading or stirring.
    if isAddedPastThreshold, force.isSeen, released?.action == .tare {
      discardReleased(.thirdPress, &outcomes)
      return cancel(.thirdPress, context, &outcomes)
    }
    dwell(context, &outcomes)
  }

  /// Forgets the load: the pad is empty, or its load is unknown.
  ///
  /// - Parameter failure: Why a press on the load fires nothing.
  mutating func unload(_ failure: PressFailure, _ context: Context, _ outcomes: inout [Outcome]) {
    rest = nil
    lastForce = nil
    if case .added? = current?.method { fail(failure, &outcomes) }
    fireReleased(at: context.now, &outcomes)
    reportState(context, &outcomes)
  }

  /// Evaluates the time that has passed during a press of added force.
  mutating func dwell(_ context: Context, _ outcomes: inout [Outcome]) {
    guard case .added(var force)? = current?.method else { return }
    while let due = force.nextDeadline(context.confirm), due <= context.now {
      if let end = force.backSince { return finishAddedForce(at: end, context, &outcomes) }
      // The force is not released, or rises too slowly: it is a load.
      guard force.isAwaitingDwell else { return treatAsLoad(force, context, &outcomes) }
      force.hasDwelt = true
      current?.method = .added(force)
      let intention = current?.gesture.intention ?? 0
      current?.gesture.press(intention: intention, isInConfirmArea: true, threshold: context.confirm.threshold)
      reportState(context, &outcomes)
    }
    reportState(context, &outcomes)
  }

  /// Updates the load to which force can be added: a load has come to rest, so the added force was a load.
  mutating func updateRest(_ latch: Latch, limit: Grams, _ context: Context, _ outcomes: inout [Outcome]) {
    if case .added(let force)? = current?.method {
      // The press is newer than the reading, or is being released.
      if (latch.gross - force.base).magnitude <= force.room.slack { return }
      fail(.loadChanged, &outcomes)
      fireReleased(at: context.now, &outcomes)
    }
    rest = rest?.following(latch, limit: limit, context) ?? RestingLoad(latch, limit: limit, context)
    restedAt = context.now
  }

  /// Begins a press on a load at rest; the second of two may begin before the load has come to rest again.
  private mutating func beginAdding(_ gross: Grams, _ context: Context) {
    guard let rest, let room = rest.room, buttonsDown.isEmpty, gross - rest.latch.gross >= room.minimum else { return }
    guard released != nil || restedAt.map({ context.now - $0 <= AddedForce.longestOnset }) ?? false else { return }
    let isConfirmable = released.map { $0.action != nil } ?? true
    begin(
      .added(AddedForce(base: rest.latch.gross, room: room, isConfirmable: isConfirmable, context)),
      (released == nil ? Action.commit : .tare).rawValue, rest.latch, at: context.now)
    current?.isShown = !context.deliversEverySample
  }

  /// Ends a press whose force is back at the load: a confirmed one waits for a second one, and two for the load to
  /// rest.
  ///
  /// A press that was too short fires nothing, and neither does the one before or after it: half of a double press is
  /// not a single one. A touch changes nothing.
  private mutating func finishAddedForce(at end: Instant, _ context: Context, _ outcomes: inout [Outcome]) {
    guard let press = current, case .added(let force) = press.method else { return }
    current = nil
    if force.isHard, force.isSeen {
      let isConfirmed = press.gesture.state == .confirmed
      if !isConfirmed { discardReleased(released?.action == .tare ? .thirdPress : .unequalPresses, &outcomes) }
      released = ReleasedPress(
        action: isConfirmed ? released == nil ? .commit : .tare : nil, latch: press.latch,
        pairing: released == nil ? press.pairing : nil, until: end + context.confirm.double + context.period)
    }
    reportState(context, &outcomes)
  }

  /// Ends a press whose force is a load. A released press before it waits until that load is at rest.
  ///
  /// A confirmed press that is still held may yet be released; a load remains.
  private mutating func treatAsLoad(_ force: AddedForce, _ context: Context, _ outcomes: inout [Outcome]) {
    released?.secondPress = force.base - force.room.slack...force.base + force.room.slack
    released?.isInPlace = false
    released?.until = context.now + ReleasedPress.longestRest
    rest = nil
    if let press = current, press.gesture.state == .confirmed, force.isHeld {
      overdue = OverduePress(press, force, context)
      current = nil
    } else {
      fail(.loadChanged, &outcomes)
    }
    reportState(context, &outcomes)
  }

  /// Evaluates the force of a press that was held for too long.
  private mutating func detectLateRelease(_ gross: Grams, _ context: Context, _ outcomes: inout [Outcome]) {
    switch overdue?.observe(gross, context) {
    case .held, nil: break
    case .load: overdue = nil
    case .released: releaseOverdue(&outcomes)
    }
  }

  /// Says why a press that was released too late has fired nothing.
  mutating func releaseOverdue(_ outcomes: inout [Outcome]) {
    guard let press = overdue else { return }
    outcomes.append(.fail(action: press.action, source: .pad, press.failure))
    overdue = nil
  }

  // MARK: Released presses that have not fired yet

  /// Discards the released press, if there is one, and says why.
  private mutating func discardReleased(_ failure: PressFailure, _ outcomes: inout [Outcome]) {
    if let action = released?.name {
      outcomes.append(.fail(action: action, source: .pad, failure))
    }
    released = nil
  }

  /// Fires the released press, if there is one.
  mutating func fireReleased(at time: Instant, _ outcomes: inout [Outcome]) {
    guard let press = released else { return }
    released = nil
    guard let action = press.name else { return }
    let fired = FiredPress(
      since: time, latch: press.latch, isLatchChecked: press.isLeaving(at: time), pairing: press.pairing)
    outcomes.append(.fire(action: action, source: .pad, fired))
  }

  /// Fires the released press when its time is over. If the load is possibly being lifted, it waits for the end of the
  /// lift.
  mutating func expireReleased(_ context: Context, _ outcomes: inout [Outcome]) {
    guard let press = released, press.until <= context.now else { return }
    if let since = press.leavingSince, context.now < since + ReleasedPress.longestLift {
      released?.until = since + ReleasedPress.longestLift
    } else {
      if press.leavingSince != nil { released?.isInPlace = false }
      fireReleased(at: context.now, &outcomes)
    }
  }

  /// Keeps the load of the released press as it was in the last reading: it can no longer be measured.
  mutating func freezeReleased(_ context: Context) {
    if released?.leavingSince == nil { released?.leavingSince = context.now }
  }

  /// Evaluates the load under a released press: two presses fire as soon as it is at rest again, and so does one that was
  /// followed by a load.
  mutating func watchReleased(_ context: Context, _ outcomes: inout [Outcome]) {
    guard let press = released, current == nil else { return }
    if let gross = context.gross, press.leavingSince == nil {
      released?.isInPlace = press.latch?.holds(for: gross) ?? false
    }
    guard let load = context.latch else { return }
    if let range = press.secondPress, range.contains(load.gross) {
      discardReleased(.unequalPresses, &outcomes)
    } else if press.secondPress != nil || press.action == .tare {
      fireReleased(at: context.now, &outcomes)
    }
  }

  /// Fires the released press with its latched load as soon as the load is lifted: a second press cannot follow.
  private mutating func detectLift(_ gross: Grams, _ context: Context, _ outcomes: inout [Outcome]) {
    guard let press = released, current == nil, let latch = press.latch else { return }
    guard gross.value < latch.gross.value - latch.tolerance.value - 5 * context.noise.value else {
      released?.leavingSince = nil
      return
    }
    guard let since = press.leavingSince else {
      released?.leavingSince = context.now
      return
    }
    // One frame may be a spike; an empty pad is handled by its reading. A load that remains above half is not lifted,
    // but swapped or partly taken away.
    if since < context.now, gross.value < latch.gross.value / 2 {
      fireReleased(at: context.now, &outcomes)
      reportState(context, &outcomes)
    }
  }
}
