/// The progress of a press, for the `gesture` topic.
public struct GestureReport: Hashable, Sendable {
  /// The state of a press.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// No press, or the press has ended.
    case idle
    /// A press that is not yet hard or long enough.
    case updating
    /// Hard enough; to be confirmed or let go.
    case selected
    /// Letting go fires the action.
    case confirmed
    /// The load leaves too little room to press harder.
    case unavailable
  }

  /// The moment.
  public var time: Instant
  /// What letting go would do once it is confirmed: the name of the action.
  public var action: String
  /// Where the press stands.
  public var state: State
  /// How far the ring is filled, 0...1.
  public var intention: Double
  /// What would be committed or tared, from an intention of 0.25 up; `nil` while nothing has come to rest.
  public var preview: Reading?

  /// Makes a report.
  public init(time: Instant, action: String, state: State, intention: Double, preview: Reading?) {
    self.time = time
    self.action = action
    self.state = state
    self.intention = intention
    self.preview = preview
  }
}

/// What a press lets a light, a sound or a shake tell.
public enum Feedback: Hashable, Sendable, CaseIterable {
  /// The press is hard enough.
  case selected
  /// Letting go will fire.
  case confirmed
  /// The press is over, or not hard enough any more: lights out.
  case ended
}

/// What happens to a key or button that an action is bound to.
public struct ButtonChange: Hashable, Sendable {
  /// What happens.
  public enum Change: Hashable, Sendable {
    /// It goes down.
    case pressed
    /// It comes up.
    case released
    /// Unknown, because the device was disconnected or events were lost.
    case lost
  }

  /// Tells one button from another.
  public var button: Int
  /// The name of the action that it is bound to.
  public var action: String
  /// What happens.
  public var change: Change

  /// Makes a change.
  public init(button: Int, action: String, change: Change) {
    self.button = button
    self.action = action
    self.change = change
  }
}
