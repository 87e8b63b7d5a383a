import Glibc
import Linux

/// Reports when udev has processed a change of an input device, without polling.
///
/// inotify does not suffice: udev applies its hardware database, which may correct the ranges of axes (EVDEV_ABS_), after it has
/// touched the node. udevd sends a message to the group 2 of NETLINK_KOBJECT_UEVENT when it has finished a device (udev(7),
/// netlink(7)). In a container these messages do not arrive; then only inotify reports changes.
struct DeviceChanges: ~Copyable {
  private let descriptor: Descriptor

  /// The layout of `struct sockaddr_nl`, which Swift's Glibc module lacks. Source: linux/netlink.h.
  private struct Address {
    var family = sa_family_t(AF_NETLINK)
    var padding: UInt16 = 0
    var port: UInt32 = 0
    /// The messages of udevd; those of the kernel, group 1, come too early.
    var groups: UInt32 = 2
  }

  /// NETLINK_KOBJECT_UEVENT of linux/netlink.h.
  private static let kernelObjects: Int32 = 15

  /// Subscribes to the messages; `nil` if the process may not.
  init?() {
    let type = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    guard let descriptor = Descriptor(socket(AF_NETLINK, type, Self.kernelObjects)) else { return nil }
    var address = Address()
    let size = socklen_t(MemoryLayout<Address>.size)
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor.number, $0, size) == 0 }
    }
    guard isBound else { return nil }
    self.descriptor = descriptor
  }

  /// The descriptor, for polling only.
  var fileDescriptor: Int32 { descriptor.number }

  /// Reads all messages; returns whether one is about an input device, or some were lost.
  mutating func drain() -> Bool {
    var isRelevant = false
    // udevd limits a message to 8 KiB (UDEV_MONITOR buffer in sd-device); a longer one is cut and its start suffices.
    withUnsafeTemporaryAllocation(byteCount: 8192, alignment: 8) { buffer in
      while true {
        let count = recv(descriptor.number, buffer.baseAddress, buffer.count, 0)
        if count < 0 && errno == EINTR { continue }
        if count < 0 && errno == ENOBUFS {
          isRelevant = true
          continue
        }
        guard count > 0 else { return }
        if Self.isAboutInput(buffer[..<count]) { isRelevant = true }
      }
    }
    return isRelevant
  }

  /// Whether a message contains the property `SUBSYSTEM=input`; the properties end with zero bytes.
  static func isAboutInput(_ message: some Sequence<UInt8>) -> Bool {
    message.split(separator: 0).contains { $0.elementsEqual("SUBSYSTEM=input".utf8) }
  }
}
