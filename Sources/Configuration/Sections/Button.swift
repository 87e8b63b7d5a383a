import Languages
import Weighing

extension ButtonBinding {
  /// An example for the documentation.
  static let examples = KeyCode(name: "KEY_ENTER").map {
    [Self(key: $0, action: "commit")]
  }
}

extension ValueRule<[ButtonBinding]> {
  /// At most 32 buttons; each key of a device at most once.
  static var buttons: Self {
    .list(atMost: 32, of: "buttons {device: ..., key: ..., action: ...}", ValueRule<ButtonBinding>.button)
  }
}

extension ValueRule<ButtonBinding> {
  /// A button whose key none of the other buttons has.
  fileprivate static func button(after others: [ButtonBinding]) -> Self {
    let expected = Sentence(.acceptsButton, ["form": "{device: ..., key: ..., action: ...}"])
    let deviceRule = ValueRule<PadSelector>.padSelector
    let (keyRule, actionRule) = (ValueRule<KeyCode>.key, ValueRule<String>.action)
    return ValueRule(
      expected,
      schema: .objectSchema(
        [
          "device": deviceRule.schema().described("The device that has the key; auto for every device with it."),
          "key": keyRule.schema().described("The kernel's name of the key."), "action": actionRule.schema(),
        ], required: ["key", "action"]),
      output: {
        .record([
          "device": deviceRule.output($0.device), "key": keyRule.output($0.key), "action": actionRule.output($0.action),
        ])
      }
    ) { node, reporter in
      var device = PadSelector.automatic
      var key: KeyCode?
      var action: String?
      var item = SectionReader(item: node, expected, reporter)
      item.read("device", deviceRule, into: &device)
      item.require("key", keyRule, into: &key)
      item.require("action", actionRule, into: &action)
      if let key, others.contains(where: { $0.device == device && $0.key == key }) {
        item.report("key", .configButtonTaken, ["key": key.name])
      }
      guard item.finish(), let key, let action else { return nil }
      return ButtonBinding(device: device, key: key, action: action)
    }
  }
}

extension ValueRule<KeyCode> {
  /// The kernel's name of a key or button.
  static var key: Self {
    let expected = Sentence(.acceptsKey)
    return ValueRule(
      expected, schema: ["allOf": [["$ref": "#/definitions/key"]]], output: { .text($0.name) }
    ) { node, reporter in
      guard case .text(let name) = node.scalar else { return reporter.reportUnexpected(node, expected: expected) }
      if let code = KeyCode(name: name) { return code }
      return reporter.reportUnexpected(node, expected: expected, suggestion: closest(to: name, in: KeyCode.allNames))
    }
  }
}
