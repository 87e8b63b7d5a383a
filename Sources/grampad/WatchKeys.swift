import Weighing

/// Translates keys into commands.
struct WatchKeys {
  /// The command of a key.
  enum Order: Hashable {
    case quit, suspend
    case action(Action)
    /// A quick action by its index, from 0.
    case quick(Int)
    /// The first press of a key that must be pressed twice.
    case doubtful
  }

  private var askedAt: Instant?
  private var escape = Escape.none

  /// The state within an escape sequence, as sent by cursor keys; all of its bytes are ignored.
  private enum Escape { case none, begun, sequence }

  /// Handles a byte from the terminal; returns `nil` if it is not a command.
  mutating func press(_ byte: UInt8, at now: Instant, doubt: Interval) -> Order? {
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
    case UInt8(ascii: "v"):
      if let asked, now - asked <= doubt { return .action(.void) }
      askedAt = now
      return .doubtful
    case UInt8(ascii: "1")...UInt8(ascii: "4"): return .quick(Int(byte - UInt8(ascii: "1")))
    default: break
    }
    return nil
  }
}
