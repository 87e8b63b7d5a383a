import Weighing

extension ButtonBinding {
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
