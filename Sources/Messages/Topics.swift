import Weighing

/// The topics of one appliance, below `PREFIX/ID/`.
public struct Topics: Hashable, Sendable {
  /// What all topics of this appliance begin with, the last slash included.
  public let base: String
  /// The full topics, put together once.
  private let all: [String]

  /// Makes the topics of an appliance.
  public init(prefix: String, id: String) {
    let base = prefix + "/" + id + "/"
    self.base = base
    all = Topic.allCases.sorted { $0.index < $1.index }.map { base + $0.rawValue }
  }

  /// The full topic.
  public func callAsFunction(_ topic: Topic) -> String { all[topic.index] }

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
  /// The reading for databases and home automation, at most once a second.
  case reading
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

  /// A number of its own, from 0 without a gap.
  var index: Int {
    switch self {
    case .availability: 0
    case .health: 1
    case .live: 2
    case .display: 3
    case .stable: 4
    case .gesture: 5
    case .weighing: 6
    case .lastWeighing: 7
    case .event: 8
    case .actions: 9
    case .contacts: 10
    case .result: 11
    case .reading: 12
    }
  }

  /// Whether the payload is plain text and not JSON.
  public var isText: Bool { self == .availability || self == .display }
}
