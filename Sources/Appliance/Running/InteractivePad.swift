import Recordings
import Synchronization
import Weighing

/// The simulated pad in the hands of a user of the page: what `demo` offers instead of hardware.
///
/// The script of the pad stops at the first touch and returns after a minute of rest. The page sends the whole state of
/// the pad with every change, so that a lost or repeated request does no harm; of several pages, the last one counts.
final class InteractivePad: Sendable {
  /// What a user does with the pad.
  struct State: Hashable, Sendable {
    /// Whether the script moves the loads.
    var isScripted = true
    /// Whether the pad is plugged in.
    var isPlugged = true
    /// The loads, if the script does not move them.
    var loads = HandledLoads()
  }

  private struct Touched: Sendable {
    var state = State()
    var at = Instant(nanoseconds: 0)
  }

  /// How long after the last request the script returns.
  static let rest = Interval.seconds(60)
  /// How long a finger presses after the last request: a page that was closed does not lift it.
  static let press = Interval.seconds(2)

  private let touched = Mutex(Touched())
  private let isHeld: @Sendable () -> Bool
  private let onChange: @Sendable (State) -> Void

  /// Makes a pad that its script moves.
  ///
  /// - Parameters:
  ///   - isHeld: Whether the pad is in use even if it is not touched: its script does not move the loads then.
  ///   - onChange: Called with each new state; must not wait.
  init(isHeld: @escaping @Sendable () -> Bool = { false }, onChange: @escaping @Sendable (State) -> Void) {
    (self.isHeld, self.onChange) = (isHeld, onChange)
  }

  /// Touches the pad.
  func set(_ state: State, at now: Instant) { change(at: now) { touched in touched = Touched(state: state, at: now) } }

  /// The state at a moment.
  func state(at now: Instant) -> State { change(at: now) { _ in } }

  @discardableResult
  private func change(at now: Instant, _ body: (inout Touched) -> Void) -> State {
    let isHeld = isHeld()
    let (old, new) = touched.withLock { touched in
      let old = touched.state
      body(&touched)
      if isHeld, touched.state.isScripted { touched = Touched(state: State(isScripted: false), at: now) }
      if !touched.state.isScripted {
        if now - touched.at > Self.press { touched.state.loads.finger = nil }
        if isHeld, now - touched.at > Self.press { touched.at = now }
        if now - touched.at > Self.rest { touched.state = State() }
      }
      return (old, touched.state)
    }
    if new != old { onChange(new) }
    return new
  }
}
