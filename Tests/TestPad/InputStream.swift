import CEvdev
import Glibc

/// Reads kernel events from a descriptor that it does not own.
struct InputStream {
  var descriptor: Int32

  /// Returns the next event, or `nil` if none arrives within `milliseconds`.
  func next(milliseconds: Int32) throws(PadError) -> input_event? {
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, milliseconds) > 0, ready.revents & Int16(POLLIN) != 0 else { return nil }
    var event = input_event()
    let size = MemoryLayout<input_event>.size
    guard read(descriptor, &event, size) == size else { throw PadError("read", code: errno) }
    return event
  }
}

/// A second reader of an event device, like a desktop.
struct SecondReader: ~Copyable {
  private let descriptor: Int32

  init(_ node: String) throws(PadError) {
    descriptor = Glibc.open(node, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw PadError("open \(node)", code: errno) }
  }

  deinit { close(descriptor) }

  /// Returns the number of events since the last call.
  func count() throws(PadError) -> Int {
    var count = 0
    while try InputStream(descriptor: descriptor).next(milliseconds: 0) != nil { count += 1 }
    return count
  }

  /// Changes the range of an axis as udev's hardware database does; `libevdev_kernel_set_abs_info(3)`.
  func setRange(_ axis: String, _ range: PadShape.Axis) throws(PadError) {
    let code = libevdev_event_code_from_name(UInt32(EV_ABS), axis)
    guard code >= 0 else { throw PadError("no such axis: \(axis)") }
    var device: OpaquePointer?
    let opened = libevdev_new_from_fd(descriptor, &device)
    guard opened == 0, let device else { throw PadError("libevdev_new_from_fd", code: -opened) }
    defer { libevdev_free(device) }
    var info = input_absinfo()
    (info.minimum, info.maximum, info.resolution) = (range.minimum, range.maximum, range.resolution)
    let status = libevdev_kernel_set_abs_info(device, UInt32(code), &info)
    guard status == 0 else { throw PadError("EVIOCSABS", code: -status) }
  }

  /// Whether the device can be grabbed; EVIOCGRAB fails with EBUSY if another process has grabbed it. Releases the grab
  /// immediately.
  func couldGrab() throws(PadError) -> Bool {
    // _IOW('E', 0x90, int), a macro that Swift does not import. The number is the same on all supported architectures.
    let grab: UInt = 0x4004_4590
    guard ioctl(descriptor, grab, 1) == 0 else {
      guard errno == EBUSY else { throw PadError("EVIOCGRAB", code: errno) }
      return false
    }
    guard ioctl(descriptor, grab, 0) == 0 else { throw PadError("EVIOCGRAB", code: errno) }
    return true
  }
}
