/// The actions that a request can name: the built-in ones and the quick actions in force.
struct QuickActionList: Sendable {
  /// The quick actions in force.
  private(set) var actions: [QuickAction]

  /// Makes the list of the configuration.
  init(_ actions: [QuickAction]) { self.actions = actions }

  /// Replaces the quick actions.
  mutating func replace(with actions: [QuickAction]) { self.actions = actions }

  /// The action that a request names, and the label of the weighing; `nil` for an unknown name.
  func resolve(_ request: ActionRequest) -> (action: Action, label: String?)? {
    let quick = actions.first { $0.type == request.name }
    guard let action = Action(rawValue: request.name) ?? quick?.run else { return nil }
    return (action, request.label ?? quick?.label)
  }
}
