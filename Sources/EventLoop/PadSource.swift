import Weighing

/// Where frames come from: a pad, or what stands in for one. Used by one thread.
package protocol PadSource: AnyObject {
  /// A descriptor that is readable when `process` has something to do; `nil` for a source that goes by the clock.
  var descriptor: Int32? { get }
  /// When `process` has something to do whatever the descriptor says.
  var nextDeadline: Instant? { get }
  /// Reports what the pad has sent.
  func process(at now: Instant, _ body: (PadEvent) -> Void)
  /// Shows, sounds or vibrates feedback, as far as the pad can; never waits.
  func show(_ feedback: Feedback)
}
