/// The virtual keyboard with which Grampad types weighings.
package enum WeighingKeyboard {
  /// The name of the device.
  package static let name = "Grampad Keyboard"
  /// Bus 0x06 is BUS_VIRTUAL; a virtual device has no vendor.
  package static let identity = PadIdentity(bus: 0x06, version: 1)
}

extension PadDescription {
  /// Whether the device is the keyboard of this or another Grampad, whose keys trigger no actions.
  package var isWeighingKeyboard: Bool { name == WeighingKeyboard.name && id == WeighingKeyboard.identity }
}
