/// A source of frames: a pad or a simulation. Used by one thread.
package protocol PadSource: AnyObject {
  /// A descriptor that is readable when `process` has work to do; `nil` for a source driven by the clock.
  var descriptor: Int32? { get }
  /// When `process` has work to do, even if the descriptor is not readable.
  var nextDeadline: Instant? { get }
  /// Reports what the pad has sent.
  func process(at now: Instant, _ body: (PadEvent) -> Void)
  /// Gives feedback by light, sound or vibration, as far as the pad can; never waits.
  func show(_ feedback: Feedback)
}
