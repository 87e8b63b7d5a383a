/// Assembles the keys of one scanner into codes.
///
/// ```
///            a character                          Enter: the code
///   ┌───────┐──────────────► ┌─────────┐ ────────────────────────► idle
///   │ idle  │                │ reading │
///   └───────┘◄── Enter,      └─────────┘
///       │        pause ──┐        │ another key, lost events, a pause, too long
///       │            ┌──────────┐ │
///       └──────────► │ spoiled  │◄┘
///   another key,     └──────────┘
///   lost events
/// ```
///
/// A code is complete or it is dropped: what remains of it up to Enter, or up to the next pause, belongs to it.
package struct CodeReader: Sendable {
  private enum State: Sendable {
    case idle
    case reading(String)
    case spoiled
  }

  private var state = State.idle
  private var last: Instant?

  /// The longest time between two keys of a code. Scanners send a key every 1 to 20 ms, and with the longest delay that
  /// their manuals offer for slow hosts (Honeywell's and Zebra's guides: up to 80 ms) still within it. When it is larger, the
  /// rest of a code that was cut off joins the next one; when it is smaller, a busy machine drops whole codes.
  package static let longestPause = Interval.milliseconds(100)

  /// Makes a reader that waits for a code.
  package init() {}

  /// Processes a key at a moment; returns the code that it completes.
  package mutating func receive(_ key: ScannerKey, at time: Instant) -> ScannedCode? {
    return nil
  }
}
