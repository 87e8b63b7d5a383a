import Weighing

extension QuickAction {
  var yaml: YAMLOutput {
    var entries: [YAMLEntry] = [("type", .text(type)), ("title", .text(title))]
    if let subtitle { entries.append(("subtitle", .text(subtitle))) }
    if let icon { entries.append(("icon", .text(icon))) }
    entries.append(("run", .text(run.rawValue)))
    entries.append(("user_info", .map(userInfo.map { ($0.name, $0.value.yaml) })))
    return .map(entries)
  }
}

extension QuickAction.Value {
  fileprivate var yaml: YAMLOutput {
    switch self {
    case .text(let text): .text(text)
    case .number(let number): .number(number)
    case .flag(let flag): .flag(flag)
    }
  }
}

extension ValueRule<[QuickAction]> {
  /// At most four quick actions with different types.
  static var quickActions: Self {
    var types: Set<String> = []
    return .list(atMost: QuickAction.most) { node, reporter in
      var type: String?
      var title: String?
      var run = Action.commit
      var action = QuickAction(type: "", title: "")
      var item = SectionReader(item: node, "an action {type: ..., title: ..., run: ...}", reporter)
      item.require("type", .actionType, into: &type)
      item.read("title", .text(maximumBytes: QuickAction.mostTextBytes), into: &title)
      item.read("subtitle", .text(maximumBytes: QuickAction.mostTextBytes), into: &action.subtitle)
      item.read("icon", .text(maximumBytes: QuickAction.mostTextBytes), into: &action.icon)
      item.read("run", .oneOf(Action.self), into: &run)
      item.read("user_info", .parameters, into: &action.userInfo)
      if let type {
        reporter.declare(type)
        if !types.insert(type).inserted { item.report("type", "\(type) is already the type of another action") }
      }
      guard item.finish(), let type else { return nil }
      action.type = type
      action.title = title ?? type
      action.run = run
      return action
    }
  }
}

extension ValueRule<[QuickAction.Parameter]> {
  /// Up to 16 named parameters, each a string, a number or a boolean; `label` is a string.
  fileprivate static var parameters: Self {
    ValueRule { node, reporter in
      guard case .mapping(let pairs) = node.content else {
        return reporter.reportUnexpected(node, expected: "a mapping of parameters")
      }
      guard pairs.count <= QuickAction.mostParameters else {
        return reporter.report(
          "too many parameters: \(pairs.count), maximum \(QuickAction.mostParameters)", at: node.position)
      }
      var parameters: [QuickAction.Parameter] = []
      for pair in pairs {
        let reporter = reporter.below(pair.key)
        guard !reporter.reportsDuplicate(pair, in: pairs) else { continue }
        guard (1...QuickAction.mostNameBytes).contains(pair.key.utf8.count) else {
          reporter.report("the name of a parameter must have 1 to 64 bytes", at: pair.position)
          continue
        }
        let text = ValueRule<String>.text(maximumBytes: QuickAction.mostValueBytes)
        switch pair.value.scalar {
        case .flag(let flag) where pair.key != "label": parameters.append(.init(name: pair.key, value: .flag(flag)))
        case .number(let number) where pair.key != "label":
          parameters.append(.init(name: pair.key, value: .number(number)))
        case .flag, .number, .text, .null, .notFinite, nil:
          guard let text = text.read(pair.value, reporter) else { continue }
          parameters.append(.init(name: pair.key, value: .text(text)))
        }
      }
      return parameters.count == pairs.count ? parameters : nil
    }
  }
}
