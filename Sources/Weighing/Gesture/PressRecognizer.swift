/// Recognises presses on the pad and its buttons: one at a time; a second one cancels the first.
///
/// `PressTracker` passes every frame and every deadline and receives outcomes.
struct PressRecognizer: Sendable {
  /// The outcome of a press.
  enum Outcome: Sendable {
    /// The press was confirmed and released: the action is due, on the latched load if it is still on the pad.
    case fire(action: String, source: ActionSource, FiredPress)
    /// The press was confirmed, and ended without firing.
    case fail(action: String, source: ActionSource, PressFailure)
    /// A weighing was recalled by a slide in the zone `history`.
    case recall(RecordedWeighing)
    /// The state, the force or the position of a control has to be reported.
    case control(ControlReport)
    /// The state or the intention has to be reported.
    case report(GestureReport)
    /// A light or a sound is due.
    case feedback(Feedback)
  }

  /// The state of the scale at a press.
  struct Context: Sendable {
    /// The current time.
    var now: Instant
    /// The settings for presses.
    var confirm: ScaleSettings.Confirm
    /// The movement that the configuration allows for a load at rest.
    var motion: Grams
    /// The least time between two reports in the same state.
    var interval: Interval
    /// The number of weighings that the zone `history` reaches.
    var historyDepth: Int
    /// The current reading.
    var reading: Reading
    /// Its gross, unrounded; `nil` without a load and in overload.
    var gross: Grams?
    /// The time between two samples of the pad; zero if it does not matter for a press.
    var period: Interval
    /// The noise of a single frame, one standard deviation.
    var noise: Grams
    /// The same in counts.
    var sampleDeviation: Double
    /// Whether the pad delivers each sample, repeated values included.
    var deliversEverySample: Bool
    /// Whether the description of the pad says so, so that another sample always follows.
    var isConverter: Bool
    /// The largest gross that added force can reach; `nil` on a pad where presses are made in zones.
    var limit: Grams?
    /// One standard uncertainty of the gross without that of the calibration.
    var deviation: Grams
    /// Whether the newest frame agrees with the reading: in the frame in which the load changes, the reading is still
    /// that of the old load.
    var isConsistent: Bool

    /// Makes a measurement of the force of a press that begins.
    func steadiness(full: Grams) -> SteadyForce {
      SteadyForce(deviation: sampleDeviation, noise: noise, full: full, at: now)
    }

    /// The load, if it is at rest.
    var latch: Latch? {
      guard reading.isStable, isConsistent, let gross else { return nil }
      return Latch(reading: reading, gross: gross, deviation: deviation)
    }
  }

  /// The press in progress.
  var current: Press?
  /// Whether fingers in zones are ignored: their press was cancelled. They count again when all are lifted.
  var areZonesBlocked = false
  var buttonsDown: Set<Int> = []
  /// One or two presses of added force that are released and have not fired yet.
  var released: ReleasedPress?
  /// The load to which force can be added: the last one that came to rest.
  var rest: RestingLoad?
  /// When that load was last at rest.
  var restedAt: Instant?
  /// The force of the last frame.
  var lastForce: ForceSample?
  /// A confirmed press that was not released in time.
  var overdue: OverduePress?
  /// The request to act that a press is meant for if it begins now.
  var pairing: UInt64?
  /// The newest weighings that are not voided, newest first.
  var weighings: [RecordedWeighing] = []

  private var throttle = GestureThrottle()
  /// What the pad signals.
  private(set) var shown = Feedback.ended
  private var shownPreview: Int?
  private var action = Action.commit.rawValue

  /// Whether there is no press, and nothing is due or unreported. Updated by `reportState`, with which every change
  /// ends.
  ///
  /// This is the common case: checking it first reads one byte instead of a press with two readings in it.
  private(set) var isQuiet = true

  /// The value of `isQuiet` after a change.
  @inline(__always)
  private var hasNoPress: Bool { current == nil && released == nil && !throttle.hasUnreportedChange }

  /// Whether a press of added force is past the threshold: the axis does not show the load then.
  @inline(__always)
  var distortsLoad: Bool { @inline(__always) get { !isQuiet && isAddedPastThreshold && isAddedForceCertain } }

  /// Whether the added force is no single wrong sample.
  private var isAddedForceCertain: Bool {
    guard case .added(let force)? = current?.method else { return false }
    return force.isCertain
  }

  /// The same during a change.
  var isAddedPastThreshold: Bool {
    guard case .added? = current?.method, let state = current?.gesture.state else { return false }
    return state == .selected || state == .confirmed
  }

  /// Whether the press is in a zone.
  var isInZone: Bool {
    switch current?.method {
    case .zone, .history, .control: true
    case .added, .held, nil: false
    }
  }

  /// Whether the press is on a control.
  var isControlled: Bool { if case .control? = current?.method { true } else { false } }

  /// Whether a frame without a finger in a zone has to be evaluated.
  @inline(__always)
  var followsZones: Bool { @inline(__always) get { !isQuiet && isInZone || areZonesBlocked } }

  /// Whether the load leaves too little room for a press.
  private var isUnavailable: Bool {
    guard let rest else { return false }
    return rest.room == nil
  }

