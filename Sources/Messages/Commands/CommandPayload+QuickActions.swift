import Weighing

extension CommandPayload {
  /// Reads `actions` with the limits of the configuration.
  static func list(_ value: JSONValue) throws(PayloadError) -> [QuickAction] {
    guard case .array(let items) = value else { throw PayloadError("actions: expected an array") }
    guard items.count <= QuickAction.maximumCount else {
      throw PayloadError("actions: too many actions: \(items.count), maximum \(QuickAction.maximumCount)")
    }
    var list: [QuickAction] = []
    for (index, item) in items.enumerated() {
      let path = "actions[\(index)]"
      let action = try quickAction(item, at: path)
      guard !list.contains(where: { $0.type == action.type }) else {
        throw PayloadError("\(path).type: another action already has the type \(action.type)")
      }
      list.append(action)
    }
    return list
  }

  private static func quickAction(_ value: JSONValue, at path: String) throws(PayloadError) -> QuickAction {
    guard case .object(let object) = value else { throw PayloadError("\(path): expected an object") }
    var fields = FieldReader(object, at: path)
    guard let name = fields.read("type") else { throw fields.error("type", "missing; every action needs a type") }
    guard let type = name.text, QuickAction.isType(type) else {
      throw fields.error("type", "expected 1 to 64 letters, digits, _ or -; names of built-in commands are reserved")
    }
    var action = QuickAction(type: type, title: type)
    action.title = try fields.text("title", maximumBytes: QuickAction.maximumTextBytes) ?? type
    action.subtitle = try fields.textOrNull("subtitle", maximumBytes: QuickAction.maximumTextBytes)
    action.icon = try fields.textOrNull("icon", maximumBytes: QuickAction.maximumTextBytes)
    action.run = try fields.word("run", of: Action.allCases) ?? .commit
    if let userInfo = fields.read("user_info") {
      guard case .object(let object) = userInfo else { throw fields.error("user_info", "expected an object") }
      action.userInfo = try parameters(object, at: path + ".user_info")
    }
    try fields.finish()
    do throws(ActionArgumentError) {
      _ = (try action.parameters(), try action.target())
    } catch {
      throw PayloadError("\(path).user_info.\(error)")
    }
    return action
  }

  private static func parameters(
    _ object: JSONObject, at path: String
  ) throws(PayloadError) -> [QuickAction.Parameter] {
    guard object.keys.count <= QuickAction.maximumParameters else {
      throw PayloadError("\(path): too many parameters: \(object.keys.count), maximum \(QuickAction.maximumParameters)")
    }
    var fields = FieldReader(object, at: path)
    var parameters: [QuickAction.Parameter] = []
    for name in object.keys {
      guard (1...QuickAction.maximumNameBytes).contains(name.utf8.count) else {
        throw PayloadError("\(path): the name of a parameter must have 1 to \(QuickAction.maximumNameBytes) bytes")
      }
      guard let value = fields.read(name) else { continue }
      switch value {
      case .number(let number) where name != "label": parameters.append(.init(name: name, value: .number(number)))
      case .boolean(let flag) where name != "label": parameters.append(.init(name: name, value: .flag(flag)))
      case .string:
        let text = try fields.line(value, maximumBytes: QuickAction.maximumValueBytes, name)
        parameters.append(.init(name: name, value: .text(text)))
      case .number, .boolean, .null, .array, .object:
        throw fields.error(name, name == "label" ? "expected a string" : "expected a string, number or boolean")
      }
    }
    return parameters
  }
}
