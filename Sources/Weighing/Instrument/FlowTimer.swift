/// What a request does with the timer.
public enum TimerCommand: String, Hashable, Sendable, CaseIterable {
  /// Start it, or resume it.
  case start
  /// Stop it; the time remains.
  case stop
  /// Stop it and forget the time.
  case reset
}

/// The timer of the scale, which can follow a brew of several pours.
///
/// ```
///              start                        ┌─────────┐
///   ┌────────┐ ───────────────────────────► │ running │ ◄── start ── following, pausing, stopped
///   │ unused │                              └─────────┘
///   └────────┘   the first pour             ┌───────────┐   end of the pour   ┌─────────┐
///       ▲        after a tare ────────────► │ following │ ──────────────────► │ pausing │
///       │        (also from stopped)        └───────────┘ ◄────────────────── └─────────┘
///       │                                                another pour in time      │
///       │      ┌─────────┐  a tare, a lifted vessel, a pour after the pause, stop  │
///       └reset─│ stopped │ ◄───────────────────────────────────────────────────────┘
///              └─────────┘ ◄── stop ── running, following
/// ```
/// `reset` leads from every state to unused. A pour whose end leaves no room for another one, because the vessel was lifted, the
/// scale was tared during it or there is no pause, leads from following to stopped.
///
/// A pour is noticed some time after it has begun, and its start is dated again while it goes on: the timer follows. After a pause
/// the timer includes it. Only a run that a pour has started ends with one. A user who stops or resets the timer after a pour has
/// begun means that pour, even if the scale has not noticed it yet.
struct FlowTimer: Sendable {
  /// A change that is reported, with the time on the timer.
  enum Change: Equatable {
    /// By a pour: with its number, and the pause before it unless it is the first.
    case started(Interval, pour: Int? = nil, pause: Interval? = nil)
    /// It replaces an earlier stop if another pour has followed that one.
    case stopped(Interval, isAmended: Bool = false)
  }

  private enum State: Sendable {
    case unused
    case stopped(Interval)
    /// Since when; earlier runs are included.
    case running(since: Instant)
    /// The pour of this number goes on.
    case following(pour: Int, since: Instant)
    /// The pour of this number has ended, and the vessel is still there.
    case pausing(pour: Int, since: Instant, ended: Instant)
  }

  private var state = State.unused
  /// The number of pours of the brew; `nil` while the timer has followed none.
  private(set) var pours: Int?
  /// The number of pours before the tare after which the next one starts the timer; `nil` if none does.
  private var poursBefore: Int?
  /// When a user last stopped or reset the timer.
  private var lastStop: Instant?
  /// The gross at rest before the brew, and whether the vessel has stayed since.
  private var grossBefore = Grams.zero
  private var hasVessel = false

  /// Whether a pour can start or stop it.
  var followsPours: Bool {
    @inline(__always) get {
      switch state {
      case .following, .pausing: true
      case .unused, .stopped, .running: poursBefore != nil
      }
    }
  }

  /// The time on the timer; `nil` while it is not in use.
  func elapsed(at now: Instant) -> Interval? {
    switch state {
    case .unused: nil
    case .stopped(let elapsed): elapsed
    case .running(let since), .following(_, let since): max(now - since, .zero)
    case .pausing(_, let since, let ended): ended - since
    }
  }

  /// When the time changes by a whole second; `nil` while it stands still.
  @inline(__always)
  func nextDeadline(after now: Instant) -> Instant? {
    switch state {
    case .unused, .stopped, .pausing: return nil
    case .running(let since), .following(_, let since):
      let seconds = max((now - since).nanoseconds, 0) / 1_000_000_000 + 1
      return since + Interval(nanoseconds: seconds * 1_000_000_000)
    }
  }

  /// Performs a request; returns what to report.
  mutating func perform(_ command: TimerCommand, at now: Instant) -> Change? {
    let elapsed = elapsed(at: now) ?? .zero
    if command != .start { lastStop = now }
    switch (command, state) {
    case (.start, .unused), (.start, .stopped), (.start, .pausing):
      state = .running(since: Instant(nanoseconds: now.nanoseconds - elapsed.nanoseconds))
      return .started(elapsed)
    // A run that a user starts is one that a user stops.
    case (.start, .following(_, let since)): state = .running(since: since)
    case (.stop, .running):
      state = .stopped(elapsed)
      return .stopped(elapsed)
    case (.stop, .following):
      state = .stopped(elapsed)
      return .stopped(elapsed, isAmended: isResumed)
    case (.stop, .pausing): state = .stopped(elapsed)
    case (.reset, .running), (.reset, .following):
      reset()
      return .stopped(.zero)
    case (.reset, .stopped), (.reset, .pausing): reset()
    case (.start, .running), (.stop, .unused), (.stop, .stopped), (.reset, .unused): break
    }
    return nil
  }

