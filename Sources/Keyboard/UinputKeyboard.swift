import CLinux
import Glibc
import Languages
import Linux
import Messages
import Weighing

/// A keyboard made by the kernel's uinput, removed in its deinit; the kernel then releases every key. See
/// Documentation/input/uinput.rst of the kernel.
struct UinputKeyboard: ~Copyable {
  /// The keys and states that change at one moment.
  typealias Report = (key: KeyCode, isDown: Bool)

  private let descriptor: Descriptor

  /// The keys that the layouts use, and Escape, Backspace and the left Control key, which are never pressed: udev calls a
  /// device a keyboard only if it has the keys 1 to 31 (`test_key` of udev-builtin-input_id.c).
  ///
  /// Without EV_REP the kernel repeats no key.
  private static let keys = Set(1...31).union(
    KeyboardLayout.allCases.flatMap { layout in
      layout.strokes.values.flatMap { $0.modifiers.keys + [$0.key] }.map { Int32($0.rawValue) }
    })

  /// Makes the keyboard.
  ///
  /// - Parameter path: `/dev/uinput`.
  init(path: String) throws(KeyboardError) {
    guard let descriptor = Descriptor(open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)) else {
      throw KeyboardError(path: path, number: errno)
    }
    var setup = uinput_setup()
    setup.id.bustype = WeighingKeyboard.identity.bus
    setup.id.vendor = WeighingKeyboard.identity.vendor
    setup.id.product = WeighingKeyboard.identity.product
    setup.id.version = WeighingKeyboard.identity.version
    withUnsafeMutableBytes(of: &setup.name) { name in
      // The rest stays zero, which ends the name.
      name.copyBytes(from: WeighingKeyboard.name.utf8.prefix(name.count - 1))
    }
    var isMade = ioctl(descriptor.number, grampad_UI_SET_EVBIT, Int32(EV_KEY)) == 0
    for key in Self.keys { isMade = isMade && ioctl(descriptor.number, grampad_UI_SET_KEYBIT, key) == 0 }
    isMade = isMade && ioctl(descriptor.number, grampad_UI_DEV_SETUP, &setup) == 0
    guard isMade, ioctl(descriptor.number, grampad_UI_DEV_CREATE) == 0 else {
      throw KeyboardError(path: path, number: errno)
    }
    self.descriptor = descriptor
  }

  /// Sends a change of one key with its SYN_REPORT; never blocks. See write(2).
  func send(_ report: Report) throws(KeyboardError) {
    var events = [input_event(), input_event()]
    events[0].type = UInt16(EV_KEY)
    events[0].code = report.key.rawValue
    events[0].value = report.isDown ? 1 : 0
    events[1].type = UInt16(EV_SYN)
    events[1].code = UInt16(SYN_REPORT)
    let size = events.count * MemoryLayout<input_event>.stride
    let written = write(descriptor.number, events, size)
    guard written == size else { throw KeyboardError(path: "the virtual keyboard", number: written < 0 ? errno : EIO) }
  }
}

extension KeyStroke {
  /// The changes that type it: each modifier down, the key down and up, each modifier up.
  var reports: [UinputKeyboard.Report] {
    let held = modifiers.keys
    return held.map { ($0, true) } + [(key, true), (key, false)] + held.reversed().map { ($0, false) }
  }
}

/// Why weighings cannot be typed.
struct KeyboardError: SentenceError, Hashable {
  /// The path of the device.
  var path: String
  /// errno(3).
  var number: Int32

  /// What failed, on what, and what to do.
  var sentence: Sentence {
    switch number {
    case ENOENT, ENODEV, ENXIO: Sentence(.keyboardNoDevice, ["path": path])
    case EACCES, EPERM: Sentence(.keyboardForbidden, ["path": path])
    default: .verbatim(systemText(number)).about(path)
    }
  }
}
