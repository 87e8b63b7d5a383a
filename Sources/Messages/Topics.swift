import Weighing

/// The topics of one appliance, below `PREFIX/ID/`.
public struct Topics: Hashable, Sendable {
  /// What all topics of this appliance begin with, the last slash included.
  public let base: String

  /// Makes the topics of an appliance.
  public init(prefix: String, id: String) {
    base = prefix + "/" + id + "/"
  }

  /// The full topic.
  public func callAsFunction(_ topic: Topic) -> String { base + topic.rawValue }

  /// What all command topics of this appliance begin with, the last slash included.
  public var commands: String { base + "command/" }

  /// The full topic of the command for an action that every scale has.
  public func command(_ action: Action) -> String { command(action.rawValue) }

  /// The full topic of the command of a name: that of an action, the type of a quick action, or `actions`.
  public func command(_ name: String) -> String { commands + name }

  /// The topic below this appliance's, or `nil` for somebody else's.
  public func below(_ full: String) -> String? {
    full.hasPrefix(base) ? String(full.dropFirst(base.count)) : nil
  }
}

/// A topic below the appliance's.
public enum Topic: String, Hashable, Sendable, CaseIterable {
  /// `online` or `offline`, also the will.
  case availability
  /// How pad, broker, calibration and the rest are doing.
  case health
  /// The reading, on change and as a heartbeat.
  case live
  /// What the display shows, as text.
  case display
  /// The reading of a settled load, once.
  case stable
  /// How far a press is.
  case gesture
  /// Every weighing, also those that were made while no broker was there.
  case weighing
  /// The newest weighing.
  case lastWeighing = "weighing/last"
  /// What happened.
  case event
  /// The quick actions.
  case actions
  /// What touches the pad, frame by frame.
  case contacts
  /// Answers to requests.
  case result

  /// Whether the payload is plain text and not JSON.
  public var isText: Bool { self == .availability || self == .display }
}
