import Weighing

extension ActionRequest {
  /// Parses the payload of an action that came another way than over MQTT, with the rules of a command.
  ///
  /// - Parameters:
  ///   - name: The name of the action.
  ///   - payload: Empty, or a JSON object; its `source` and `correlation` have no effect.
  ///   - source: The source of the request.
  package init(name: String, payload: [UInt8], source: ActionSource) throws(PayloadError) {
    let payload = CommandPayload(payload, for: .action(Action(rawValue: name)))
    if let error = payload.error { throw error }
    self.init(
      name: name, label: payload.label, reference: payload.reference, parameters: payload.parameters, source: source)
  }
}
