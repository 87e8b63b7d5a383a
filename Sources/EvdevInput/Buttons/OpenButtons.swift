import EventLoop
import Glibc
import Weighing

/// A device that is open for its keys.
final class OpenButtons {
  /// The device.
  let device: EvdevDevice
  /// Which device it is, by whatever path.
  let node: NodeIdentity
  /// Whether any event has come from it.
  private(set) var hasDelivered = false

  private var keys: BoundKeys

  /// Takes a device into use, with the state that its keys have now.
  init(_ device: EvdevDevice, _ node: NodeIdentity, _ keys: BoundKeys) {
    self.device = device
    self.node = node
    self.keys = keys
    device.tellState { self.keys.handle($0) { _, _ in } }
  }

  /// Reads what waits and tells what it means for the buttons.
  func read(_ body: (ButtonChange, Instant) -> Void) throws(EvdevError) {
    try device.readEvents { event in
      hasDelivered = true
      keys.handle(event, body)
    }
  }

  /// Tells of every button that is down that nobody knows any more.
  func lose(_ body: (ButtonChange, Instant) -> Void) { keys.lose(at: .now(), body) }
}

/// A node as it is: another device behind it or other permissions make it another.
struct NodeState: Hashable {
  /// Which device it is.
  let node: NodeIdentity

  private let file: ino_t
  private let seconds: Int
  private let nanoseconds: Int

  /// Looks at a path; `nil` when there is no device node.
  init?(_ path: String) {
    var status = stat()
    guard let node = NodeIdentity(path), stat(path, &status) == 0 else { return nil }
    self.node = node
    file = status.st_ino
    seconds = status.st_ctim.tv_sec
    nanoseconds = status.st_ctim.tv_nsec
  }
}
