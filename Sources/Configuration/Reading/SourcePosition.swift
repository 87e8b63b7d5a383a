/// A position in a file as editors count: lines and columns from 1, columns in Unicode scalars.
package struct SourcePosition: Hashable, Comparable, Sendable {
  /// The line, from 1.
  package var line: Int
  /// The column, from 1.
  package var column: Int
  /// The file: 0 for the configuration, 1 for the settings file that overrides it, 2 for a change of the settings.
  package var layer = 0

  /// The layer of what is stored in the settings file, maybe by a newer version.
  static let storedLayer = 1

  /// The first character.
  package static let start = SourcePosition(line: 1, column: 1)

  /// Orders positions as in the file, those of the configuration first.
  package static func < (a: SourcePosition, b: SourcePosition) -> Bool {
    (a.layer, a.line, a.column) < (b.layer, b.line, b.column)
  }
}
