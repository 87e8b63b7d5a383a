import Weighing

/// Collects the lines of a client, at most 16, each of at most 80 bytes.
struct SICSLineReader: Sendable {
  /// A complete line.
  enum Line: Hashable, Sendable {
    case text(String)
    /// Too long, or with bytes that are not printable ASCII.
    case damaged
  }

  /// The lines that wait, oldest first.
  private(set) var lines: [Line] = []
  /// When a line that has begun has to be complete; `nil` if none has begun.
  private(set) var deadline: Instant?
  private var partial: [UInt8] = []
  private var isDamaged = false

  private static let capacity = 16
  private static let maximumBytes = 80
  private static let lineTime = Interval.seconds(10)
  /// The most bytes that one call of `append` may have, so that its lines fit.
  static let pieceBytes = 256

  /// Whether further bytes are accepted.
  var hasRoom: Bool { lines.count < Self.capacity }

  /// Appends bytes. A line ends with CR, LF or both; empty lines are ignored. `@` removes the lines before it.
  mutating func append(_ bytes: some Sequence<UInt8>, at now: Instant) {
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\r"), UInt8(ascii: "\n"): endLine()
      case 32...126 where partial.count < Self.maximumBytes: partial.append(byte)
      default: isDamaged = true
      }
    }
    let hasBegun = !partial.isEmpty || isDamaged
    deadline = hasBegun ? deadline ?? now + Self.lineTime : nil
  }

  /// Removes and returns the oldest line.
  mutating func removeFirst() -> Line? { lines.isEmpty ? nil : lines.removeFirst() }

  /// Discards a line that has begun.
  mutating func discardPartialLine() {
    partial = []
    isDamaged = false
    deadline = nil
  }

  private mutating func endLine() {
    if isDamaged {
      lines.append(.damaged)
    } else if partial == [UInt8(ascii: "@")] {
      lines = [.text("@")]
    } else if !partial.isEmpty {
      lines.append(.text(String(decoding: partial, as: UTF8.self)))
    }
    discardPartialLine()
  }
}
