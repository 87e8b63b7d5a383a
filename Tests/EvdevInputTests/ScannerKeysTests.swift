import Languages
import Messages
import Testing
import Weighing

@testable import EvdevInput

/// What the keys of a scanner give in a layout, without any device.
@Suite struct ScannerKeysTests {
  /// Key names without `KEY_`: `A` is pressed and released, `+A` pressed, `-A` released, `=A` repeats. `!` is a gap, after
  /// which the keys named with it are down. In what they give, ⏎ is Enter, � a key without a character, … a gap.
  struct Case: CustomTestStringConvertible {
    var testDescription: String
    var layout = "us"
    var keys: String
    var given: String
  }

  static let cases = [
    Case(testDescription: "a code", keys: "4 0 0 6 3 ENTER", given: "40063⏎"),
    Case(testDescription: "letters and Shift", keys: "A +LEFTSHIFT A 2 -LEFTSHIFT B MINUS SPACE", given: "aA@b- "),
    Case(testDescription: "both Shift keys", keys: "+LEFTSHIFT +RIGHTSHIFT -LEFTSHIFT A -RIGHTSHIFT A", given: "Aa"),
    Case(testDescription: "the keypad", keys: "KP1 KP2 KP0 KPENTER", given: "120⏎"),
    Case(testDescription: "the keypad after Num Lock", keys: "NUMLOCK KP7 NUMLOCK KP8", given: "78"),
    Case(testDescription: "Caps Lock", keys: "CAPSLOCK A +LEFTSHIFT B -LEFTSHIFT CAPSLOCK C", given: "aBc"),
    Case(testDescription: "a repeating key", keys: "+1 =1 =1 -1 2", given: "12"),
    Case(testDescription: "overlapping keys", keys: "+1 +2 -1 +1 -2 -1", given: "121"),
    Case(testDescription: "Enter with Shift", keys: "1 +LEFTSHIFT ENTER -LEFTSHIFT", given: "1⏎"),
    Case(testDescription: "keys without a character", keys: "F1 TAB ESC BACKSPACE DELETE LEFT 1", given: "������1"),
    Case(
      testDescription: "commands", keys: "+LEFTCTRL J -LEFTCTRL +LEFTALT KP6 -LEFTALT +LEFTMETA L -LEFTMETA 1",
      given: "���1"),
    Case(testDescription: "Enter as a command", keys: "+LEFTCTRL ENTER -LEFTCTRL ENTER", given: "�⏎"),
    Case(testDescription: "Shift released in a gap", keys: "+LEFTSHIFT A ! A", given: "A…a"),
    Case(testDescription: "Shift pressed in a gap", keys: "A !LEFTSHIFT B -LEFTSHIFT C", given: "a…Bc"),
    Case(testDescription: "a key that is down after a gap", keys: "1 !2 -2 2", given: "1…2"),
    Case(testDescription: "German", layout: "de", keys: "Y Z MINUS SEMICOLON +LEFTSHIFT 7 -LEFTSHIFT", given: "zyßö/"),
    Case(testDescription: "AltGr in German", layout: "de", keys: "+RIGHTALT Q E -RIGHTALT Q", given: "@€q"),
    Case(testDescription: "a dead key in German", layout: "de", keys: "GRAVE A", given: "�a"),
    Case(testDescription: "a variant without dead keys", layout: "de(nodeadkeys)", keys: "GRAVE A", given: "^a"),
    Case(testDescription: "French", layout: "fr", keys: "1 A Q W Z M +LEFTSHIFT 1 2 0 -LEFTSHIFT", given: "&qazw,120"),
    Case(testDescription: "the keypad in French", layout: "fr", keys: "KP1 KP9", given: "19"),
    Case(testDescription: "British", layout: "gb", keys: "+LEFTSHIFT 3 2 -LEFTSHIFT", given: "£\""),
  ]

  private static func key(_ name: some StringProtocol) throws -> UInt16 {
    try #require(KeyCode(name: "KEY_\(name)"), "\(name)").rawValue
  }

