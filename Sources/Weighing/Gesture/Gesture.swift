/// Confirming by force: where one press stands, however it is made.
///
/// ```
///                 presses                 above the threshold
///    ┌──────┐ ─────────────► ┌──────────┐ ─────────────► ┌──────────┐
///    │ idle │                │ updating │                │ selected │
///    └──────┘                └──────────┘ ◄───────────── └──────────┘
///      ▲ ▲ ▲  lifts, cancelled │  ▲ │  under the threshold,    ▲ │
///      │ │ └───────────────────┘  │ │  outside the area        │ │ above the threshold
///      │ │                        │ │                          │ │ in the confirm area
///      │ │          leaves the    │ │ above the threshold      │ │
///      │ │          area, under   │ │ in the confirm area      │ ▼
///      │ │          the threshold │ └────────────────────► ┌───────────┐
///      │ │                        └─────────────────────── │ confirmed │ inside the area a falling force
///      │ │ lifts, cancelled (selected)   leaves the area,  └───────────┘ changes nothing
///      │ └──────────────────────────     above it: selected   │
///      └──────────────────────────────────────────────────────┘
///                         lifts: the action fires, once; cancelled: nothing
/// ```
///
/// What the intention and the confirm area are depends on how one presses:
///
/// | press | intention | confirm area |
/// | --- | --- | --- |
/// | in a zone | force / full | slid up from where the finger came down |
/// | added to a load | added force / full | entered when the dwell time is over, left when the press is |
/// | a key or button | time / hold | entered when the time is over |
struct Gesture: Hashable, Sendable {
  /// Where a press stands.
  enum State: String, Hashable, Sendable, CaseIterable {
    /// Nobody presses.
    case idle
    /// Somebody presses; exits on more force, on lifting and on a cancel.
    case updating
    /// Hard enough, outside the confirm area or not yet hard enough in it.
    case selected
    /// In the confirm area; lifting fires.
    case confirmed
  }

  /// Where the press stands.
  private(set) var state = State.idle
  /// How far the ring is filled, 0...1.
  private(set) var intention = 0.0

  /// Takes how hard is pressed, and where.
  mutating func press(intention: Double, isInConfirmArea: Bool, threshold: Double) {
    let bounded = min(max(intention, 0), 1)
    let isAbove = bounded > threshold || bounded == 1
    self.intention = bounded
    switch (state, isInConfirmArea) {
    case (_, false): state = isAbove ? .selected : .updating
    case (_, true) where isAbove: state = .confirmed
    case (.idle, true): state = .updating
    case (.updating, true), (.selected, true), (.confirmed, true): break
    }
  }

  /// Ends the press; says whether its action fires.
  mutating func lift() -> Bool {
    defer { self = Gesture() }
    return state == .confirmed
  }
}
