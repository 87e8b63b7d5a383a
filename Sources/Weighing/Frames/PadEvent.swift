/// What a pad input has to tell.
package enum PadEvent: Hashable, Sendable {
  /// A pad is there and weighs from now on; its frames follow, the first with what lies on it already, and as one that
  /// follows a gap: what happened before is not known.
  ///
  /// Serial numbers of contacts restart.
  case found(PadDescription, path: String)
  /// The pad's state after one report.
  case frame(Frame)
  /// What happens to a key of the pad itself to which an action is bound, and when.
  case button(ButtonChange, Instant)
  /// Events were lost; the state as it is now follows as a frame that says so (`Frame.followsGap`).
  case gap
  /// The pad is gone.
  case lost(reason: String)
  /// There is no pad to weigh with, and why; told once for each reason in turn.
  case waiting(reason: String)
}
