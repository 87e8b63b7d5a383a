import Weighing

/// A key or GPIO button that fires an action (an item of `buttons`).
package struct ButtonBinding: Hashable, Sendable {
  /// The devices whose key is meant; `automatic` is every device that has the key.
  package var device: PadSelector
  /// The key.
  package var key: KeyCode
  /// The name of the action.
  package var action: String

  /// Makes a binding.
  package init(device: PadSelector = .automatic, key: KeyCode, action: String) {
    self.device = device
    self.key = key
    self.action = action
  }

  /// Whether a device is meant, and has the key.
  func applies(to device: EvdevDevice) -> Bool {
    device.description.keys.contains(key) && self.device.accepts(device.description, at: device.path)
  }

  /// Whether the device of a recording may be meant, and has the key; a recording does not tell its path.
  func mayApply(toRecorded device: PadDescription) -> Bool {
    guard device.keys.contains(key) else { return false }
    return switch self.device {
    case .automatic, .path: true
    case .match: self.device.accepts(device, at: "")
    }
  }

  /// The more precisely a device is named, the greater: of two bindings of one key the greater counts.
  var precision: Int {
    switch device {
    case .automatic: 0
    case .match: 1
    case .path: 2
    }
  }
}