  private mutating func reset() { (state, pours) = (.unused, nil) }

  /// Whether the timer has stopped before in this brew.
  private var isResumed: Bool { pours.map { $0 > 1 } ?? false }

  // MARK: Pours

  /// The scale was tared: the next pour starts the timer, unless it runs then.
  mutating func tare(_ pour: PourDetector, gross: Grams) {
    (poursBefore, grossBefore) = (pour.count, gross)
    endPause()
  }

  /// Observes a reading, which shows the load before a brew and whether its vessel has left.
  ///
  /// The vessel has left when the pad is empty, when a load at rest is lighter than the one before the brew by more than
  /// `minimum`, or when there is no reading of a load. A hand that touches the vessel moves the load, which is not at rest then.
  @inline(__always)
  mutating func observe(_ reading: Reading, gross: Grams?, minimum: Grams) {
    if reading.isStable, let gross {
      if poursBefore != nil { grossBefore = gross }
      if gross < grossBefore - minimum { loseVessel() }
    }
    switch reading.state {
    case .offline: loseVessel()
    case .empty:
      if poursBefore != nil { grossBefore = .zero }
      // A pour may begin on the empty pad.
      if grossBefore > minimum { loseVessel() } else { endPause() }
    case .settling, .stable, .overload, .pressing: break
    }
  }

  /// The vessel of the brew has left the pad, or the pad is gone.
  mutating func loseVessel() {
    hasVessel = false
    endPause()
  }

  /// Lets no other pour continue the brew.
  private mutating func endPause() {
    if case .pausing(_, let since, let ended) = state { state = .stopped(ended - since) }
  }

  /// Follows the pours on the pad; returns what to report.
  mutating func follow(_ pour: PourDetector, _ settings: ScaleSettings.Timer, at now: Instant) -> Change? {
    switch state {
    case .unused, .stopped:
      guard isFirstAfterTare(pour), settings.timesPours, lastStop.map({ $0 < pour.began }) ?? true else { return nil }
      (pours, hasVessel) = (1, true)
      state = .following(pour: pour.count, since: pour.began)
      return .started(max(now - pour.began, .zero), pour: pours)
    case .running:
      // It is not timed again when the user stops the timer.
      _ = isFirstAfterTare(pour)
      return nil
    case .following(let number, var since):
      if number == pour.count, !isResumed { since = pour.began }
      state = .following(pour: number, since: since)
      guard number != pour.count || pour.ended != nil else { return nil }
      let ended = max(number == pour.count ? pour.ended ?? now : now, since)
      let isPaused = hasVessel && poursBefore == nil && settings.pause > .zero
      state = isPaused ? .pausing(pour: number, since: since, ended: ended) : .stopped(ended - since)
      return .stopped(ended - since, isAmended: isResumed)
    case .pausing(let number, let since, let ended):
      guard pour.count > number else { return nil }
      guard settings.timesPours, pour.began - ended <= settings.pause else {
        endPause()
        return nil
      }
      pours = (pours ?? 0) + 1
      state = .following(pour: pour.count, since: since)
      return .started(max(now - since, .zero), pour: pours, pause: max(pour.began - ended, .zero))
    }
  }

  /// Whether a pour has begun since the tare; only once.
  private mutating func isFirstAfterTare(_ pour: PourDetector) -> Bool {
    guard let count = poursBefore, pour.count > count else { return false }
    poursBefore = nil
    return true
  }
}

extension FlowTimer: Invariants {
  var invariants: KeyValuePairs<String, Bool> {
    var (isUnused, isFollowing, isPausing) = (false, false, false)
    switch state {
    case .unused: isUnused = true
    case .following: isFollowing = true
    case .pausing: isPausing = true
    case .stopped, .running: break
    }
    return [
      "a timer that is not in use has followed no pours": !isUnused || pours == nil,
      "a pour that is followed is counted": !(isFollowing || isPausing) || (pours ?? 0) > 0,
      "a tare or a lifted vessel ends a pause": !isPausing || poursBefore == nil && hasVessel,
    ]
  }
}
