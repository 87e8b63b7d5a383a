/// A position in a file as editors count: lines and columns from 1, columns in Unicode scalars.
package struct SourcePosition: Hashable, Comparable, Sendable {
  /// The line, from 1.
  package var line: Int
  /// The column, from 1.
  package var column: Int

  /// Makes a position.
  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The first character.
  package static let start = SourcePosition(line: 1, column: 1)

  /// Orders positions as in the file.
  package static func < (a: SourcePosition, b: SourcePosition) -> Bool {
    (a.line, a.column) < (b.line, b.column)
  }
}
