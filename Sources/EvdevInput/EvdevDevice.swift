import CEvdev
import CLinux
import EventLoop
import Glibc
import Logging
import Weighing

/// One open evdev device, owned by one thread.
///
/// Closed when the last reference goes. Time stamps of its events are those of CLOCK_MONOTONIC, asked of the kernel or
/// converted (`EventStamps`).
package final class EvdevDevice {
  /// The path by which it was opened.
  package let path: String
  /// What the device says of itself.
  package let description: PadDescription
  /// Whether no other program gets its events.
  package private(set) var isGrabbed = false

  let descriptor: Descriptor
  /// Where libevdev reports what it finds wrong with the device; it holds a pointer to this.
  private let log: DeviceLog
  /// libevdev's `struct libevdev *`, freed in `deinit`.
  let handle: OpaquePointer
  var stamps: EventStamps
  let state: StateCodes

  /// Opens a device, for reading only. See open(2), libevdev_new(3), libevdev_set_fd(3).
  ///
  /// - Parameter logger: Gets libevdev's own messages about the device; without one they are discarded.
  /// - Throws: `EvdevError.notFound`, `.notPermitted`, `.notEvdev`, `.lost` or `.system`.
  package init(path: String, logger: Logger? = nil) throws(EvdevError) {
    let start = Instant.now()
    self.path = path
    guard let descriptor = Descriptor(open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)) else {
      let code = errno
      throw code == ENODEV ? .notFound(path: path) : EvdevError(errno: code, path: path, doing: "opening the device")
    }
    // Before the state is asked for: another clock makes the kernel forget what waits (evdev_set_clk_type), and a contact
    // that came down in between would stay unseen.
    var clock = CLOCK_MONOTONIC
    let isMonotonic = ioctl(descriptor.number, grampad_EVIOCSCLOCKID, &clock) == 0
    // The messages of libevdev_new_from_fd(3) about a device cannot be routed: there is no device yet to say where to.
    guard let created = libevdev_new() else { throw EvdevError(errno: ENOMEM, path: path, doing: "opening the device") }
    let log = DeviceLog(path: path, logger: logger)
    log.attach(to: created)
    let status = libevdev_set_fd(created, descriptor.number)
    guard status == 0 else {
      libevdev_free(created)
      // A file without evdev's calls answers ENOTTY, some EINVAL (signalfd, some drivers), umockdev ENOENT.
      if [ENOTTY, EINVAL, ENOENT].contains(-status) { throw .notEvdev(path: path) }
      throw EvdevError(errno: -status, path: path, doing: "querying the device")
    }
    // Again: libevdev_set_fd(3) of libevdev 1.13 keeps the function and forgets the pointer that goes with it, so what it
    // reports itself is discarded.
    log.attach(to: created)
    self.descriptor = descriptor
    self.log = log
    handle = created
    description = PadDescription(reading: created)
    state = StateCodes(description, slots: libevdev_get_num_slots(created))
    stamps = EventStamps(areMonotonic: isMonotonic, after: start)
  }

  deinit { libevdev_free(handle) }

  /// The descriptor, to wait on only.
  package var fileDescriptor: Int32 { descriptor.number }

  /// Whether the kernel stamps this device's events with CLOCK_MONOTONIC; otherwise its wall clock is converted.
  package var hasMonotonicStamps: Bool { stamps.areMonotonic }

  /// Takes the device for this program alone, or gives it back. See libevdev_grab(3).
  ///
  /// - Throws: `EvdevError.grabbed` when another program has it, `.lost` or `.system`.
  package func setGrab(_ grab: Bool) throws(EvdevError) {
    let status = libevdev_grab(handle, grab ? LIBEVDEV_GRAB : LIBEVDEV_UNGRAB)
    if -status == EBUSY { throw .grabbed(path: path) }
    guard status == 0 else {
      throw EvdevError(errno: -status, path: path, doing: grab ? "grabbing the device" : "releasing the device")
    }
    isGrabbed = grab
  }
}
