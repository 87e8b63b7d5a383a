import Weighing

/// Follows the pad on the weighing thread besides the scale; must not wait.
protocol PadObserver: AnyObject, Sendable {
  /// Receives the scale as it is when the observation starts.
  func attach(_ scale: ScaleMachine, at now: Instant)

  /// Receives an event of the pad, after the scale.
  func handle(_ event: PadEvent, at now: Instant)

  /// Advances the time.
  func advance(to now: Instant)

  /// When the observer next needs `advance(to:)`; `nil` ends the observation.
  var nextDeadline: Instant? { get }
}
