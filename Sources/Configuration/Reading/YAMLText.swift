/// Checks of the text of a YAML file before parsing.
enum YAMLText {
  /// The position of the first bytes that are not UTF-8.
  static func firstMalformed(in bytes: [UInt8]) -> SourcePosition {
    var counter = Counter()
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    while case .scalarValue(let scalar) = decoder.decode(&iterator) { counter.pass(scalar) }
    return counter.position
  }

  /// The position of the first character that YAML does not allow (YAML 1.2, 5.1).
  static func firstUnprintable(in text: String) -> SourcePosition? {
    var counter = Counter()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x9, 0xa, 0xd, 0x20...0x7e, 0x85, 0xa0...0xd7ff, 0xe000...0xfefe, 0xff00...0xfffd, 0x10000...: break
      default: return counter.position
      }
      counter.pass(scalar)
    }
    return nil
  }

  /// The positions of the scalars in double quotes that start with an escaped U+FEFF.
  ///
  /// Yams makes strings with Foundation, which drops a leading U+FEFF as a byte order mark. Unescaped, YAML allows the
  /// character only at the start of the file.
  static func leadingMarks(in text: String) -> Set<SourcePosition> {
    let scalars = Array(text.unicodeScalars)
    var counter = Counter()
    var positions: Set<SourcePosition> = []
    for (index, scalar) in scalars.enumerated() {
      if scalar == "\"", isMark(scalars[(index + 1)...]) { positions.insert(counter.position) }
      counter.pass(scalar)
    }
    return positions
  }

  /// Whether a text starts with an escaped U+FEFF.
  private static func isMark(_ scalars: ArraySlice<Unicode.Scalar>) -> Bool {
    ["\\ufeff", "\\U0000feff"].contains { escape in
      let start = String(String.UnicodeScalarView(scalars.prefix(escape.count)))
      return start.hasPrefix(escape.prefix(2)) && start.lowercased() == escape.lowercased()
    }
  }

  /// The position of the first alias, if the text may have more than a few.
  ///
  /// Aliases are rejected by their anchors after parsing, but Yams hashes every key while parsing, and a key of nested
  /// aliases takes exponential time. Eight aliases expand to less than twenty copies, so that many are accepted here: they
  /// may be asterisks in a title. Comments do not count.
  static func firstOfManyAliases(in text: String) -> SourcePosition? {
    var counter = Counter()
    var first: SourcePosition?
    var count = 0
    var previous: Unicode.Scalar = "\n"
    var isBlank = true
    var isComment = false
    for scalar in text.unicodeScalars {
      if previous == "*", !isComment, isWordByte(UInt8(truncatingIfNeeded: scalar.value)) {
        count += 1
        first = first ?? counter.position
        if count > 8 { return first }
      }
      if counter.isBreak(scalar) {
        (isBlank, isComment) = (true, false)
      } else if isBlank, scalar != " ", scalar != "\t" {
        (isBlank, isComment) = (false, scalar == "#")
      }
      previous = scalar
      counter.pass(scalar)
    }
    return nil
  }

  /// The index of a position among the scalars of a text; `nil` if it is not in the text.
  static func index(of position: SourcePosition, in scalars: [Unicode.Scalar]) -> Int? {
    var counter = Counter()
    for (index, scalar) in scalars.enumerated() {
      if counter.position == position { return index }
      counter.pass(scalar)
    }
    return nil
  }

  /// The position, or the end of the text if that comes first.
  static func clamped(_ position: SourcePosition, to text: String) -> SourcePosition {
    var counter = Counter()
    for scalar in text.unicodeScalars { counter.pass(scalar) }
    return min(position, counter.position)
  }

  /// Whether there is a tab in the indentation of a line.
  static func isIndentedByTab(line: Int, of text: String) -> Bool {
    var counter = Counter()
    for scalar in text.unicodeScalars {
      if counter.position.line == line {
        if scalar == "\t" { return true }
        if scalar != " " { return false }
      }
      counter.pass(scalar)
    }
    return false
  }

  /// Counts lines and columns as libyaml does.
  private struct Counter {
    private(set) var position = SourcePosition.start
    private var afterReturn = false

    func isBreak(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar {
      case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": true
      default: false
      }
    }

    mutating func pass(_ scalar: Unicode.Scalar) {
      defer { afterReturn = scalar == "\r" }
      if scalar == "\n" && afterReturn { return }
      if isBreak(scalar) {
        position = SourcePosition(line: position.line + 1, column: 1)
      } else {
        position.column += 1
      }
    }
  }
}
