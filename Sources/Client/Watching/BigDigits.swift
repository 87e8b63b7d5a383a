import Terminal

/// Large digits that can be read across a room: three squares wide and five high.
enum BigDigits {
  private static let shapes: [Character: [String]] = [
    "0": ["###", "# #", "# #", "# #", "###"], "1": [" # ", "## ", " # ", " # ", "###"],
    "2": ["###", "  #", "###", "#  ", "###"], "3": ["###", "  #", "###", "  #", "###"],
    "4": ["# #", "# #", "###", "  #", "  #"], "5": ["###", "#  ", "###", "  #", "###"],
    "6": ["###", "#  ", "###", "# #", "###"], "7": ["###", "  #", "  #", "  #", "  #"],
    "8": ["###", "# #", "###", "# #", "###"], "9": ["###", "# #", "###", "  #", "###"],
    "-": ["   ", "   ", "###", "   ", "   "], "+": ["   ", " # ", "###", " # ", "   "],
    ".": [" ", " ", " ", " ", "#"], "g": ["   ", "###", "# #", "###", "  #"],
    " ": [" ", " ", " ", " ", " "], "k": ["#  ", "# #", "## ", "# #", "# #"], "o": ["   ", "###", "# #", "# #", "###"],
    "z": ["   ", "###", "  #", " # ", "###"], "l": ["# ", "# ", "# ", "# ", "##"],
    "b": ["#  ", "###", "# #", "# #", "###"], "c": ["   ", "###", "#  ", "#  ", "###"],
    "t": [" # ", "###", " # ", " # ", " ##"], "n": ["   ", "###", "# #", "# #", "# #"],
  ]

  /// The lines for a text of digits, as large as fits into the given columns and rows; `nil` if it does not fit or has a
  /// character without a shape.
  static func lines(_ text: String, columns: Int, rows: Int, _ style: TerminalStyle) -> [String]? {
    let shapes = text.compactMap { Self.shapes[$0] }
    guard shapes.count == text.count, !text.isEmpty else { return nil }
    // Sized for at least four digits, so that the size does not change while a load increases.
    let squares = max(shapes.reduce(shapes.count - 1) { $0 + $1[0].count }, 4 * 4 + 2 + 3)
    // A character is about twice as high as wide: a square is twice as wide as high, but at least one row.
    let room = min(6, columns / squares, rows / 5 * 2)
    guard room > 0 else { return nil }
    let height = max(1, room / 2)
    let width = min(room, 2 * height)
    let square = String(repeating: style.isUTF8 ? "█" : "#", count: width)
    let blank = String(repeating: " ", count: width)
    return (0..<5).flatMap { row in
      let line = shapes.map { $0[row] }.joined(separator: " ").map { $0 == "#" ? square : blank }.joined()
      return Array(repeating: line, count: height)
    }
  }
}
