/// What a request does with the timer.
public enum TimerCommand: String, Hashable, Sendable, CaseIterable {
  /// Start it, or resume it.
  case start
  /// Stop it; the time remains.
  case stop
  /// Stop it and forget the time.
  case reset
}

/// The timer of the scale, which can start and stop with a pour.
///
/// ```
///              start, or the first pour after a tare
///   ┌────────┐ ────────────────────────────────────► ┌─────────┐
///   │ unused │                                       │ running │
///   └────────┘ ◄── reset ── ┌─────────┐ ── start ──► └─────────┘
///       ▲                   │ stopped │ ◄── stop, or the end of the pour ──┤
///       │                   └─────────┘                                    │
///       └──────────────────────────── reset ───────────────────────────────┘
/// ```
///
/// A pour is noticed some time after it has begun, and its start is dated again while it goes on: the timer follows.
/// Only a run that a pour has started ends with it. A user who stops or resets the timer after a pour has begun means that
/// pour, even if the scale has not noticed it yet.
struct FlowTimer: Sendable {
  /// A change that is reported, with the time on the timer.
  enum Change: Equatable {
    case started(Interval)
    case stopped(Interval)
  }

  private enum State: Sendable {
    case unused
    case stopped(Interval)
    /// Since when; earlier runs are included.
    case running(since: Instant)
    /// It was started by the pour of this number.
    case following(pour: Int, since: Instant)
  }

  private var state = State.unused
  /// The number of pours before the tare after which the next one starts the timer; `nil` if none does.
  private var poursBefore: Int?
  /// When a user last stopped or reset the timer.
  private var lastStop: Instant?

  /// Whether a pour can start or stop it.
  var followsPours: Bool {
    @inline(__always) get {
      if case .following = state { return true }
      return poursBefore != nil
    }
  }

  /// The time on the timer; `nil` while it is not in use.
  func elapsed(at now: Instant) -> Interval? {
    switch state {
    case .unused: nil
    case .stopped(let elapsed): elapsed
    case .running(let since), .following(_, let since): max(now - since, .zero)
    }
  }

  /// When the time changes by a whole second; `nil` while it stands still.
  @inline(__always)
  func nextDeadline(after now: Instant) -> Instant? {
    switch state {
    case .unused, .stopped: return nil
    case .running(let since), .following(_, let since):
      let seconds = max((now - since).nanoseconds, 0) / 1_000_000_000 + 1
      return since + Interval(nanoseconds: seconds * 1_000_000_000)
    }
  }

  /// Performs a request; returns what to report.
  mutating func perform(_ command: TimerCommand, at now: Instant) -> Change? {
    let elapsed = elapsed(at: now)
    if command != .start { lastStop = now }
    switch (command, state) {
    case (.start, .unused), (.start, .stopped):
      let earlier = elapsed ?? .zero
      state = .running(since: Instant(nanoseconds: now.nanoseconds - earlier.nanoseconds))
      return .started(earlier)
    // A run that a user starts is one that a user stops.
    case (.start, .following(_, let since)): state = .running(since: since)
    case (.stop, .running), (.stop, .following):
      state = .stopped(elapsed ?? .zero)
      return .stopped(elapsed ?? .zero)
    case (.reset, .running), (.reset, .following):
      state = .unused
      return .stopped(.zero)
    case (.reset, .stopped): state = .unused
    case (.start, .running), (.stop, .unused), (.stop, .stopped), (.reset, .unused): break
    }
    return nil
  }

  /// The scale was tared: the next pour starts the timer, unless it runs then.
  mutating func tare(_ pour: PourDetector) { poursBefore = pour.count }

  /// Follows the pours on the pad; returns what to report.
  mutating func follow(_ pour: PourDetector, startsAutomatically: Bool, at now: Instant) -> Change? {
    switch state {
    case .unused, .stopped:
      guard isFirstAfterTare(pour), startsAutomatically, lastStop.map({ $0 < pour.began }) ?? true else { return nil }
      state = .following(pour: pour.count, since: pour.began)
      return .started(max(now - pour.began, .zero))
    case .running:
      // It is not timed again when the user stops the timer.
      _ = isFirstAfterTare(pour)
      return nil
    case .following(let number, var since):
      if number == pour.count { since = pour.began }
      state = .following(pour: number, since: since)
      guard number != pour.count || pour.ended != nil else { return nil }
      let elapsed = max((number == pour.count ? pour.ended ?? now : now) - since, .zero)
      state = .stopped(elapsed)
      return .stopped(elapsed)
    }
  }

  /// Whether a pour has begun since the tare; only once.
  private mutating func isFirstAfterTare(_ pour: PourDetector) -> Bool {
    guard let count = poursBefore, pour.count > count else { return false }
    poursBefore = nil
    return true
  }
}
