import Messages
import Testing
import Weighing

/// The layouts compared with xkeyboard-config.
@Suite struct KeyboardLayoutTests {
  @Test(arguments: KeyboardLayout.allCases)
  func everyCharacterIsTypedAsInXKB(_ layout: KeyboardLayout) {
    let table = XKBTable.strokes(layout)
    for (character, stroke) in layout.strokes where !" \n\t".contains(character) {
      #expect(table[character]?.contains(stroke) == true, "\(layout) \(character)")
    }
  }

  /// The characters of ASCII that a layout lacks have dead keys, or differ between systems.
  @Test(arguments: [(KeyboardLayout.us, ""), (.de, "^`"), (.fr, "`~")])
  func typesASCII(_ layout: KeyboardLayout, but missing: String) {
    let ascii = (0x20...0x7e).compactMap(Unicode.Scalar.init).map { Character($0) }
    #expect(String(ascii.filter { layout.stroke(for: $0) == nil }) == missing)
  }

  @Test(arguments: [
    (KeyboardLayout.us, ""), (.de, "äöüÄÖÜß€°§²³µ"), (.fr, "éèçàùâ€°§²µ£¤"),
  ])
  func typesTheLettersOfTheLanguage(_ layout: KeyboardLayout, _ letters: String) {
    let missing = letters.filter { layout.stroke(for: $0) == nil }
    // A circumflex is a dead key.
    #expect(missing == (layout == .fr ? "â" : ""))
  }

  @Test(arguments: KeyboardLayout.allCases)
  func noTwoCharactersShareAPress(_ layout: KeyboardLayout) {
    #expect(Set(layout.strokes.values).count == layout.strokes.count)
  }

  @Test(arguments: KeyboardLayout.allCases)
  func hasEnterTabAndSpace(_ layout: KeyboardLayout) {
    for (character, name) in [("\n", "KEY_ENTER"), ("\t", "KEY_TAB"), (" ", "KEY_SPACE")] as [(Character, String)] {
      #expect(layout.stroke(for: character)?.key.name == name)
      #expect(layout.stroke(for: character)?.modifiers == [])
    }
  }

  @Test func modifiersAreTheLeftShiftAndTheRightAlt() {
    #expect(KeyStroke.Modifiers([.shift, .altGr]).keys.map(\.name) == ["KEY_LEFTSHIFT", "KEY_RIGHTALT"])
  }
}
