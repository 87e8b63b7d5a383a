import EventLoop
import Foundation

/// The capabilities of a terminal.
package struct TerminalStyle: Hashable, Sendable {
  /// Whether characters beyond ASCII may be used.
  package var isUTF8: Bool
  /// Whether colours may be used; bold, dim and reverse always.
  package var hasColour: Bool

  /// Makes a style.
  package init(isUTF8: Bool, hasColour: Bool) {
    self.isUTF8 = isUTF8
    self.hasColour = hasColour
  }

  /// The emphasis of a piece of text; never by colour alone.
  enum Face: Hashable {
    case plain, bold, dim, reverse
    case good, warning, bad
  }

  /// A text in a face; ECMA-48, 8.3.117 (SGR).
  func text(_ text: String, _ face: Face) -> String {
    let code: String
    switch face {
    case .plain: return text
    case .bold: code = "1"
    case .dim: code = "2"
    case .reverse: code = "7"
    case .good: code = hasColour ? "1;32" : "1"
    case .warning: code = hasColour ? "1;33" : "1"
    case .bad: code = hasColour ? "1;31" : "1;7"
    }
    return "\u{1b}[\(code)m\(text)\u{1b}[0m"
  }
}

/// Text from external sources, sanitised for a terminal and measured in columns.
enum TerminalText {
  /// Removes everything that moves the cursor, changes a colour or reverses the writing direction; for ASCII, replaces other
  /// characters with `?`.
  static func clean(_ text: String, _ style: TerminalStyle) -> String {
    var clean = String.UnicodeScalarView()
    for scalar in text.unicodeScalars where scalar.isPrintable {
      clean.append(style.isUTF8 || scalar.isASCII ? scalar : "?")
    }
    return String(clean)
  }

  /// The number of columns of a sanitised text: none for combining characters, two for wide East Asian scripts and
  /// pictographs (Unicode, UAX 11; the ranges that matter).
  static func width(_ text: String) -> Int {
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
  static func fit(_ text: String, _ columns: Int) -> String {
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
  static func alignRight(_ text: String, _ columns: Int) -> String {
    String(repeating: " ", count: max(columns - width(text), 0)) + text
  }
}
