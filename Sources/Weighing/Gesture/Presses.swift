/// Finds the presses in what happens on the pad and its buttons: one at a time, and a second one cancels the first.
///
/// Fed by `ScaleMachine`, frame by frame and deadline by deadline; what comes of it is told as outcomes.
struct Presses: Sendable {
  /// What a press comes to.
  enum Outcome: Sendable {
    /// It was confirmed and let go: the action is due, on the latched load if it still lies there. `wasSeen` says that
    /// it did until it was lifted or the pad was lost, so that it need not be looked for.
    case fire(action: String, source: ActionSource, Latch?, wasSeen: Bool)
    /// Its state or its intention is to be told.
    case report(GestureReport)
    /// A light or a sound is due.
    case feedback(Feedback)
  }

  /// What is around a press at a moment.
  struct Scene: Sendable {
    /// The moment.
    var now: Instant
    /// What the configuration says of presses.
    var confirm: ConfirmSettings
    /// What the configuration allows a load at rest to move.
    var motion: Grams
    /// The least time between two reports of a press that only moves.
    var interval: Interval
    /// The newest reading.
    var reading: Reading
    /// Its unrounded gross; `nil` without a value.
    var gross: Grams?
    /// The noise of one frame of it, one standard deviation.
    var noise: Grams
    /// The same in counts.
    var sampleDeviation: Double
    /// The most that force added to the load can make the scale weigh; `nil` where presses are made in zones.
    var limit: Grams?
    /// One standard uncertainty of the gross without that of the calibration.
    var deviation: Grams
    /// Whether the newest frame agrees with the reading: in the frame in which the load changes, the reading is still
    /// that of the old load.
    var isConsistent: Bool

    /// Follows the force of a press that begins.
    func steadiness(full: Grams) -> SteadyForce {
      SteadyForce(deviation: sampleDeviation, noise: noise, full: full, at: now)
    }

    /// The load, if it is at rest.
    var latch: Latch? {
      guard reading.isStable, isConsistent, let gross else { return nil }
      return Latch(reading: reading, gross: gross, deviation: deviation)
    }
  }

  /// The press that is under way.
  var current: Press?
  /// Fingers lie in zones that are no press any more; they count again when all are lifted.
  var areZonesSpent = false
  var buttonsDown: Set<Int> = []
  /// One press of added force, or two, that are let go and have not fired yet.
  var released: ReleasedPress?
  /// The load that force can be added to: the last that came to rest since something was put down.
  var rest: RestingLoad?
  /// When that load was last at rest.
  var restedAt: Instant?

  private var throttle = GestureThrottle()
  private var shown = Feedback.ended
  private var action = Action.commit.rawValue

  /// Whether there is no press, and nothing is due or unreported. Updated by `tell`, which ends every change.
  ///
  /// This is the usual case: checking this byte first avoids reading a press with two readings.
  private(set) var isQuiet = true

  /// What `isQuiet` is to say.
  @inline(__always)
  var hasNoPress: Bool { current == nil && released == nil && !throttle.hasUnreportedChange }

  /// Whether a press of added force is past the threshold: what the axis says is no load then.
  @inline(__always)
  var distortsLoad: Bool { !isQuiet && isAddedPastThreshold }

  /// The same in the middle of a change.
  var isAddedPastThreshold: Bool {
    guard case .added? = current?.way, let state = current?.gesture.state else { return false }
    return state == .selected || state == .confirmed
  }

  /// Whether a finger in a zone presses.
  var isInZone: Bool {
    if case .zone? = current?.way { true } else { false }
  }

  /// Whether a frame without a finger in a zone has something to say.
  @inline(__always)
  var followsZones: Bool { !isQuiet && isInZone || areZonesSpent }

  /// Whether the load leaves too little room to press harder.
  private var isUnavailable: Bool {
    guard let rest else { return false }
    return rest.room == nil
  }

