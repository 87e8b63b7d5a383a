/// The actions that a request can name: the built-in ones and the quick actions in force.
struct QuickActionList: Sendable {
  /// The quick actions in force.
  private(set) var actions: [QuickAction]

  /// Makes the list of the configuration.
  init(_ actions: [QuickAction]) { self.actions = actions }

  /// The names of all actions, the built-in ones first.
  var names: [String] { Action.allCases.map(\.rawValue) + actions.map(\.type) }

  /// Replaces the quick actions.
  mutating func replace(with actions: [QuickAction]) { self.actions = actions }

  /// What a request stands for.
  struct Resolution {
    var action: Action
    /// The label of the weighing.
    var label: String?
    var parameters: ActionArguments
    /// The target that the action sets when it is performed.
    var target: Target?
  }

  /// What a request stands for; `nil` for an unknown name.
  ///
  /// - Throws: `ActionArgumentError` for a quick action with a parameter that its action does not accept.
  func resolve(_ request: ActionRequest) throws(ActionArgumentError) -> Resolution? {
    if let action = Action(rawValue: request.name) {
      return Resolution(action: action, label: request.label, parameters: request.parameters)
    }
    guard let quick = actions.first(where: { $0.type == request.name }) else { return nil }
    return Resolution(
      action: quick.run, label: request.label ?? quick.label, parameters: try quick.parameters(),
      target: try quick.target())
  }
}
