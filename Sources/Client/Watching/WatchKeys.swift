import Weighing

/// Translates keys into commands.
struct WatchKeys {
  /// The command of a key.
  enum Command: Hashable {
    case quit, suspend
    case action(Action)
    /// A quick action by its index, from 0.
    case quickAction(Int)
    /// Voids if it is pressed again.
    case confirmVoid
  }

  /// When the last key asked for a confirmation; `nil` if it did not.
  private var askedAt: Instant?
  private var escape = Escape.none

  /// The state within an escape sequence, as sent by cursor keys; all of its bytes are ignored.
  private enum Escape { case none, begun, sequence }

  /// The command for a byte from the terminal; `nil` if it is not a command.
  ///
  /// - Parameter confirmationTime: The time within which a key that voids must be pressed again.
  mutating func command(for byte: UInt8, at now: Instant, confirmationTime: Interval) -> Command? {
    switch escape {
    case .begun:
      escape = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") ? .sequence : .none
      return nil
    case .sequence:
      // A letter or ~ ends it. ECMA-48, 5.4
      if (0x40...0x7e).contains(byte) { escape = .none }
      return nil
    case .none: break
    }
    let asked = askedAt
    askedAt = nil
    switch byte {
    case 0x1b: escape = .begun
    case 0x03, UInt8(ascii: "q"), UInt8(ascii: "Q"): return .quit
    case 0x1a: return .suspend
    case UInt8(ascii: "t"): return .action(.tare)
    case UInt8(ascii: "T"): return .action(.clearTare)
    case UInt8(ascii: "z"): return .action(.zero)
    case UInt8(ascii: "c"): return .action(.commit)
    // Without parameters, a dose stops.
    case UInt8(ascii: "s"): return .action(.dose)
    case UInt8(ascii: "v"):
      if let asked, now - asked <= confirmationTime { return .action(.void) }
      askedAt = now
      return .confirmVoid
    case UInt8(ascii: "1")...UInt8(ascii: "4"): return .quickAction(Int(byte - UInt8(ascii: "1")))
    default: break
    }
    return nil
  }
}
