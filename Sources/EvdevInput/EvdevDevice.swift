import CEvdev
import CLinux
import EventLoop
import Glibc
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
  /// Whether lights, sounds and rumble can be written; a device that the user may only read is opened for reading.
  package let isWritable: Bool
  /// Whether no other program gets its events.
  package private(set) var isGrabbed = false

  let descriptor: Descriptor
  /// libevdev's `struct libevdev *`, freed in `deinit`.
  let handle: OpaquePointer
  var stamps: EventStamps
  let state: StateCodes

  /// Opens a device. See open(2), libevdev_new_from_fd(3).
  ///
  /// - Throws: `EvdevError.notFound`, `.notPermitted`, `.notEvdev`, `.lost` or `.system`.
  package init(path: String) throws(EvdevError) {
    let start = Instant.now()
    self.path = path
    let flags = O_NONBLOCK | O_CLOEXEC | O_NOCTTY
    var number = open(path, O_RDWR | flags)
    let writable = number >= 0
    if !writable, [EACCES, EPERM, EROFS].contains(errno) { number = open(path, O_RDONLY | flags) }
    guard let descriptor = Descriptor(number) else {
      let code = errno
      throw code == ENODEV ? .notFound(path: path) : EvdevError(errno: code, path: path, doing: "opening it")
    }
    var created: OpaquePointer?
    let status = libevdev_new_from_fd(descriptor.number, &created)
    guard status == 0, let created else {
      // A file without evdev's calls answers ENOTTY, some EINVAL (signalfd, some drivers), umockdev ENOENT.
      if [ENOTTY, EINVAL, ENOENT].contains(-status) { throw .notEvdev(path: path) }
      throw EvdevError(errno: -status, path: path, doing: "asking what it is")
    }
    isWritable = writable
    self.descriptor = descriptor
    handle = created
    description = PadDescription(reading: created)
    state = StateCodes(description, slots: libevdev_get_num_slots(created))
    let isMonotonic = libevdev_set_clock_id(created, CLOCK_MONOTONIC) == 0
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
      throw EvdevError(errno: -status, path: path, doing: grab ? "grabbing it" : "ungrabbing it")
    }
    isGrabbed = grab
  }

  /// Tells the device to show, sound or move something: one event and its SYN_REPORT. See write(2).
  ///
  /// The kernel hands the event back to every reader of the device, this one too.
  ///
  /// - Throws: `EvdevError.notPermitted` when it is open for reading only, `.lost` or `.system`.
  package func write(_ type: EventType, code: UInt16, value: Int32) throws(EvdevError) {
    guard isWritable else { throw .notPermitted(path: path) }
    var events = (input_event(), input_event())
    events.0.type = type.rawValue
    events.0.code = code
    events.0.value = value
    events.1.type = EventType.synchronization.rawValue
    events.1.code = SynchronizationCode.report
    let size = MemoryLayout.size(ofValue: events)
    let written = Glibc.write(descriptor.number, &events, size)
    guard written == size else {
      throw EvdevError(errno: written < 0 ? errno : EIO, path: path, doing: "writing to it")
    }
  }
}
