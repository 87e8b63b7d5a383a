import Weighing

extension Configuration {
  /// A key or GPIO button that fires an action (an item of `buttons`).
  package struct Button: Hashable, Sendable {
    /// The device with the key; `automatic` means every device that has the key.
    package var device: DeviceChoice
    /// The key.
    package var key: KeyCode
    /// Its action.
    package var action: ActionReference

    /// Makes a button.
    package init(device: DeviceChoice, key: KeyCode, action: ActionReference) {
      self.device = device
      self.key = key
      self.action = action
    }
  }
}

extension Configuration.Button {
  var yaml: YAMLOutput {
    .map([("device", device.yaml), ("key", .text(key.name)), ("action", .text(action.name))])
  }
}

extension ValueRule<[Configuration.Button]> {
  /// At most 32 buttons; each key of a device at most once.
  static var buttons: Self {
    var seen: [Configuration.Button] = []
    return .list(atMost: 32) { node, reporter in
      var device = Configuration.DeviceChoice.automatic
      var key: KeyCode?
      var action: Configuration.ActionReference?
      var item = SectionReader(item: node, "a button {device: ..., key: ..., action: ...}", reporter)
      item.read("device", .deviceChoice(words: ["auto": .automatic]), into: &device)
      item.require("key", .key, into: &key)
      item.require("action", .action, into: &action)
      if let key, seen.contains(where: { $0.device == device && $0.key == key }) {
        item.report("key", "\(key.name) of this device already has an action")
      }
      guard item.finish(), let key, let action else { return nil }
      let button = Configuration.Button(device: device, key: key, action: action)
      seen.append(button)
      return button
    }
  }
}

extension ValueRule<KeyCode> {
  /// The kernel's name of a key or button.
  static var key: Self {
    ValueRule { node, reporter in
      let expected = "the name of a key, KEY_... or BTN_..."
      guard case .text(let name) = node.scalar else { return reporter.reportUnexpected(node, expected: expected) }
      if let code = KeyCode(name: name) { return code }
      return reporter.reportUnexpected(node, expected: expected, suggestion: closest(to: name, in: KeyCode.allNames))
    }
  }
}
