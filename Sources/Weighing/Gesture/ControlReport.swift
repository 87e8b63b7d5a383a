/// The state of a control, for the topic `control/NAME`.
public struct ControlReport: Hashable, Sendable {
  /// The state of a control.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// A finger has come down.
    case began
    /// The force or the position has changed.
    case changed
    /// The finger was lifted.
    case ended
    /// The touch was cancelled: a second finger in a zone, a gap, a key, the loss of the pad, changed zones or the end of
    /// the service.
    case cancelled
  }

  /// The time of the report.
  public var time: Instant
  /// The control.
  public var name: ControlName
  /// The state of the control.
  public var state: State
  /// The force as a fraction of the full one, 0...1; in the last report the force before the end.
  public var value: Double
  /// The position in the zone, 0...1; `nil` on a contact without a position.
  public var x: Double?
  /// The same from the upper edge.
  public var y: Double?

  /// Makes a report.
  public init(time: Instant, name: ControlName, state: State, value: Double, x: Double?, y: Double?) {
    self.time = time
    self.name = name
    self.state = state
    self.value = value
    self.x = x
    self.y = y
  }
}
