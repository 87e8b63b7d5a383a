import Weighing

extension ButtonBinding {
  /// Whether the binding matches a device that has the key. The keyboard that types the weighings never matches: its Enter
  /// would trigger an action after each weighing.
  func applies(to device: EvdevDevice) -> Bool {
    device.description.keys.contains(key) && !device.description.isWeighingKeyboard
      && self.device.accepts(device.description, at: device.path)
  }

  /// Whether the binding may match the device of a recording, which does not contain a path, and the device has the
  /// key.
  func mayApply(toRecorded device: PadDescription) -> Bool {
    guard device.keys.contains(key) else { return false }
    return switch self.device {
    case .automatic, .path: true
    case .match: self.device.accepts(device, at: "")
    }
  }
}
