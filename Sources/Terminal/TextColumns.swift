/// Sanitised text measured in the columns of a terminal.
package enum TextColumns {
  /// The number of columns of a sanitised text: none for combining characters, two for wide East Asian scripts and
  /// pictographs (Unicode, UAX 11; the ranges that matter).
  package static func width(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { width, scalar in
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark: return width
      default: break
      }
      switch scalar.value {
      case 0x1100...0x115f, 0x2e80...0x303e, 0x3041...0xa4cf, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f,
        0xff00...0xff60, 0xffe0...0xffe6, 0x1f300...0x1f64f, 0x1f680...0x1f6ff, 0x1f900...0x1f9ff, 0x20000...0x3fffd:
        return width + 2
      default: return width + 1
      }
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
