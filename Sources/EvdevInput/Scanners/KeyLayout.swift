import CXkbcommon
import Languages
import Weighing

/// Why a keyboard layout cannot be used; its description says what to do.
package enum KeyLayoutError: SentenceError, Hashable {
  /// The system has no layout of this name.
  case unknown(name: String)
  /// No layouts are installed.
  case noLayouts

  /// What failed, and what to do.
  package var sentence: Sentence {
    switch self {
    case .unknown(let name):
      Sentence(.scannerLayoutUnknown, ["layout": name, "file": "/usr/share/X11/xkb/rules/base.lst"])
    case .noLayouts: Sentence(.scannerNoLayouts)
    }
  }
}

/// A keyboard layout of the system (package xkb-data), which cannot change; `KeyState` translates with it.
///
/// A name is that of a layout (`us`) or of a layout and its variant (`de(nodeadkeys)`). Layouts in /etc/xkb are found too.
package final class KeyLayout {
  /// libxkbcommon's `struct xkb_keymap *`, released in `deinit`.
  fileprivate let keymap: OpaquePointer

  /// Compiles a layout. See xkb_keymap_new_from_names(3).
  package init(_ name: String) throws(KeyLayoutError) {
    // The environment cannot choose another layout.
    guard let context = xkb_context_new(XKB_CONTEXT_NO_ENVIRONMENT_NAMES) else { throw .noLayouts }
    // The keymap keeps its own reference.
    defer { xkb_context_unref(context) }
    // Otherwise it writes to standard error; the error below says what is to be said.
    xkb_context_set_log_level(context, XKB_LOG_LEVEL_CRITICAL)
    // More than one layout ("us,de") and paths are no names.
    guard Self.isName(name) else { throw .unknown(name: name) }
    let keymap = name.withCString { layout in
      var names = xkb_rule_names(rules: nil, model: nil, layout: layout, variant: nil, options: nil)
      return xkb_keymap_new_from_names(context, &names, XKB_KEYMAP_COMPILE_NO_FLAGS)
    }
    guard let keymap else { throw .unknown(name: name) }
    self.keymap = keymap
    // Other files of the same directory are parts of layouts, without the keys of a layout.
    if KeyState(self).symbol(of: ScannerKeyCode.one) == XKB_KEY_NoSymbol { throw .unknown(name: name) }
  }

  deinit { xkb_keymap_unref(keymap) }

  private static func isName(_ name: String) -> Bool {
    func isWord(_ word: Substring) -> Bool {
      !word.isEmpty && word.utf8.allSatisfy { $0 == 0x5f || $0 == 0x2d || isAlphanumeric($0) }
    }
    guard let bracket = name.firstIndex(of: "(") else { return isWord(name[...]) }
    return isWord(name[..<bracket]) && name.hasSuffix(")") && isWord(name[name.index(after: bracket)...].dropLast())
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
  }
}

/// Key codes of linux/input-event-codes.h with a meaning of their own.
enum ScannerKeyCode {
  /// KEY_1
  static let one: UInt16 = 2
  /// KEY_1 to KEY_0
  static let digits: ClosedRange<UInt16> = 2...11
  /// KEY_KP0 to KEY_KP9, in the order of the digits.
  static let keypad: [UInt16] = [82, 79, 80, 81, 75, 76, 77, 71, 72, 73]
  /// KEY_NUMLOCK
  static let numLock: UInt16 = 69
  /// KEY_ENTER and KEY_KPENTER
  static let enter: Set<UInt16> = [28, 96]
}

/// The modifiers of one keyboard with its layout.
///
/// Num Lock is on, because scanners that type on the keypad type digits. Caps Lock is off and stays off: the state of the
/// lock belongs to the desktop, and a stray press would change every later code.
struct KeyState: ~Copyable {
  private let layout: KeyLayout
  /// libxkbcommon's `struct xkb_state *`, released in `deinit`.
  private let state: OpaquePointer

  /// No key is down.
  init(_ layout: KeyLayout) {
    guard let state = xkb_state_new(layout.keymap) else { preconditionFailure("out of memory") }
    (self.layout, self.state) = (layout, state)
    set(ScannerKeyCode.numLock, isDown: true)
    set(ScannerKeyCode.numLock, isDown: false)
  }

  deinit { xkb_state_unref(state) }

  /// What a key gives.
  enum Meaning: Hashable {
    case character(Character)
    /// Shift, AltGr, Control ...: it changes what other keys give.
    case modifier
    /// Caps Lock and others that stay on: ignored.
    case lock
    /// No character: a function key, a dead key, any key with Control or Alt.
    case none
  }

  /// What a key gives if it is pressed now.
  func meaning(of code: UInt16) -> Meaning {
    let symbol = symbol(of: code)
    if Self.locks.contains(symbol) { return .lock }
    if Self.modifiers.contains(where: { $0.contains(symbol) }) { return .modifier }
    if isCommand { return .none }
    return character(of: code).map(Meaning.character) ?? .none
  }

  /// Whether Control, Alt or the Windows key is down: a key is a command then, not a character.
  var isCommand: Bool {
    for modifier in [XKB_MOD_NAME_CTRL, XKB_MOD_NAME_ALT, XKB_MOD_NAME_LOGO]
    where xkb_state_mod_name_is_active(state, modifier, XKB_STATE_MODS_EFFECTIVE) > 0 {
      return true
    }
    return false
  }

  /// Presses or releases a key.
  func set(_ code: UInt16, isDown: Bool) {
    xkb_state_update_key(state, Self.number(code), isDown ? XKB_KEY_DOWN : XKB_KEY_UP)
  }

  fileprivate func symbol(of code: UInt16) -> UInt32 { xkb_state_key_get_one_sym(state, Self.number(code)) }

  private func character(of code: UInt16) -> Character? {
    // A key gives one character of up to four bytes, or in a few layouts several.
    let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { buffer in
      let length = Int(xkb_state_key_get_utf8(state, Self.number(code), buffer.baseAddress, buffer.count))
      guard (1..<buffer.count).contains(length) else { return "" }
      return buffer.baseAddress.map { String(cString: $0) } ?? ""
    }
    guard text.count == 1, let character = text.first,
      !character.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { return nil }
    return character
  }

  /// The number of a key in XKB, which begins with 8. See xkbcommon.h.
  private static func number(_ code: UInt16) -> UInt32 { UInt32(code) + 8 }

  /// Scroll_Lock, Num_Lock, Caps_Lock, Shift_Lock, and ISO_Lock, ISO_Level3_Lock, ISO_Group_Lock, ISO_Level5_Lock of
  /// xkbcommon-keysyms.h.
  private static let locks: Set<UInt32> = [0xff14, 0xff7f, 0xffe5, 0xffe6, 0xfe01, 0xfe05, 0xfe07, 0xfe13]
  /// Shift_L to Hyper_R, ISO_Level2_Latch to ISO_Level5_Latch, Mode_switch.
  private static let modifiers: [ClosedRange<UInt32>] = [0xffe1...0xffee, 0xfe02...0xfe12, 0xff7e...0xff7e]
}
