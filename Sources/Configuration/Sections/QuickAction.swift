import Languages
import Weighing

extension QuickAction {
  /// An example for the documentation.
  static let example = QuickAction(
    type: "beans", title: "Beans", subtitle: "For two", icon: "mdi:coffee",
    userInfo: [Parameter(name: "label", value: .text("beans"))])
}

extension ValueRule<[QuickAction]> {
  /// At most four quick actions with different types.
  static var quickActions: Self { .list(atMost: QuickAction.maximumCount, of: "quick actions", .quickAction) }
}

extension ValueRule<QuickAction> {
  fileprivate static var quickAction: Self {
    let expected = Sentence(.acceptsQuickAction, ["form": "{type: ..., title: ..., run: ...}"])
    let typeRule = ValueRule<String>.actionType
    let textRule = ValueRule<String>.text(maximumBytes: QuickAction.maximumTextBytes)
    let runRule = ValueRule<Action>.oneOf(Action.self)
    let parametersRule = ValueRule<[QuickAction.Parameter]>.parameters
    return ValueRule(
      expected,
      schema: .objectSchema(
        [
          "type": typeRule.schema().described("Name of the action in topics and commands."),
          "title": textRule.schema().described("Display name; defaults to the type."),
          "subtitle": textRule.schema().described("Description, shown below the title."),
          "icon": textRule.schema().described("Icon, for example mdi:coffee."),
          "run": runRule.schema().described("The action to perform; commit by default."),
          "user_info": parametersRule.schema().described(
            "Parameters: label for commit and relabel, those of the command for the other actions; target_g also for tare, "
              + "clear_tare and zero."),
        ], required: ["type"]),
      output: {
        .record([
          "type": .text($0.type), "title": .text($0.title), "subtitle": $0.subtitle.map { .text($0) },
          "icon": $0.icon.map { .text($0) }, "run": runRule.output($0.run),
          "user_info": parametersRule.output($0.userInfo),
        ])
      }
    ) { node, reporter in
      var type: String?
      var title: String?
      var action = QuickAction(type: "", title: "")
      var item = SectionReader(item: node, expected, reporter)
      item.require("type", typeRule, into: &type)
      item.read("title", textRule, into: &title)
      item.read("subtitle", textRule, into: &action.subtitle)
      item.read("icon", textRule, into: &action.icon)
      item.read("run", runRule, into: &action.run)
      item.read("user_info", parametersRule, into: &action.userInfo)
      if let type {
        if reporter.context.types.contains(type) {
          item.report("type", .configActionTaken, ["type": type])
        }
        reporter.declare(type)
      }
      do throws(ActionArgumentError) {
        _ = (try action.parameters(), try action.target())
      } catch {
        item.report("user_info", error.sentence)
      }
      guard item.finish(), let type else { return nil }
      action.type = type
      action.title = title ?? type
      return action
    }
  }
}

extension ValueRule<[QuickAction.Parameter]> {
  /// Up to 16 named parameters, each a string, a number or a boolean; `label` is a string.
  fileprivate static var parameters: Self {
    let expected = Sentence(.acceptsParameters)
    let textRule = ValueRule<String>.text(maximumBytes: QuickAction.maximumValueBytes)
    return ValueRule(
      expected,
      schema: [
        "type": "object", "maxProperties": .integer(QuickAction.maximumParameters),
        "propertyNames": ["minLength": 1, "maxLength": .integer(QuickAction.maximumNameBytes)],
        "properties": ["label": textRule.schema().described("Label of the weighing.")],
        "additionalProperties": ["anyOf": [textRule.schema(), ["type": ["number", "boolean"]]]],
      ],
      output: { .map($0.map { OutputEntry($0.name, $0.value.output) }) }
    ) { node, reporter in
      guard case .mapping(let pairs) = node.content else { return reporter.reportUnexpected(node, expected: expected) }
      guard pairs.count <= QuickAction.maximumParameters else {
        return reporter.report(
          .configManyParameters, ["count": pairs.count, "limit": QuickAction.maximumParameters], at: node.position)
      }
      var parameters: [QuickAction.Parameter] = []
      for pair in pairs {
        let reporter = reporter.below(pair.key)
        guard !reporter.reportsDuplicate(pair, in: pairs) else { continue }
        guard (1...QuickAction.maximumNameBytes).contains(pair.key.utf8.count) else {
          reporter.report(.configParameterName, ["maximum": QuickAction.maximumNameBytes], at: pair.position)
          continue
        }
        switch pair.value.scalar {
        case .flag(let flag) where pair.key != "label": parameters.append(.init(name: pair.key, value: .flag(flag)))
        case .number(let number) where pair.key != "label":
          parameters.append(.init(name: pair.key, value: .number(number)))
        case .flag, .number, .text, .null, .notFinite, nil:
          guard let text = textRule.read(pair.value, reporter) else { continue }
          parameters.append(.init(name: pair.key, value: .text(text)))
        }
      }
      return parameters.count == pairs.count ? parameters : nil
    }
  }
}

extension QuickAction.Value {
  fileprivate var output: OutputValue {
    switch self {
    case .text(let text): .text(text)
    case .number(let number): .number(number)
    case .flag(let flag): .flag(flag)
    }
  }
}
