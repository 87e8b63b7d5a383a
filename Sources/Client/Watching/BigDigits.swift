/// Large digits that can be read across a room: three by five squares each.
enum BigDigits {
  private static let shapes: [Character: [String]] = [
    "0": ["###", "# #", "# #", "# #", "###"], "1": [" # ", "## ", " # ", " # ", "###"],
    "2": ["###", "  #", "###", "#  ", "###"], "3": ["###", "  #", "###", "  #", "###"],
    "4": ["# #", "# #", "###", "  #", "  #"], "5": ["###", "#  ", "###", "  #", "###"],
    "6": ["###", "#  ", "###", "# #", "###"], "7": ["###", "  #", "  #", "  #", "  #"],
    "8": ["###", "# #", "###", "# #", "###"], "9": ["###", "# #", "###", "  #", "###"],
    "-": ["   ", "   ", "###", "   ", "   "], "+": ["   ", " # ", "###", " # ", "   "],
    ".": [" ", " ", " ", " ", "#"], "g": ["   ", "###", "# #", "###", "  #"], " ": [" ", " ", " ", " ", " "],
  ]

  /// The lines for a text of digits, as large as fits into the given columns and rows; `nil` if it does not fit or has a
  /// character without a shape.
  static func lines(_ text: String, columns: Int, rows: Int, _ style: TerminalStyle) -> [String]? {
    let shapes = text.compactMap { Self.shapes[$0] }
    guard shapes.count == text.count, !text.isEmpty else { return nil }
    // Sized for at least four digits, so that the size does not change while a load increases.
    let squares = max(shapes.reduce(shapes.count - 1) { $0 + $1[0].count }, 4 * 4 + 2 + 3)
    let square = style.isUTF8 ? "█" : "#"
    // A character is about twice as high as wide: a square is two by one, or smaller, a bar.
    for (width, height) in [(6, 3), (4, 2), (2, 1), (1, 1)] where squares * width <= columns && 5 * height <= rows {
      return (0..<5).flatMap { row in
        let line = shapes.map { $0[row] }.joined(separator: " ")
          .map { String(repeating: $0 == "#" ? square : " ", count: width) }.joined()
        return Array(repeating: line, count: height)
      }
    }
    return nil
  }
}
