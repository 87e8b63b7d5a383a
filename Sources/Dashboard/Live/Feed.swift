import Messages

/// What viewers follow: the name of a server-sent event, with JSON behind it.
package enum Feed: String, CaseIterable, Sendable {
  /// What the appliance is called and can; first of all and after each reload.
  case hello
  /// How it is doing, as on the topic `health`.
  case health
  /// The quick actions, as on the topic `actions`.
  case actions
  /// The reading, as on the topic `live`.
  case live
  /// The reading of a settled load, as on the topic `stable`.
  case stable
  /// How far a press is, as on the topic `gesture`.
  case gesture
  /// The newest record, a weighing, a void or a relabel, as on the topic `weighing`.
  case weighing
  /// What happened, as on the topic `event`.
  case event

  /// The feed of a topic; `nil` for what no page shows.
  package init?(_ topic: Topic) {
    switch topic {
    case .health: self = .health
    case .actions: self = .actions
    case .live: self = .live
    case .stable: self = .stable
    case .gesture: self = .gesture
    case .event: self = .event
    // Weighings come from the scale itself: the topic follows the broker.
    case .availability, .display, .reading, .weighing, .lastWeighing, .contacts, .result: return nil
    }
  }
}
