/// One line of input: a verb and its words.
///
/// Words are separated by spaces or tabs. Double quotes enclose words with spaces (`name="Test Force Pad"`).
struct Command {
  var verb: String
  var words: [String]

  /// Parses a line; `nil` for an empty line or a comment, which begins with `#`.
  init?(_ line: String) {
    var words: [String] = []
    var word = ""
    var quoted = false
    for character in line {
      switch character {
      case "\"": quoted.toggle()
      case " " where !quoted, "\t" where !quoted:
        if !word.isEmpty { words.append(word) }
        word = ""
      case _: word.append(character)
      }
    }
    if !word.isEmpty { words.append(word) }
    guard let verb = words.first, !verb.hasPrefix("#") else { return nil }
    self.verb = verb
    self.words = Array(words.dropFirst())
  }

  /// Returns the word at `index`.
  ///
  /// - Throws: An error that states what is missing.
  func word(_ index: Int, _ what: String) throws(PadError) -> String {
    guard words.indices.contains(index) else { throw PadError("\(what) is missing") }
    return words[index]
  }

  /// Returns the number at `index`, or `missing` if there is no such word.
  func number<Number: LosslessStringConvertible>(
    _ index: Int, _ what: String, missing: Number? = nil
  ) throws(PadError) -> Number {
    if let missing, !words.indices.contains(index) { return missing }
    let text = try word(index, what)
    guard let number = Number(text) else { throw PadError("\(what): `\(text)` is not a number") }
    return number
  }
}
