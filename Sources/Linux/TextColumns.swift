/// Sanitised text measured in the columns of a terminal.
package enum TextColumns {
  /// The number of columns of a sanitised text: none for combining and format characters, two for wide East Asian scripts and
  /// pictographs, as in wcwidth(3).
  ///
  /// Characters of ambiguous width, such as `…` and `●`, have one column, as in terminals that are not set up for a legacy East
  /// Asian encoding.
  package static func width(_ text: String) -> Int { text.unicodeScalars.reduce(0) { $0 + width($1) } }

  private static func width(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    // Most text, and the number signs of scripts from right to left, which are format characters with a shape.
    case ..<0x300, 0x600...0x605, 0x6dd, 0x70f, 0x890...0x891, 0x8e2, 0x110bd, 0x110cd: return 1
    default: break
    }
    let properties = scalar.properties
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    switch scalar.value {
    // Vowels and final consonants that join the syllable before them.
    case 0x1160...0x11ff, 0xd7b0...0xd7fb: return 0
    // UAX 11, East Asian Width: W and F.
    case 0x1100...0x115f, 0x2329...0x232a, 0x2e80...0x303e, 0x3041...0xa4c6, 0xa960...0xa97c, 0xac00...0xd7a3,
      0xf900...0xfaff, 0xfe10...0xfe19, 0xfe30...0xfe6b, 0xff01...0xff60, 0xffe0...0xffe6, 0x16fe0...0x18d08,
      0x1aff0...0x1b2fb, 0x1f200...0x1f265, 0x20000...0x3fffd:
      return 2
    // The halves of a flag.
    case 0x1f1e6...0x1f1ff: return 1
    default: return properties.isEmojiPresentation ? 2 : 1
    }
  }

  /// A sanitised text in exactly `columns` columns: cut, or padded with spaces.
  package static func fit(_ text: String, _ columns: Int) -> String {
    var cut = ""
    var width = 0
    for character in text {
      let more = Self.width(String(character))
      if width + more > columns { break }
      cut.append(character)
      width += more
    }
    return cut + String(repeating: " ", count: max(columns - width, 0))
  }

  /// A sanitised text right-aligned in at least `columns` columns: a mass is never cut.
  package static func alignRight(_ text: String, _ columns: Int) -> String {
    String(repeating: " ", count: max(columns - width(text), 0)) + text
  }
}
