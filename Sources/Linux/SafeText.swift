extension Unicode.Scalar {
  /// Whether a terminal or a log can show this within one line: no control characters, no bidirectional controls,
  /// nothing without a glyph (Unicode general categories Cc, Cf, Cs, Co, Cn, Zl and Zp).
  package var isPrintable: Bool {
    switch properties.generalCategory {
    case .surrogate, .privateUse, .unassigned: false
    default: !isControl(self)
    }
  }
}

extension String {
  /// The text with each unprintable scalar replaced, so that it fits one line of a terminal or a log.
  ///
  /// For untrusted text such as device names and labels, which could otherwise move the cursor, hide earlier output, or
  /// imitate a log line.
  package func replacingUnprintable(with replacement: (Unicode.Scalar) -> String) -> String {
    if unicodeScalars.allSatisfy(\.isPrintable) { return self }
    var result = UnicodeScalarView()
    for scalar in unicodeScalars {
      if scalar.isPrintable {
        result.append(scalar)
      } else {
        result += replacement(scalar).unicodeScalars
      }
    }
    return String(result)
  }

  /// The text on one line, safe to write to a terminal or a log: line breaks as `\n` and `\r`, tabs as `\t`, every
  /// other unprintable scalar as `\u{1B}`.
  package var escapedForTerminal: String {
    replacingUnprintable { scalar in
      switch scalar {
      case "\n": "\\n"
      case "\r": "\\r"
      case "\t": "\\t"
      default: "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      }
    }
  }
}

/// A text that fits one line of a terminal: limited in length, with a replacement character for each unprintable one.
package func printable(_ text: String, limit: Int = 40) -> String {
  let short = text.count > limit ? text.prefix(limit) + "..." : text[...]
  return String(short).replacingUnprintable { _ in "\u{FFFD}" }
}

/// Whether a scalar is a control character (Unicode category Cc), a line separator, or a bidirectional control.
package func isControl(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.properties.generalCategory {
  case .control, .lineSeparator, .paragraphSeparator, .format: true
  default: false
  }
}