  private static func text(_ key: ScannerKey) -> String {
    switch key {
    case .character(let character): String(character)
    case .enter: "⏎"
    case .unknown: "�"
    case .gap: "…"
    }
  }

  private static let report = InputEvent(
    time: Instant(nanoseconds: 0), type: .synchronization, code: SynchronizationCode.report, value: 0)

  private static func event(_ code: UInt16, _ value: Int32) -> InputEvent {
    InputEvent(time: report.time, type: .key, code: code, value: value)
  }

  private static func events(_ word: Substring) throws -> [InputEvent] {
    let name = word.dropFirst()
    switch word.first {
    case "+": return [event(try key(name), 1), report]
    case "-": return [event(try key(name), 0), report]
    case "=": return [event(try key(name), 2), report]
    case "!":
      var dropped = report
      dropped.code = SynchronizationCode.dropped
      let down = try name.isEmpty ? nil : key(name)
      return [dropped, report] + (1...127).map { event($0, $0 == down ? 1 : 0) } + [report]
    case _: return [event(try key(word), 1), report, event(try key(word), 0), report]
    }
  }

  @Test(arguments: cases) func keys(_ example: Case) throws {
    var keys = ScannerKeys(try KeyLayout(example.layout))
    var given = ""
    for word in example.keys.split(separator: " ") {
      for event in try Self.events(word) {
        if let key = keys.handle(event) { given += Self.text(key) }
      }
    }
    #expect(given == example.given)
  }

  /// The keys with which Grampad types a character in a layout give that character.
  @Test(arguments: KeyboardLayout.allCases) func readsWhatTheKeyboardTypes(layout: KeyboardLayout) throws {
    var keys = ScannerKeys(try KeyLayout(layout.rawValue))
    #expect(layout.strokes.count > 90)
    for (character, stroke) in layout.strokes {
      var given: [ScannerKey] = []
      let held = stroke.modifiers.keys + [stroke.key]
      for (codes, value) in [(held, Int32(1)), (held.reversed(), 0)] {
        for code in codes { if let key = keys.handle(Self.event(code.rawValue, value)) { given.append(key) } }
      }
      let expected: ScannerKey = character == "\n" ? .enter : character == "\t" ? .unknown : .character(character)
      #expect(given == [expected], "\(character) by \(stroke)")
    }
  }

  @Test(arguments: ["nosuch", "us(nosuch)", "us,de", "../symbols/us", "/etc/passwd", "pc", "", "us(", "us()", "us de"])
  func refusesAnUnknownLayout(name: String) {
    #expect(throws: KeyLayoutError.unknown(name: name)) { try KeyLayout(name) }
    #expect(name.isEmpty || KeyLayoutError.unknown(name: name).description.contains(name))
  }

  /// Digit keys and an Enter key make a device a scanner.
  @Test(
    arguments: [
      ("a keyboard", Array(UInt16(1)...111), nil), ("a keypad", [71, 72, 73, 75, 76, 77, 79, 80, 81, 82, 96], nil),
      ("a power button", [116], .scannerNoDigits), ("a headset", [113, 114, 115, 28], .scannerNoDigits),
      ("a remote control", Array(UInt16(2)...11), .scannerNoEnter), ("a pad", [0x14a, 0x145], .scannerNoDigits),
    ] as [(String, [UInt16], TextKey?)]) func suitability(name: String, keys: [UInt16], obstacle: TextKey?)
  {
    let device = PadDescription(name: name, keys: Set(keys.map { KeyCode(rawValue: $0) }))
    #expect(device.scanObstacle == obstacle.map { Sentence($0) })
  }

  @Test func theKeyboardOfGrampadIsNoScanner() {
    let keys = Set((UInt16(1)...111).map { KeyCode(rawValue: $0) })
    let typist = PadDescription(name: WeighingKeyboard.name, id: WeighingKeyboard.identity, keys: keys)
    #expect(typist.scanObstacle == Sentence(.scannerTypesWeighings))
  }
}
