/// Confirming by force: the state of one press, however it is made.
///
/// ```
///   ┌──────┐ presses  ┌──────────┐  above, outside  ┌──────────┐  above, in the area  ┌───────────┐
///   │ idle │ ───────► │ updating │ ───────────────► │ selected │ ───────────────────► │ confirmed │
///   └──────┘          └──────────┘ ◄─────────────── └──────────┘ ◄─────────────────── └───────────┘
///      ▲                    │       under, outside        │        above, outside           │
///      │  lifts, cancelled  │                             │                                 │
///      ├────────────────────┴─────────────────────────────┘                                 │
///      │                         lifts: the action fires, once; cancelled: nothing          │
///      └────────────────────────────────────────────────────────────────────────────────────┘
/// ```
///
/// The next state depends on the present force and position. The previous state only matters when the force falls in
/// the confirm area. A state is skipped when force and position change at once:
///
/// | intention | outside the confirm area | in the confirm area |
/// | --- | --- | --- |
/// | above the threshold, or full | `selected` | `confirmed` |
/// | not above it | `updating` | as it was; `updating` if it begins there |
///
/// The intention and the confirm area depend on the kind of press:
///
/// | press | intention | confirm area |
/// | --- | --- | --- |
/// | in a zone | force / full | slid up from where the finger came down |
/// | added to a load | added force / full | entered when the dwell time is over, left when the press is |
/// | a key or button | time / hold | entered when the time is over |
///
/// A press ends without firing in these cases; `PressRecognizer` then drops the gesture instead of lifting it. If it was
/// `confirmed`, its action is rejected with a `PressFailure`:
///
/// - In a zone: a second finger in a zone, a key, a gap, a position more than 0.1 of the pad's width outside the zone,
///   the timeout, a lift that looks like dragging or like an object that was pushed (`ZonePress.failure`).
/// - Added to a load: a key before `selected`, a gap, a rise that is too slow, force that does not come back
///   or stays the same for too long (`AddedForce`), one of two presses that was too short, a third press right after two.
/// - A key or button: a second key, a finger in a zone, the loss of its device. There is no timeout: the user has to
///   hold it, and the load is checked when it fires.
///
/// The action applies to the load before the press if that is still on the pad: `RequestQueue.checkLatches`.
struct ForceConfirmation: Hashable, Sendable {
  /// The state of a press.
  enum State: String, Hashable, Sendable, CaseIterable {
    /// There is no press; exits on a press.
    case idle
    /// A press has begun; exits on more force, on lifting and on a cancel.
    case updating
    /// Hard enough; exits on less force, in the confirm area, on lifting and on a cancel.
    case selected
    /// Hard enough in the confirm area; exits out of the area, on a cancel, and on lifting, which fires.
    case confirmed
  }

  /// The current state.
  private(set) var state = State.idle
  /// How far the ring is filled, 0...1.
  private(set) var intention = 0.0

  /// Evaluates the force and the position.
  mutating func press(intention: Double, isInConfirmArea: Bool, threshold: Double) {
    self.intention = min(max(intention, 0), 1)
    let isAbove = self.intention > threshold || self.intention == 1
    switch (isAbove, isInConfirmArea) {
    case (true, false): state = .selected
    case (true, true): state = .confirmed
    case (false, false): state = .updating
    case (false, true): if state == .idle { state = .updating }
    }
  }

  /// Ends the press; returns whether its action fires.
  mutating func lift() -> Bool {
    defer { self = ForceConfirmation() }
    return state == .confirmed
  }
}
