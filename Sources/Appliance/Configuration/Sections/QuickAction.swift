extension Configuration {
  /// A named action with parameters (an item of `actions`).
  package struct QuickAction: Hashable, Sendable {
    /// Its name in topics and commands: 1...64 letters, digits, `_` and `-`, none of the built-in actions.
    package var type: String
    /// What people read; the type unless configured.
    package var title: String
    /// A second line.
    package var subtitle: String?
    /// The name of an icon, `mdi:coffee`.
    package var icon: String?
    /// The action it stands for.
    package var run: BuiltInAction
    /// The parameters, `label` among them, in the order of the file.
    package var userInfo: [Parameter]

    /// Makes a quick action.
    package init(
      type: String, title: String, subtitle: String? = nil, icon: String? = nil, run: BuiltInAction = .commit,
      userInfo: [Parameter] = []
    ) {
      self.type = type
      self.title = title
      self.subtitle = subtitle
      self.icon = icon
      self.run = run
      self.userInfo = userInfo
    }

    /// One parameter.
    package struct Parameter: Hashable, Sendable {
      /// Its name.
      package var name: String
      /// Its value.
      package var value: Value

      /// Makes a parameter.
      package init(name: String, value: Value) {
        self.name = name
        self.value = value
      }
    }

    /// The value of a parameter.
    package enum Value: Hashable, Sendable {
      /// Text of up to 256 bytes.
      case text(String)
      /// A finite number.
      case number(Double)
      /// True or false.
      case flag(Bool)
    }
  }
}

extension Configuration.QuickAction {
  var yaml: YAMLOutput {
    var entries: [YAMLEntry] = [("type", .text(type)), ("title", .text(title))]
    if let subtitle { entries.append(("subtitle", .text(subtitle))) }
    if let icon { entries.append(("icon", .text(icon))) }
    entries.append(("run", .text(run.rawValue)))
    entries.append(("user_info", .map(userInfo.map { ($0.name, $0.value.yaml) })))
    return .map(entries)
  }
}

extension Configuration.QuickAction.Value {
  fileprivate var yaml: YAMLOutput {
    switch self {
    case .text(let text): .text(text)
    case .number(let number): .number(number)
    case .flag(let flag): .flag(flag)
    }
  }
}

extension ValueRule<[Configuration.QuickAction]> {
  /// At most four quick actions, no type twice.
  static var quickActions: Self {
    var types: Set<String> = []
    return .list(atMost: 4) { node, faults in
      var type: String?
      var title: String?
      var run = Configuration.BuiltInAction.commit
      var action = Configuration.QuickAction(type: "", title: "")
      var item = SectionReader(item: node, "an action {type: ..., title: ..., run: ...}", faults)
      item.require("type", .actionType, into: &type)
      item.read("title", .text(maximumBytes: 128), into: &title)
      item.read("subtitle", .text(maximumBytes: 128), into: &action.subtitle)
      item.read("icon", .text(maximumBytes: 128), into: &action.icon)
      item.read("run", .oneOf(Configuration.BuiltInAction.self), into: &run)
      item.read("user_info", .parameters, into: &action.userInfo)
      if let type {
        faults.declare(type)
        if !types.insert(type).inserted { item.report("type", "\(type) is the type of another action already") }
      }
      guard item.finish(), let type else { return nil }
      action.type = type
      action.title = title ?? type
      action.run = run
      return action
    }
  }
}

extension ValueRule<[Configuration.QuickAction.Parameter]> {
  /// Up to 16 names with a text, a number or a flag each; `label` is a text.
  fileprivate static var parameters: Self {
    ValueRule { node, faults in
      guard case .mapping(let pairs) = node.content else {
        return faults.refuse(node, expected: "a mapping of parameters")
      }
      guard pairs.count <= 16 else { return faults.report("\(pairs.count) parameters, at most 16", at: node.position) }
      var parameters: [Configuration.QuickAction.Parameter] = []
      for pair in pairs {
        let faults = faults.below(pair.key)
        guard !faults.refusesDuplicate(pair, in: pairs) else { continue }
        guard (1...64).contains(pair.key.utf8.count) else {
          faults.report("a parameter's name has 1...64 bytes", at: pair.position)
          continue
        }
        let text = ValueRule<String>.text(maximumBytes: 256)
        switch pair.value.scalar {
        case .flag(let flag) where pair.key != "label": parameters.append(.init(name: pair.key, value: .flag(flag)))
        case .number(let number) where pair.key != "label":
          parameters.append(.init(name: pair.key, value: .number(number)))
        case .flag, .number, .text, .null, .notFinite, nil:
          guard let text = text.read(pair.value, faults) else { continue }
          parameters.append(.init(name: pair.key, value: .text(text)))
        }
      }
      return parameters.count == pairs.count ? parameters : nil
    }
  }
}
