import Weighing

/// Tells the reports that the kernel makes up from those of the device.
///
/// When a device is unplugged or put to sleep the kernel lets go of everything that is down, so that nothing seems held
/// for ever (`input_dev_release_keys` of drivers/input/input.c); nobody has lifted a finger. Such a report ends with
/// SYN_REPORT 1, one of a driver with SYN_REPORT 0. So does one of a key that repeats itself, which is told by its value.
struct KernelReport {
  private var repeats = false

  /// Takes the next event; whether it ends a report that the kernel made up.
  mutating func ends(with event: InputEvent) -> Bool {
    if event.type == .key, event.value == 2 { repeats = true }
    guard event.type == .synchronization, event.code == SynchronizationCode.report else { return false }
    defer { repeats = false }
    return event.value != 0 && !repeats
  }
}
