import Weighing

/// A device that is open because of its bound keys.
final class OpenButtons: OpenKeys {
  let device: EvdevDevice
  private(set) var hasDelivered = false

  private var keys: BoundKeys

  /// Uses a device with the current state of its keys.
  init(_ device: EvdevDevice, _ keys: BoundKeys) {
    (self.device, self.keys) = (device, keys)
    device.tellState { self.keys.handle($0) { _, _ in } }
  }

  /// Reads pending events and reports button changes.
  func read(_ body: (ButtonChange, Instant) -> Void) throws(EvdevError) {
    try device.readEvents { event in
      hasDelivered = true
      keys.handle(event, body)
    }
  }

  /// Reports every button that is down as lost.
  func releaseAll(_ body: (ButtonChange, Instant) -> Void) { keys.releaseAll(at: .now(), body) }
}
