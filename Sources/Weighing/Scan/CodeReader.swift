/// Assembles the keys of one scanner into codes.
///
/// ```
///             a character                  Enter: the code
///   ┌──────┐ ─────────────► ┌─────────┐ ────────────────────► idle
///   │ idle │                │ reading │
///   └──────┘ ◄───────────── └─────────┘
///    │    ▲      quiet           │  another key, lost events, a pause, too long
///    │    │                      ▼
///    │    │  Enter, quiet   ┌─────────┐
///    │    └──────────────── │ dropped │
///    └────────────────────► └─────────┘
///    another key, lost events: until Enter or a pause
/// ```
///
/// A code is complete or it is dropped, with what remains of it: a part of a code is another product.
package struct CodeReader: Sendable {
  private enum State: Sendable {
    case idle
    case reading(String)
    case dropping(until: Interval)
  }

  private var state = State.idle
  private var last: Instant?

  /// The longest time between two keys of a code. Scanners send a key within 1 to 20 ms; the delays for slow hosts that
  /// their manuals offer end below 100 ms. When it is larger, keys pressed by hand join a code; when it is smaller, codes of
  /// slow scanners are dropped.
  package static let longestPause = Interval.milliseconds(100)

  /// After this time without a key, the rest of an interrupted code no longer comes. Chosen: a radio link repeats a lost
  /// packet sooner, and a person scans the next code later. When it is larger, a key pressed by hand before a scan drops the
  /// code; when it is smaller, the rest of a code that was held up counts as a code.
  package static let quiet = Interval.milliseconds(500)

  /// Makes a reader that waits for a code.
  package init() {}

  /// Processes a key at a moment; returns the code that it completes.
  package mutating func receive(_ key: ScannerKey, at time: Instant) -> ScannedCode? {
    if let last { pass(time - last) }
    last = time
    switch (key, state) {
    case (.enter, .reading(let text)):
      state = .idle
      return ScannedCode(text)
    case (.enter, .idle), (.enter, .dropping): state = .idle
    case (.character(let character), .idle):
      state = character.isControl ? .dropping(until: Self.longestPause) : .reading(String(character))
    case (.character(let character), .reading(let text)):
      let longer = text + String(character)
      let isTooLong = longer.utf8.count > QuickAction.maximumValueBytes || longer.count > ScannedCode.maximumCharacters
      state = isTooLong || character.isControl ? .dropping(until: Self.quiet) : .reading(longer)
    case (.unknown, .idle), (.gap, .idle): state = .dropping(until: Self.longestPause)
    case (.unknown, .reading), (.gap, .reading): state = .dropping(until: Self.quiet)
    case (.character, .dropping), (.unknown, .dropping), (.gap, .dropping): break
    }
    return nil
  }

  private mutating func pass(_ pause: Interval) {
    switch state {
    case .idle: break
    case .reading:
      if pause > Self.quiet { state = .idle } else if pause > Self.longestPause { state = .dropping(until: Self.quiet) }
    case .dropping(let limit): if pause > limit { state = .idle }
    }
  }
}
