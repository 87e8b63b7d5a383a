import Weighing

/// The keys of a recorded device that are bound to actions.
///
/// A recording does not tell the path of its device, so a button that is bound by path is taken to be of this one.
struct RecordedKeys: Sendable {
  private var bindings: [KeyCode: [(button: Int, action: String)]] = [:]
  private var down: [Int: String] = [:]
  private var isDiscarding = false

  init(_ buttons: [Configuration.Button], of device: PadDescription) {
    for (index, button) in buttons.enumerated() where device.keys.contains(button.key) && button.device.allows(device) {
      bindings[button.key, default: []].append((index, button.action.name))
    }
  }

  /// Whether no key of the device does anything.
  var isEmpty: Bool { bindings.isEmpty }

  /// What an event does to the bound buttons, as on a live device: a gap in the events loses those that are down.
  mutating func changes(_ event: InputEvent) -> [ButtonChange] {
    guard !isEmpty else { return [] }
    switch event.type {
    case .synchronization where event.code == SynchronizationCode.dropped:
      defer { down.removeAll() }
      isDiscarding = true
      return down.sorted { $0.key < $1.key }.map { ButtonChange(button: $0.key, action: $0.value, change: .lost) }
    case .synchronization where event.code == SynchronizationCode.report:
      isDiscarding = false
      return []
    case .key where !isDiscarding && (event.value == 0 || event.value == 1):
      let isPressed = event.value == 1
      return bindings[KeyCode(rawValue: event.code), default: []].map { button, action in
        down[button] = isPressed ? action : nil
        return ButtonChange(button: button, action: action, change: isPressed ? .pressed : .released)
      }
    default:
      return []
    }
  }
}

extension Configuration.DeviceChoice {
  /// Whether a device of this description may be meant.
  fileprivate func allows(_ device: PadDescription) -> Bool {
    switch self {
    case .automatic, .path: true
    case .simulated: false
    case .matching(let name, let vendor, let product):
      (name ?? device.name) == device.name && (vendor ?? device.id.vendor) == device.id.vendor
        && (product ?? device.id.product) == device.id.product
    }
  }
}
