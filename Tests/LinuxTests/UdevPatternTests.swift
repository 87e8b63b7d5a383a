import Linux
import Testing
import Weighing

/// What of a device's name gets into a rule: nothing that udev would read as anything else.
@Suite struct UdevPatternTests {
  struct Case: CustomTestStringConvertible {
    var testDescription: String
    var name: String
    var pattern: String
  }

  static let cases = [
    Case(
      testDescription: "a usual name", name: "SYNA2393:00 06CB:7A13 Touchpad", pattern: "SYNA2393:00 06CB:7A13 Touchpad"
    ),
    Case(testDescription: "nothing", name: "", pattern: ""),
    Case(testDescription: "blanks at the end", name: "Pad \t\n", pattern: "Pad"),
    Case(testDescription: "blanks elsewhere", name: " Big  Pad\tx", pattern: " Big  Pad?x"),
    Case(testDescription: "nothing but blanks", name: "  ", pattern: ""),
    Case(
      testDescription: "a rule of its own", name: "x\", RUN+=\"/bin/sh -c reboot\", ENV{A}==\"",
      pattern: "x?, RUN+=?/bin/sh -c reboot?, ENV?A?==?"),
    Case(testDescription: "a line of its own", name: "x\nRUN=\"y\"", pattern: "x?RUN=?y?"),
    Case(testDescription: "a backslash at the end", name: "x\\", pattern: "x?"),
    Case(testDescription: "a pattern", name: "*[a-z]?|b", pattern: "??a-z???b"),
    Case(testDescription: "substitutions", name: "$env{PATH} %k", pattern: "?env?PATH? ?k"),
    Case(testDescription: "letters of others", name: "Wäägetäller 秤量パッド 1", pattern: "W*get*ller * 1"),
    Case(testDescription: "other line breaks", name: "a\u{2028}\u{85}b\u{7F}", pattern: "a*b?"),
  ]

  @Test(arguments: cases) func patternOf(_ example: Case) {
    #expect(udevPattern(example.name) == example.pattern)
  }

  /// The rule of any name is one line of the same five parts.
  @Test func everyCharacterIsSafe() {
    let allowed = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -_.,:;+@#/=()?*")
    for value in UInt32(0)...0x2100 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let pattern = udevPattern("a\(Character(scalar))b")
      #expect(allowed.isSuperset(of: pattern) && pattern.hasPrefix("a") && pattern.hasSuffix("b"), "\(value)")
    }
  }
}
