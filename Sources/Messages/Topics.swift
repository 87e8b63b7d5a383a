import Weighing

/// The topics of one appliance, below `PREFIX/ID/`.
public struct Topics: Hashable, Sendable {
  /// The common prefix of all topics of this appliance, including the last slash.
  public let base: String
  /// The `device.id`.
  public let id: String
  /// Identifies the appliance among all on a broker: the `device.id`, below a prefix that is not the default one. An id has
  /// no slash, so that `lab/kitchen` is no other appliance.
  public let identity: String
  /// The default of `mqtt.prefix`.
  public static let standardPrefix = "grampad"
  /// The full topics, composed once.
  private let all: [String]

  /// Makes the topics of an appliance.
  public init(prefix: String, id: String) {
    let base = prefix + "/" + id + "/"
    (self.base, self.id) = (base, id)
    identity = prefix == Self.standardPrefix ? id : prefix + "/" + id
    all = Topic.allCases.sorted { $0.index < $1.index }.map { base + $0.rawValue }
  }

  /// The full topic.
  public func callAsFunction(_ topic: Topic) -> String { all[topic.index] }

  /// The common prefix of all command topics of this appliance, including the last slash.
  public var commands: String { base + "command/" }

  /// The full topic of the command for a built-in action.
  public func command(_ action: Action) -> String { command(action.rawValue) }

  /// The full topic of a command: the name of an action, the type of a quick action, or `actions`.
  public func command(_ name: String) -> String { commands + name }

  /// The full topic of a control.
  public func control(_ name: ControlName) -> String { self(.control) + "/" + name.description }

  /// The topic that a full topic belongs to; `nil` for a topic outside this appliance and for commands.
  public func topic(of full: String) -> Topic? {
    below(full).flatMap { Topic(rawValue: $0) ?? ($0.hasPrefix(Self.controlPrefix) ? .control : nil) }
  }

  /// The control of a full topic; `nil` for any other topic.
  public func control(of full: String) -> ControlName? {
    guard let below = below(full), below.hasPrefix(Self.controlPrefix) else { return nil }
    return ControlName(String(below.dropFirst(Self.controlPrefix.count)))
  }

  private static let controlPrefix = Topic.control.rawValue + "/"

  /// The part of a full topic after the prefix; `nil` for a topic outside this appliance.
  public func below(_ full: String) -> String? { full.hasPrefix(base) ? String(full.dropFirst(base.count)) : nil }
}

/// The topics of an appliance, without the prefix.
public enum Topic: String, Hashable, Sendable, CaseIterable {
  /// `online` or `offline`, also the will.
  case availability
  /// How pad, broker, calibration and the rest are doing.
  case health
  /// The reading, on change and as a heartbeat.
  case live
  /// The reading for databases and home automation, at most once per second.
  case reading
  /// The text of the display.
  case display
  /// The reading of a settled load, once.
  case stable
  /// The state of a press.
  case gesture
  /// Every weighing, including those made without a connection.
  case weighing
  /// The newest weighing.
  case lastWeighing = "weighing/last"
  /// The events.
  case event
  /// The quick actions.
  case actions
  /// The containers.
  case containers
  /// What was learned about stops ahead of a target, for each label.
  case learned
  /// The contacts of every frame.
  case contacts
  /// Answers to requests.
  case result
  /// The controls, each on a topic below this one.
  case control

  /// A unique number, from 0 without gaps.
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
    case .containers: 13
    case .control: 14
    case .learned: 15
    }
  }

  /// Whether the payload is plain text and not JSON.
  public var isText: Bool { self == .availability || self == .display }
}
