import Languages
import Weighing

extension CommandPayload {
  /// Reads `actions` with the limits of the configuration.
  static func list(_ value: JSONValue) throws(PayloadError) -> [QuickAction] {
    guard case .array(let items) = value else { throw PayloadError(.expected(.acceptsList).about("actions")) }
    guard items.count <= QuickAction.maximumCount else {
      throw PayloadError(
        Sentence(.configManyEntries, ["count": items.count, "limit": QuickAction.maximumCount]).about("actions"))
    }
    var list: [QuickAction] = []
    for (index, item) in items.enumerated() {
      let path = "actions[\(index)]"
      let action = try quickAction(item, at: path)
      guard !list.contains(where: { $0.type == action.type }) else {
        throw PayloadError(Sentence(.configActionTaken, ["type": action.type]).about("\(path).type"))
      }
      list.append(action)
    }
    return list
  }

  private static func quickAction(_ value: JSONValue, at path: String) throws(PayloadError) -> QuickAction {
    guard case .object(let object) = value else { throw PayloadError(.expected(.acceptsObject).about(path)) }
    var fields = FieldReader(object, at: path)
    guard let name = fields.read("type") else { throw fields.error("type", Sentence(.parameterMissing)) }
    guard let type = name.text, QuickAction.isType(type) else {
      throw fields.error("type", .expected(.acceptsCommandType, ["maximum": QuickAction.maximumNameBytes]))
    }
    var action = QuickAction(type: type, title: type)
    action.title = try fields.text("title", maximumBytes: QuickAction.maximumTextBytes) ?? type
    action.subtitle = try fields.textOrNull("subtitle", maximumBytes: QuickAction.maximumTextBytes)
    action.icon = try fields.textOrNull("icon", maximumBytes: QuickAction.maximumTextBytes)
    action.run = try fields.word("run", of: Action.allCases) ?? .commit
    if let userInfo = fields.read("user_info") {
      guard case .object(let object) = userInfo else { throw fields.error("user_info", .expected(.acceptsObject)) }
      action.userInfo = try parameters(object, at: path + ".user_info")
    }
    try fields.finish()
    do throws(ActionArgumentError) {
      _ = (try action.parameters(), try action.target())
    } catch {
      throw PayloadError(error.sentence(in: "\(path).user_info"))
    }
    return action
  }

  private static func parameters(
    _ object: JSONObject, at path: String
  ) throws(PayloadError) -> [QuickAction.Parameter] {
    guard object.keys.count <= QuickAction.maximumParameters else {
      throw PayloadError(
        Sentence(.configManyParameters, ["count": object.keys.count, "limit": QuickAction.maximumParameters]).about(
          path))
    }
    var fields = FieldReader(object, at: path)
    var parameters: [QuickAction.Parameter] = []
    for name in object.keys {
      guard (1...QuickAction.maximumNameBytes).contains(name.utf8.count) else {
        throw PayloadError(
          Sentence(.configParameterName, ["maximum": QuickAction.maximumNameBytes]).about(path))
      }
      guard let value = fields.read(name) else { continue }
      switch value {
      case .number(let number) where name != "label": parameters.append(.init(name: name, value: .number(number)))
      case .boolean(let flag) where name != "label": parameters.append(.init(name: name, value: .flag(flag)))
      case .string:
        let text = try fields.line(value, maximumBytes: QuickAction.maximumValueBytes, name)
        parameters.append(.init(name: name, value: .text(text)))
      case .number, .boolean, .null, .array, .object:
        throw fields.error(name, .expected(name == "label" ? .acceptsString : .acceptsScalar))
      }
    }
    return parameters
  }
}
