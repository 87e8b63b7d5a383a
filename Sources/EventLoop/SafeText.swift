extension Unicode.Scalar {
  /// Whether a terminal or a log can show this within one line: no control characters, no bidirectional controls,
  /// nothing without a glyph (Unicode general categories Cc, Cf, Cs, Co, Cn, Zl and Zp).
  package var isPrintable: Bool {
    switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .lineSeparator, .paragraphSeparator, .unassigned: false
    default: true
    }
  }
}

extension String {
  /// The text on one line, safe to write to a terminal or a log: line breaks as `\n` and `\r`, tabs as `\t`, every
  /// other unprintable scalar as `\u{1B}`.
  ///
  /// For untrusted text such as device names and labels, which could otherwise move the cursor, hide earlier output, or
  /// imitate a log line.
  package var escapedForTerminal: String {
    if unicodeScalars.allSatisfy(\.isPrintable) { return self }
    var escaped = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\n": escaped += "\\n"
      case "\r": escaped += "\\r"
      case "\t": escaped += "\\t"
      case _ where scalar.isPrintable: escaped.unicodeScalars.append(scalar)
      default: escaped += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      }
    }
    return escaped
  }
}

/// A text that fits one line of a terminal: limited in length, without control characters.
package func printable(_ text: String, limit: Int = 40) -> String {
  let short = text.count > limit ? text.prefix(limit) + "..." : text[...]
  return String(String.UnicodeScalarView(short.unicodeScalars.map { isControl($0) ? "\u{FFFD}" : $0 }))
}

/// Whether a scalar is a control character (Unicode category Cc), a line separator, or a bidirectional control.
package func isControl(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.properties.generalCategory {
  case .control, .lineSeparator, .paragraphSeparator, .format: true
  default: false
  }
}