  /// When the next change is due if nothing happens before.
  func nextDeadline(_ confirm: ScaleSettings.Confirm, interval: Interval) -> Instant? {
    var earliest = throttle.nextDeadline(interval: interval)
    func consider(_ instant: Instant?) {
      if let instant, instant < earliest ?? instant + Interval(nanoseconds: 1) { earliest = instant }
    }
    switch current?.method {
    // The released press waits until the second one ends.
    case .added(let force):
      consider(force.nextDeadline(confirm))
      if current?.isShown == false { consider(released?.until) }
    case .held(_, let since, let last):
      consider(heldDeadline(since: since, at: last, confirm, interval: interval))
      consider(released?.until)
    case .zone(let press):
      consider(press.since + confirm.timeout)
      consider(released?.until)
    case .history(let touch):
      consider(touch.nextDeadline)
      consider(released?.until)
    case .control(let touch):
      consider(touch.nextDeadline(interval: interval))
      consider(released?.until)
    case nil: consider(released?.until)
    }
    return earliest
  }

  // MARK: Common to all presses

  /// Begins a press.
  mutating func begin(_ method: Press.Method, _ action: String, _ latch: Latch?, at now: Instant) {
    let pairing = action == Action.commit.rawValue ? pairing : nil
    let action = pairing == nil ? action : PairingRequest.action
    current = Press(method: method, since: now, action: action, pairing: pairing, latch: latch)
    // A control has no gesture.
    if case .control = method { return }
    self.action = action
  }

  /// Ends the press and fires it if it is confirmed.
  mutating func lift(_ context: Context, _ outcomes: inout [Outcome]) {
    guard var press = current else { return }
    current = nil
    if press.gesture.lift() {
      let fired = FiredPress(
        since: press.since, latch: press.latch, isLatchChecked: false, pairing: press.pairing)
      outcomes.append(.fire(action: press.action, source: press.source, fired))
    }
    reportState(context, &outcomes)
  }

  /// Ends the press without firing it, and says why if it was shown as confirmed.
  mutating func fail(_ failure: PressFailure, _ outcomes: inout [Outcome]) {
    if let press = current, press.gesture.state == .confirmed {
      outcomes.append(.fail(action: press.action, source: press.source, failure))
    }
    current = nil
  }

  /// Cancels the press; a confirmed and released one that only waited for a second press fires.
  ///
  /// A contact that continues to press is ignored: a finger in a zone until it is lifted, added force until a load has
  /// come to rest.
  mutating func cancel(_ failure: PressFailure, _ context: Context, _ outcomes: inout [Outcome]) {
    switch current?.method {
    case .zone, .history: areZonesBlocked = true
    case .control:
      areZonesBlocked = true
      endControl(.cancelled, context, &outcomes)
    case .added: rest = nil
    case .held, nil: break
    }
    fail(failure, &outcomes)
    fireReleased(at: context.now, &outcomes)
    reportState(context, &outcomes)
  }

  /// Evaluates a new reading: a load that has come to rest during the press is the one that the press refers to.
  mutating func settle(_ context: Context, _ outcomes: inout [Outcome]) {
    let epoch = context.reading.tareEpoch
    if current?.latch?.reading.tareEpoch != epoch { current?.latch = nil }
    if rest?.latch.reading.tareEpoch != epoch { rest = nil }
    if let latch = context.latch {
      switch current?.method {
      case .zone, .held: if current?.latch == nil { current?.latch = latch }
      case .added, .history, .control, nil: break
      }
      if let limit = context.limit { updateRest(latch, limit: limit, context, &outcomes) }
    }
    watchReleased(context, &outcomes)
    reportState(context, &outcomes)
  }

  /// Evaluates the time that has passed.
  mutating func advance(_ context: Context, _ outcomes: inout [Outcome]) {
    if case .added? = current?.method {
      if current?.isShown == false { expireReleased(context, &outcomes) }
      return dwell(context, &outcomes)
    }
    expireReleased(context, &outcomes)
    timeOutZone(context, &outcomes)
    advanceHistory(context, &outcomes)
    reportControl(context, &outcomes)
    hold(context, &outcomes)
    reportState(context, &outcomes)
  }

  /// Reports the state of the press and signals it on the pad.
  mutating func reportState(_ context: Context, _ outcomes: inout [Outcome]) {
    if current == nil, isUnavailable { action = Action.commit.rawValue }
    let state = current?.state ?? (isUnavailable ? .unavailable : .idle)
    let (intention, preview) = (current?.intention ?? 0, current?.previewedIndex)
    if throttle.offer(state, intention, preview: preview, at: context.now, interval: context.interval) {
      outcomes.append(
        .report(
          GestureReport(
            time: context.now, action: action, state: state, intention: intention, preview: current?.preview)))
    }
    let wanted = current?.feedback ?? .ended
    // Each weighing on the way is felt.
    if wanted != shown || wanted == .selected && preview != shownPreview { outcomes.append(.feedback(wanted)) }
    (shown, shownPreview) = (wanted, preview)
    isQuiet = hasNoPress
  }
}

extension PressRecognizer: Invariants {
  var invariants: KeyValuePairs<String, Bool> {
    [
      "quiet means no press": isQuiet == hasNoPress,
      "a press in a zone of an action is a gesture": !isInActionZone || current?.gesture.state != .idle,
      "the ring is between empty and full": current.map { (0...1).contains($0.gesture.intention) } ?? true,
      "a load that rests has a time": rest == nil || restedAt != nil,
    ]
  }

  private var isInActionZone: Bool { if case .zone? = current?.method { true } else { false } }
}
