import Linux
import Testing
import Weighing

/// Text from elsewhere on a terminal and in the log.
@Suite struct SafeTextTests {
  @Test(arguments: [
    ("plain", "Force Pad 3", "Force Pad 3"),
    ("beyond ASCII", "Füße 力 🪙", "Füße 力 🪙"),
    ("a line break", "Pad\nnotice grampad: all is well", "Pad\\nnotice grampad: all is well"),
    ("carriage return and tab", "a\r\tb", "a\\r\\tb"),
    ("clears the screen", "\u{1b}[2J", "\\u{1B}[2J"),
    ("a C1 control", "\u{9b}2J", "\\u{9B}2J"),
    ("turns the direction", "\u{202e}dap", "\\u{202E}dap"),
    ("a line separator", "a\u{2028}b", "a\\u{2028}b"),
    ("an escape after a letter that combines", "e\u{301}\u{1b}c", "e\u{301}\\u{1B}c"),
  ])
  func staysOnOneLine(name: String, text: String, expected: String) {
    #expect(text.escapedForTerminal == expected)
  }

  @Test func printableReplacesWhatIsNotPrintableAndShortens() {
    #expect(printable("Pad\n\u{1b}[2J \u{E000} 力") == "Pad\u{FFFD}\u{FFFD}[2J \u{FFFD} 力")
    #expect(printable("123456", limit: 3) == "123...")
    #expect("a\tb".replacingUnprintable { _ in "" } == "ab")
  }

  @Test func aThrottleAdmitsABurstInEachPeriod() {
    var throttle = LogThrottle(burst: 2, period: .seconds(60))
    func at(_ seconds: Int64) -> Instant { Instant(nanoseconds: seconds * 1_000_000_000) }
    #expect([0, 1, 2, 3, 59].map { throttle.admit(at: at($0)) } == [0, 0, nil, nil, nil])
    #expect([60, 61, 62, 500].map { throttle.admit(at: at($0)) } == [3, 0, nil, 1])
  }
}
