import Messages

/// A feed for viewers: the name of a server-sent event; its data is JSON.
package enum Feed: String, CaseIterable, Sendable {
  /// Name and capabilities of the appliance; sent first and after each reload.
  case hello
  /// Health, as on the topic `health`.
  case health
  /// The quick actions, as on the topic `actions`.
  case actions
  /// The containers, as on the topic `containers`.
  case containers
  /// What was learned about stops, as on the topic `learned`.
  case learned
  /// The reading, as on the topic `live`.
  case live
  /// The reading of a settled load, as on the topic `stable`.
  case stable
  /// Progress of a press, as on the topic `gesture`.
  case gesture
  /// The state of a control, as on the topic `control/NAME`, with its name in the field `name`. A control that another
  /// one follows has ended: there is one at a time.
  case control
  /// The newest record, a weighing, a void or a relabel, as on the topic `weighing`.
  case weighing
  /// An event, as on the topic `event`.
  case event
  /// The client that asks for the right to act, if there is one.
  case pairing
  /// The simulated pad that users of the page can move loads on, if there is one.
  case pad
  /// Whether the machine is set up, if the page sets it up.
  case machine

  /// The feed of a topic; `nil` for topics that the page does not show.
  package init?(_ topic: Topic) {
    switch topic {
    case .health: self = .health
    case .actions: self = .actions
    case .containers: self = .containers
    case .learned: self = .learned
    case .live: self = .live
    case .stable: self = .stable
    case .gesture: self = .gesture
    case .event: self = .event
    case .control: self = .control
    // Weighings come from the scale itself: the topic is published only when a broker is connected.
    case .availability, .display, .reading, .weighing, .lastWeighing, .contacts, .result: return nil
    }
  }
}
