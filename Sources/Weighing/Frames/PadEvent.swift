/// An event of a pad input.
package enum PadEvent: Hashable, Sendable {
  /// A pad was connected. Its frames follow; the first one contains what is already on the pad and follows a gap.
  ///
  /// The serial numbers of contacts restart.
  case found(PadDescription, path: String)
  /// The state of the pad after one report.
  case frame(Frame)
  /// A change of a key of the pad itself that is bound to an action, and its time.
  case button(ButtonChange, Instant)
  /// Events were lost; the current state follows as a frame with `Frame.followsGap`.
  case gap
  /// The pad that was found is not set up as configured; with what to do.
  case setupWarning(Sentence)
  /// The pad was disconnected.
  case lost(reason: Sentence)
  /// No suitable pad was found, for this reason; reported when the reason changes.
  case waiting(reason: Sentence)
}
