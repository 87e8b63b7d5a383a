import CLinux
import Glibc
import Linux

/// Expires once, some time after the last change of a device node.
///
/// udev touches a node when it processes a device, which inotify reports, and applies its hardware database only afterwards: it may
/// correct the ranges of axes (EVDEV_ABS_, 60-evdev.hwdb). The messages that udev sends at its end need a netlink socket, which
/// neither the sandbox of the service nor a container has. See timerfd_create(2).
struct SettlingTimer: ~Copyable {
  private let descriptor: Descriptor

  /// How long udev may take after it has touched a node, in seconds. Chosen: its built-in commands take milliseconds. Shorter, and a
  /// correction on a busy machine is missed until the next change; longer, and a pad weighs with a wrong range for longer.
  private static let seconds = 1

  /// Makes a timer that is not running.
  ///
  /// - Throws: `EvdevError.system` if the process has no descriptors left.
  init() throws(EvdevError) {
    guard let descriptor = Descriptor(timerfd_create(CLOCK_MONOTONIC, CInt(TFD_CLOEXEC | TFD_NONBLOCK))) else {
      throw .system(path: "timerfd", doing: "watching for devices", code: errno)
    }
    self.descriptor = descriptor
  }

  /// The descriptor, for polling only: readable when the timer has expired.
  var fileDescriptor: Int32 { descriptor.number }

  /// Starts the timer, again if it is running.
  func start() {
    var time = itimerspec()
    time.it_value.tv_sec = Self.seconds
    timerfd_settime(descriptor.number, 0, &time, nil)
  }

  /// Makes the descriptor unreadable until the timer expires again.
  func acknowledge() {
    var expirations: UInt64 = 0
    _ = read(descriptor.number, &expirations, MemoryLayout.size(ofValue: expirations))
  }
}
