import Weighing

/// Distinguishes reports made by the kernel from those of the device.
///
/// When a device is unplugged or suspended, the kernel releases everything that is down, so that no key appears stuck
/// (`input_dev_release_keys` of drivers/input/input.c), although no finger was lifted. Such a report ends with
/// SYN_REPORT 1, one of a driver with SYN_REPORT 0. Key repeat also ends with SYN_REPORT 1; it is recognised by its
/// value.
struct KernelReport {
  private var repeats = false

  /// Processes the next event; returns whether it ends a report made by the kernel.
  mutating func ends(with event: InputEvent) -> Bool {
    if event.type == .key, event.value == 2 { repeats = true }
    guard event.type == .synchronization, event.code == SynchronizationCode.report else { return false }
    defer { repeats = false }
    return event.value != 0 && !repeats
  }
}
