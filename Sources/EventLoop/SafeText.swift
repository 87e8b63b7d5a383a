extension Unicode.Scalar {
  /// Whether a terminal or a log shows this as part of one line: no control character, nothing that changes the direction of
  /// writing, nothing that has no glyph (Unicode general categories Cc, Cf, Cs, Co, Cn, Zl and Zp).
  package var isPrintable: Bool {
    switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .lineSeparator, .paragraphSeparator, .unassigned: false
    default: true
    }
  }
}

extension String {
  /// The same text on one line, safe to write to a terminal or a log: line breaks as `\n` and `\r`, tabs as `\t`, every other
  /// scalar that is not printable as `\u{1B}`.
  ///
  /// For text from elsewhere, such as the name of a device or a label: it could otherwise move the cursor, hide what was
  /// written before, or pass for a log line.
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

/// A text fit for one line of a terminal: not too long, nothing that moves the cursor.
package func printable(_ text: String, limit: Int = 40) -> String {
  let short = text.count > limit ? text.prefix(limit) + "..." : text[...]
  return String(String.UnicodeScalarView(short.unicodeScalars.map { isControl($0) ? "\u{FFFD}" : $0 }))
}

/// Whether a scalar is one of the control characters (Unicode category Cc), a line separator, or one that turns the
/// direction of writing.
package func isControl(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.properties.generalCategory {
  case .control, .lineSeparator, .paragraphSeparator, .format: true
  default: false
  }
}