  /// When something is due if nothing happens before.
  func nextDeadline(_ confirm: ConfirmSettings, interval: Interval) -> Instant? {
    var earliest = throttle.nextDeadline(interval: interval)
    func consider(_ instant: Instant?) {
      if let instant, instant < earliest ?? instant + Interval(nanoseconds: 1) { earliest = instant }
    }
    switch current?.way {
    // The second of two presses is awaited for as long as it takes.
    case .added(let force): consider(force.nextDeadline(confirm))
    case .held(_, let since, let last):
      consider(heldDeadline(since: since, at: last, confirm, interval: interval))
      consider(released?.until)
    case .zone(let press):
      consider(press.since + confirm.timeout)
      consider(released?.until)
    case nil: consider(released?.until)
    }
    return earliest
  }

  // MARK: What all presses share

  /// Begins a press.
  mutating func begin(_ way: Press.Way, _ action: String, _ latch: Latch?) {
    current = Press(way: way, action: action, latch: latch)
    self.action = action
  }

  /// Ends the press, firing it where it was confirmed.
  mutating func lift(_ scene: Scene, _ outcomes: inout [Outcome]) {
    guard var press = current else { return }
    current = nil
    if press.gesture.lift() {
      outcomes.append(.fire(action: press.action, source: press.source, press.latch, wasSeen: false))
    }
    tell(scene, &outcomes)
  }

  /// Ends the press without firing; a confirmed one that only waited for a second press stands.
  ///
  /// What goes on pressing is spent: a finger in a zone until it is lifted, added force until a load has come to rest.
  mutating func cancel(_ scene: Scene, _ outcomes: inout [Outcome]) {
    switch current?.way {
    case .zone: areZonesSpent = true
    case .added: rest = nil
    case .held, nil: break
    }
    current = nil
    fireReleased(at: scene.now, &outcomes)
    tell(scene, &outcomes)
  }

  /// Takes what the new reading says: a load that has come to rest during the press is the one that is meant.
  mutating func settle(_ scene: Scene, _ outcomes: inout [Outcome]) {
    let epoch = scene.reading.tareEpoch
    if current?.latch?.reading.tareEpoch != epoch { current?.latch = nil }
    if rest?.latch.reading.tareEpoch != epoch { rest = nil }
    if let latch = scene.latch {
      switch current?.way {
      case .zone, .held: if current?.latch == nil { current?.latch = latch }
      case .added, nil: break
      }
      if let limit = scene.limit { restOn(latch, limit: limit, scene, &outcomes) }
    }
    watchReleased(scene, &outcomes)
    tell(scene, &outcomes)
  }

  /// Lets time pass.
  mutating func advance(_ scene: Scene, _ outcomes: inout [Outcome]) {
    if case .added? = current?.way { return dwell(scene, &outcomes) }
    expireReleased(scene, &outcomes)
    timeOutZone(scene, &outcomes)
    hold(scene, &outcomes)
    tell(scene, &outcomes)
  }

  /// Reports where the press stands, and lights what is to be lit.
  mutating func tell(_ scene: Scene, _ outcomes: inout [Outcome]) {
    let gesture = current?.gesture ?? Gesture()
    if current == nil, isUnavailable { action = Action.commit.rawValue }
    let state: GestureReport.State =
      switch gesture.state {
      case .idle: isUnavailable && current == nil ? .unavailable : .idle
      case .updating: .updating
      case .selected: .selected
      case .confirmed: .confirmed
      }
    if throttle.offer(state, gesture.intention, at: scene.now, interval: scene.interval) {
      let preview = gesture.intention >= Self.minimumPreviewed ? current?.latch?.reading : nil
      outcomes.append(
        .report(
          GestureReport(
            time: scene.now, action: action, state: state, intention: gesture.intention, preview: preview)))
    }
    let wanted: Feedback =
      switch gesture.state {
      case .idle, .updating: .ended
      case .selected: .selected
      case .confirmed: .confirmed
      }
    if wanted != shown { outcomes.append(.feedback(wanted)) }
    shown = wanted
    isQuiet = hasNoPress
  }

  /// From this intention up a report carries what would be committed.
  private static let minimumPreviewed = 0.25
}
