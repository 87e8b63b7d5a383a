import Linux

/// The capabilities of a terminal.
package struct TerminalStyle: Hashable, Sendable {
  /// Whether characters beyond ASCII may be used.
  package var isUTF8: Bool
  /// Whether colours may be used; bold, dim and reverse always.
  package var hasColour: Bool

  /// Makes a style.
  package init(isUTF8: Bool, hasColour: Bool) {
    (self.isUTF8, self.hasColour) = (isUTF8, hasColour)
  }

  /// The emphasis of a piece of text; never by colour alone.
  package enum Face: Hashable {
    case plain, bold, dim, reverse
    case good, warning, bad
  }

  /// A text in a face; ECMA-48, 8.3.117 (SGR).
  package func text(_ text: String, _ face: Face) -> String {
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

  /// Text from an external source, without everything that moves the cursor, changes a colour or reverses the writing
  /// direction; on an ASCII terminal, `?` replaces all other characters.
  package func sanitized(_ text: String) -> String {
    let clean = text.replacingUnprintable { _ in "" }
    return isUTF8 ? clean : String(String.UnicodeScalarView(clean.unicodeScalars.map { $0.isASCII ? $0 : "?" }))
  }
}
