import Weighing

extension CommandPayload {
  /// Reads `actions`, within the limits that a configuration has.
  static func list(_ value: JSONValue) throws(PayloadError) -> [QuickAction] {
    guard case .array(let items) = value else { throw PayloadError("actions: expected a list") }
    guard items.count <= QuickAction.most else {
      throw PayloadError("actions: \(items.count) actions, at most \(QuickAction.most)")
    }
    var list: [QuickAction] = []
    for (index, item) in items.enumerated() {
      let path = "actions[\(index)]"
      let action = try quickAction(item, at: path)
      guard !list.contains(where: { $0.type == action.type }) else {
        throw PayloadError("\(path).type: \(action.type) is the type of another action already")
      }
      list.append(action)
    }
    return list
  }

  private static func quickAction(_ value: JSONValue, at path: String) throws(PayloadError) -> QuickAction {
    guard case .object(let object) = value else { throw PayloadError("\(path): expected an object") }
    var fields = FieldReader(object, at: path)
    guard let name = fields.take("type") else { throw fields.fault("type", "missing, every action needs it") }
    guard let type = name.text, QuickAction.isType(type) else {
      throw fields.fault("type", "expected 1...64 letters, digits, _ or -, and no built-in name")
    }
    var action = QuickAction(type: type, title: type)
    action.title = try fields.text("title", mostBytes: QuickAction.mostTextBytes) ?? type
    action.subtitle = try fields.textOrNull("subtitle", mostBytes: QuickAction.mostTextBytes)
    action.icon = try fields.textOrNull("icon", mostBytes: QuickAction.mostTextBytes)
    action.run = try fields.word("run", of: Action.allCases) ?? .commit
    if let userInfo = fields.take("user_info") {
      guard case .object(let object) = userInfo else { throw fields.fault("user_info", "expected an object") }
      action.userInfo = try parameters(object, at: path + ".user_info")
    }
    try fields.finish()
    return action
  }

  private static func parameters(
    _ object: JSONObject, at path: String
  ) throws(PayloadError) -> [QuickAction.Parameter] {
    guard object.keys.count <= QuickAction.mostParameters else {
      throw PayloadError("\(path): \(object.keys.count) parameters, at most \(QuickAction.mostParameters)")
    }
    var fields = FieldReader(object, at: path)
    var parameters: [QuickAction.Parameter] = []
    for name in object.keys {
      guard (1...QuickAction.mostNameBytes).contains(name.utf8.count) else {
        throw PayloadError("\(path): a parameter's name has 1...\(QuickAction.mostNameBytes) bytes")
      }
      guard let value = fields.take(name) else { continue }
      switch value {
      case .number(let number) where name != "label": parameters.append(.init(name: name, value: .number(number)))
      case .boolean(let flag) where name != "label": parameters.append(.init(name: name, value: .flag(flag)))
      case .string:
        let text = try fields.line(value, mostBytes: QuickAction.mostValueBytes, name)
        parameters.append(.init(name: name, value: .text(text)))
      case .number, .boolean, .null, .array, .object:
        throw fields.fault(name, name == "label" ? "expected a text" : "expected a text, a number, true or false")
      }
    }
    return parameters
  }
}
