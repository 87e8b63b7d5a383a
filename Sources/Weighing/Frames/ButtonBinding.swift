/// A key or GPIO button that fires an action (an item of `buttons`).
package struct ButtonBinding: Hashable, Sendable {
  /// The devices whose key is bound; `automatic` means every device with the key.
  package var device: PadSelector
  /// The key.
  package var key: KeyCode
  /// The name of the action.
  package var action: String

  /// Makes a binding.
  package init(device: PadSelector = .automatic, key: KeyCode, action: String) {
    (self.device, self.key, self.action) = (device, key, action)
  }
}
