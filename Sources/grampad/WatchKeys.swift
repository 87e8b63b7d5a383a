import Weighing

/// What keys mean.
struct WatchKeys {
  /// What a key asks for.
  enum Order: Hashable {
    case quit, suspend
    case action(Action)
    /// A quick action, from 0 on.
    case quick(Int)
    /// Only the second time.
    case doubtful
  }

  private var askedAt: Instant?
  private var escape = Escape.none

  /// How far a key that sends several bytes is; they mean nothing here, and their letters neither.
  private enum Escape { case none, begun, sequence }

  /// Takes a byte as the terminal sends it; `nil` when it asks for nothing.
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
