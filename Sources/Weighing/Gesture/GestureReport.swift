/// The state of a press, for the topic `gesture`.
public struct GestureReport: Hashable, Sendable {
  /// The state of a press.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// There is no press, or it has ended.
    case idle
    /// A press has begun and is not hard or long enough yet.
    case updating
    /// The press is hard enough and can be confirmed.
    case selected
    /// Releasing the press fires the action.
    case confirmed
    /// The load leaves too little room to press harder.
    case unavailable
  }

  /// What a press refers to.
  public enum Preview: Hashable, Sendable {
    /// The reading that would be committed or tared.
    case reading(Reading)
    /// The recorded weighing that the slide recalls.
    indirect case weighing(RecordedWeighing)

    /// The reading that would be committed or tared.
    public var reading: Reading? { if case .reading(let reading) = self { reading } else { nil } }
    /// The recorded weighing that the slide recalls.
    public var weighing: RecordedWeighing? { if case .weighing(let record) = self { record } else { nil } }
  }

  /// The time of the report.
  public var time: Instant
  /// The name of the action that the press fires once it is confirmed; `history` in the zone of that name.
  public var action: String
  /// The state of the press.
  public var state: State
  /// How far the ring is filled, 0...1.
  public var intention: Double
  /// What the press refers to, from an intention of 0.25; `nil` while no load has come to rest, and without weighings.
  public var preview: Preview?

  /// Makes a report.
  public init(time: Instant, action: String, state: State, intention: Double, preview: Preview?) {
    self.time = time
    self.action = action
    self.state = state
    self.intention = intention
    self.preview = preview
  }
}

/// What the lights, sounds and motors of the pad signal about a press.
public enum Feedback: Hashable, Sendable, CaseIterable {
  /// The press is hard enough, the next weighing is previewed, or a control is at its end.
  case selected
  /// The press is confirmed; releasing it fires the action. Or a weighing is recalled.
  case confirmed
  /// The target is reached.
  case reached
  /// A client asks for the right to act, until `ended`.
  case asking
  /// The press is over, or no longer hard enough; lights go off.
  case ended
}

/// A change of a key or button that is bound to an action.
public struct ButtonChange: Hashable, Sendable {
  /// The kind of change.
  public enum Change: Hashable, Sendable {
    /// The button was pressed.
    case pressed
    /// The button was released.
    case released
    /// The device was disconnected or events were lost, so the state is unknown.
    case lost
  }

  /// Identifies the button.
  public var button: Int
  /// The name of the action that the button is bound to.
  public var action: String
  /// The kind of change.
  public var change: Change

  /// Makes a change.
  public init(button: Int, action: String, change: Change) {
    self.button = button
    self.action = action
    self.change = change
  }
}
