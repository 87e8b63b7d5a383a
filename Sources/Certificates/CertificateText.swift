import Linux

extension CalibrationCertificate {
  /// The certificate as plain text, with a newline at the end.
  var text: String {
    var text = Self.title.uppercased() + "\n\n" + Self.wrapped(statement, indent: "") + "\n"
    for section in sections {
      text += section.title.uppercased() + "\n"
      let width = (section.fields.map { $0[0].count }.max() ?? 0) + 2
      for field in section.fields {
        let name = field[0] + String(repeating: " ", count: width - field[0].count)
        text += Self.wrapped(name + field[1], indent: String(repeating: " ", count: width))
      }
      for table in section.tables {
        if table != section.tables.first { text += "\n" }
        text += TextTable.text([table.head] + table.rows, rightAligned: table.rightAligned)
      }
      for note in section.notes { text += Self.wrapped(note, indent: "") }
      text += "\n"
    }
    return text
  }

  /// A paragraph in lines of at most 100 characters; the lines after the first begin with the indent.
  private static func wrapped(_ paragraph: String, indent: String) -> String {
    var lines = [""]
    for word in paragraph.split(separator: " ", omittingEmptySubsequences: false) {
      if lines[lines.count - 1].count + word.count >= 100, lines[lines.count - 1] != indent {
        lines.append(indent + word)
      } else {
        lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
