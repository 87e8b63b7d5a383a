/// Rows of cells as text in aligned columns.
///
/// The columns are as wide as the widest cell that was measured: to write a long table row by row, go through its rows twice.
package struct TextTable {
  private let rightAligned: Set<Int>
  private var widths: [Int] = []

  /// Makes a table without columns.
  ///
  /// - Parameter rightAligned: The columns that are aligned on the right, such as numbers.
  package init(rightAligned: Set<Int> = []) { self.rightAligned = rightAligned }

  /// Makes the columns as wide as the cells of a row; all rows have the same number of cells.
  package mutating func measure(_ row: [String]) {
    if widths.isEmpty { widths = row.map { _ in 0 } }
    for (column, cell) in row.enumerated() { widths[column] = max(widths[column], TextColumns.width(cell)) }
  }

  /// A row as a line, with two spaces between the columns and no spaces at the end.
  package func line(_ row: [String]) -> String {
    let cells = row.enumerated().map { column, cell in
      let padding = String(repeating: " ", count: widths[column] - TextColumns.width(cell))
      return rightAligned.contains(column) ? padding + cell : cell + padding
    }
    var line = cells.joined(separator: "  ")
    while line.last == " " { line.removeLast() }
    return line + "\n"
  }

  /// All rows as lines.
  package static func text(_ rows: [[String]], rightAligned: Set<Int> = []) -> String {
    var table = TextTable(rightAligned: rightAligned)
    for row in rows { table.measure(row) }
    return rows.map(table.line).joined()
  }
}
