import CEvdev
import CLinux
import Glibc
import Linux
import Logging
import Weighing

/// One open evdev device, owned by one thread.
///
/// Closed with its last reference. The timestamps of its events are on CLOCK_MONOTONIC, either set in the kernel or
/// converted (`EventStamps`).
package final class EvdevDevice {
  /// The path it was opened with.
  package let path: String
  /// The description of the device.
  package let description: PadDescription

  let descriptor: Descriptor
  /// Receives libevdev's messages about the device, which holds a pointer to it.
  private let log: DeviceLog
  /// libevdev's `struct libevdev *`, freed in `deinit`.
  let handle: OpaquePointer
  var stamps: EventStamps
  let state: StateCodes

  /// Opens a device read-only. See open(2), libevdev_new(3), libevdev_set_fd(3).
  ///
  /// - Parameter logger: Receives libevdev's messages about the device; without one they are discarded.
  /// - Throws: `EvdevError.notFound`, `.notPermitted`, `.notEvdev`, `.lost` or `.system`.
  package init(path: String, logger: Logger? = nil) throws(EvdevError) {
    let start = Instant.now()
    self.path = path
    guard let descriptor = Descriptor(open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)) else {
      let code = errno
      throw code == ENODEV ? .notFound(path: path) : EvdevError(errno: code, path: path, doing: "opening the device")
    }
    // Set before the state is queried: changing the clock clears the kernel's event buffer (evdev_set_clk_type), and a
    // contact that came down in between would be missed.
    var clock = CLOCK_MONOTONIC
    let isMonotonic = ioctl(descriptor.number, grampad_EVIOCSCLOCKID, &clock) == 0
    // The messages of libevdev_new_from_fd(3) cannot be forwarded: the log function is set on a device, which does not
    // exist yet.
    guard let created = libevdev_new() else { throw EvdevError(errno: ENOMEM, path: path, doing: "opening the device") }
    let log = DeviceLog(path: path, logger: logger)
    log.attach(to: created)
    let status = libevdev_set_fd(created, descriptor.number)
    guard status == 0 else {
      libevdev_free(created)
      // Files that are not evdev devices return ENOTTY, some EINVAL (signalfd, some drivers), umockdev ENOENT.
      if [ENOTTY, EINVAL, ENOENT].contains(-status) { throw .notEvdev(path: path) }
      throw EvdevError(errno: -status, path: path, doing: "querying the device")
    }
    // Set again: libevdev_set_fd(3) of libevdev 1.13 keeps the log function but loses its data pointer, so its own
    // messages are discarded.
    log.attach(to: created)
    self.descriptor = descriptor
    self.log = log
    handle = created
    description = PadDescription(reading: created)
    state = StateCodes(description, slots: libevdev_get_num_slots(created))
    stamps = EventStamps(areMonotonic: isMonotonic, after: start)
  }

  deinit { libevdev_free(handle) }

  /// The descriptor, for polling only.
  package var fileDescriptor: Int32 { descriptor.number }

  /// Whether the kernel uses CLOCK_MONOTONIC for this device's timestamps; otherwise they are converted from the wall
  /// clock.
  package var hasMonotonicStamps: Bool { stamps.areMonotonic }

  /// Grabs or releases the device. See libevdev_grab(3).
  ///
  /// - Throws: `EvdevError.grabbed` if another program has grabbed it, `.lost` or `.system`.
  package func setGrab(_ grab: Bool) throws(EvdevError) {
    let status = libevdev_grab(handle, grab ? LIBEVDEV_GRAB : LIBEVDEV_UNGRAB)
    if -status == EBUSY { throw .grabbed(path: path) }
    guard status == 0 else {
      throw EvdevError(errno: -status, path: path, doing: grab ? "grabbing the device" : "releasing the device")
    }
  }
}
