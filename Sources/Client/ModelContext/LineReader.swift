/// Splits a stream into lines of limited length. A byte-order mark at its beginning is left out.
struct LineReader {
  /// A line, or what is left of one that was too long.
  enum Line: Hashable {
    case complete([UInt8])
    case tooLong
  }

  /// The maximum length of a line. The longest arguments of a tool are a few hundred bytes.
  static let maximumBytes = 1 << 20
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private var partial: [UInt8] = []
  private var isFirst = true
  /// Whether the rest of a line that was too long is being skipped.
  private var isSkipping = false

  /// Adds bytes; returns the lines that are complete. Empty lines are left out.
  mutating func append(_ bytes: [UInt8]) -> [Line] {
    var lines: [Line] = []
    for piece in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      if piece.offset > 0, let line = end() { lines.append(line) }
      if isSkipping { continue }
      if partial.count + piece.element.count > Self.maximumBytes {
        (partial, isSkipping) = ([], true)
      } else {
        partial += piece.element
      }
    }
    return lines
  }

  /// The last line if the stream ends without a line end.
  mutating func end() -> Line? {
    defer { (partial, isSkipping, isFirst) = ([], false, false) }
    if isSkipping { return .tooLong }
    if isFirst, partial.starts(with: Self.byteOrderMark) { partial.removeFirst(Self.byteOrderMark.count) }
    if partial.last == UInt8(ascii: "\r") { partial.removeLast() }
    return partial.isEmpty ? nil : .complete(partial)
  }
}
