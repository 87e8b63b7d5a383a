import Glibc
import Linux
import Weighing

/// A device that is open because of its keys.
final class OpenButtons {
  /// The device.
  let device: EvdevDevice
  /// The identity of the device, independent of the path.
  let node: NodeIdentity
  /// Whether it has sent any event.
  private(set) var hasDelivered = false

  private var keys: BoundKeys

  /// Uses a device with the current state of its keys.
  init(_ device: EvdevDevice, _ node: NodeIdentity, _ keys: BoundKeys) {
    (self.device, self.node, self.keys) = (device, node, keys)
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

/// The state of a node: it changes with the device or its permissions.
struct NodeState: Hashable {
  /// The identity of the device.
  let node: NodeIdentity

  private let file: ino_t
  private let seconds: Int
  private let nanoseconds: Int

  /// Reads the state of a path; `nil` if it is not a device node.
  init?(_ path: String) {
    var status = stat()
    guard let node = NodeIdentity(path), stat(path, &status) == 0 else { return nil }
    self.node = node
    file = status.st_ino
    seconds = status.st_ctim.tv_sec
    nanoseconds = status.st_ctim.tv_nsec
  }
}
