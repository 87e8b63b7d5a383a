/// Rows of cells as text in aligned columns.
package enum TextTable {
  /// The rows as lines, with two spaces between the columns and no spaces at the end of a line.
  ///
  /// - Parameters:
  ///   - rows: All with the same number of cells.
  ///   - rightAligned: The columns that are aligned on the right, such as numbers.
  package static func text(_ rows: [[String]], rightAligned: Set<Int> = []) -> String {
    let columns = rows.first?.indices ?? 0..<0
    let widths = columns.map { column in rows.reduce(0) { max($0, TextColumns.width($1[column])) } }
    return rows.map { row in
      let cells = row.enumerated().map { column, cell in
        let padding = String(repeating: " ", count: widths[column] - TextColumns.width(cell))
        return rightAligned.contains(column) ? padding + cell : cell + padding
      }
      var line = cells.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }
}
